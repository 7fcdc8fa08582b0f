# The language standard, the warnings that every target is built with, sanitizers, and how tests are added.
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release)
endif()
set(CMAKE_CXX_FLAGS_RELEASE "-O2")  # no -DNDEBUG: this is a checker, its assertions stay
option(FRAGPROOF_SANITIZE "build with AddressSanitizer and UndefinedBehaviorSanitizer" OFF)

add_library(fragproof_flags INTERFACE)
target_compile_options(fragproof_flags INTERFACE -Wall -Wextra -Wpedantic -Wconversion -Werror)
target_include_directories(fragproof_flags INTERFACE "${PROJECT_SOURCE_DIR}")
if(FRAGPROOF_SANITIZE)
  target_compile_options(fragproof_flags INTERFACE -fsanitize=address,undefined
                                                   -fno-sanitize-recover=all -O1 -g1
                         # GCC's own <regex> trips it once instrumented
                         $<$<CXX_COMPILER_ID:GNU>:-Wno-maybe-uninitialized>)
  target_link_options(fragproof_flags INTERFACE -fsanitize=address,undefined)
endif()

if(FRAGPROOF_LIBFUZZER)  # every library reports its coverage; see fuzz/targets
  target_compile_options(fragproof_flags INTERFACE -fsanitize=fuzzer-no-link,address,undefined
                                                   -fno-sanitize-recover=all -g1)
  target_link_options(fragproof_flags INTERFACE -fsanitize=address,undefined)
endif()

enable_testing()
find_package(GTest REQUIRED)
include(GoogleTest)

# fragproof_test(NAME LIBRARIES...): one test program from the tests/*.cpp of the calling folder.
function(fragproof_test name)
  file(GLOB sources CONFIGURE_DEPENDS "${CMAKE_CURRENT_SOURCE_DIR}/tests/*.cpp")
  if(NOT sources)
    return()
  endif()
  add_executable(${name} ${sources})
  target_link_libraries(${name} PRIVATE fragproof_flags ${ARGN} GTest::gtest GTest::gtest_main)
  target_compile_definitions(${name} PRIVATE FRAGPROOF_SOURCE_DIR="${PROJECT_SOURCE_DIR}"
                                             FRAGPROOF_BINARY_DIR="${PROJECT_BINARY_DIR}")
  gtest_discover_tests(${name} NO_PRETTY_VALUES DISCOVERY_TIMEOUT 60 PROPERTIES TIMEOUT 300)
endfunction()

# fragproof_bench(NAME LIBRARIES...): one benchmark program from the bench/*.cpp of the calling folder; built by its name
# only, and only where Google Benchmark is installed.
function(fragproof_bench name)
  file(GLOB sources CONFIGURE_DEPENDS "${CMAKE_CURRENT_SOURCE_DIR}/bench/*.cpp")
  find_package(benchmark QUIET)
  if(NOT sources OR NOT benchmark_FOUND)
    return()
  endif()
  add_executable(${name} EXCLUDE_FROM_ALL ${sources})
  target_link_libraries(${name} PRIVATE fragproof_flags ${ARGN} benchmark::benchmark)
  target_compile_definitions(${name} PRIVATE FRAGPROOF_BINARY_DIR="${PROJECT_BINARY_DIR}")
endfunction()

# fragproof_layer(NAME LIBRARIES...): one static library from the *.cpp of a folder (no sub-folders).
function(fragproof_layer name folder)
  file(GLOB sources CONFIGURE_DEPENDS "${folder}/*.cpp")
  if(sources)
    add_library(${name} STATIC ${sources})
    target_link_libraries(${name} PUBLIC fragproof_flags ${ARGN})
  else()
    add_library(${name} INTERFACE)
    target_link_libraries(${name} INTERFACE fragproof_flags ${ARGN})
  endif()
endfunction()
