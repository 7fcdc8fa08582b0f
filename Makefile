# The commands a newcomer needs, thin over CMake. `make` lists them.
BUILD ?= build
ASAN_BUILD ?= build-asan
GPU_BUILD ?= build-gpu
JOBS ?= $(shell nproc 2>/dev/null || echo 2)
# More for CMake, e.g. CMAKE_ARGS=-DFRAGPROOF_Z3=system
CMAKE_ARGS ?=
# Seconds that the benchmark's rival, the direct Z3 query, may take
RIVAL_SECONDS ?= 60
# What `make asan` builds, and more words for its ctest
ASAN_TARGETS ?= all
ASAN_CTEST ?=

.PHONY: help packages configure build prove test bench gpu-bundle asan format format-check clean

help:
	@echo "make prove         build the tool (build/fragproof), prove all that is built in, write build/report.html"
	@echo "make test          build and run all tests"
	@echo "make bench         measure: every built-in claim, beside the direct Z3 query (RIVAL_SECONDS=60)"
	@echo "make gpu-bundle    build-gpu/fragproof: one file without Z3, to copy to a machine with a GPU"
	@echo "make asan          the tests under AddressSanitizer and UndefinedBehaviorSanitizer"
	@echo "make format-check  is the source formatted? (make format does it)"
	@echo "make clean         remove the build folders"

packages:
	@bash cmake/packages.sh

configure: packages
	@cmake -S . -B $(BUILD) -G Ninja $(CMAKE_ARGS)

build: configure
	@cmake --build $(BUILD) --parallel $(JOBS)

prove: configure
	@cmake --build $(BUILD) --parallel $(JOBS) --target fragproof fragproof_header
	$(BUILD)/fragproof prove --html $(BUILD)/report.html

test: build
	@bash cmake/run_tests.sh $(BUILD)

bench: configure
	@cmake --build $(BUILD) --parallel $(JOBS) --target fragproof checkers_bench fuzz_bench
	@$(BUILD)/fuzz/fuzz_bench
	@$(BUILD)/checkers/checkers_bench --rival-seconds=$(RIVAL_SECONDS)

gpu-bundle: packages
	@cmake -S . -B $(GPU_BUILD) -G Ninja -DCMAKE_BUILD_TYPE=Release -DFRAGPROOF_WITHOUT_Z3=ON $(CMAKE_ARGS)
	@cmake --build $(GPU_BUILD) --parallel $(JOBS) --target fragproof

asan: packages
	@cmake -S . -B $(ASAN_BUILD) -G Ninja -DCMAKE_BUILD_TYPE=Debug -DFRAGPROOF_SANITIZE=ON $(CMAKE_ARGS)
	@cmake --build $(ASAN_BUILD) --parallel $(JOBS) --target $(ASAN_TARGETS)
	@bash cmake/run_tests.sh $(ASAN_BUILD) $(ASAN_CTEST)

SOURCES = $(shell find spec checkers fuzz reports gpu_tests cli -name '*.h' -o -name '*.cpp')

format:
	@clang-format -i $(SOURCES)

format-check:
	@bad=0; for file in $(SOURCES); do \
	  clang-format $$file | cmp -s - $$file || { echo "not formatted: $$file (make format)"; bad=1; }; \
	done; exit $$bad

clean:
	rm -rf $(BUILD) $(ASAN_BUILD) $(GPU_BUILD)
