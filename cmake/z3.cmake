# Z3: target fragproof::z3, and in FRAGPROOF_Z3_ORIGIN where it is from ("wheel", "distribution" or "given").
#
# Any release from 4.8.12 on does. Preferred is a current one: the wheel `z3-solver` of the version and hash below, which
# holds the C++ headers and the library; pip fetches it once into the build folder. Where that cannot be had, the
# distribution's libz3-dev is taken. -DFRAGPROOF_Z3=wheel or =system insists on one of the two, -DFRAGPROOF_Z3_ROOT=DIR
# on a folder with include/z3++.h and lib/libz3.so.
set(FRAGPROOF_Z3 "auto" CACHE STRING "where Z3 comes from: auto, wheel or system")
set_property(CACHE FRAGPROOF_Z3 PROPERTY STRINGS auto wheel system)
set(FRAGPROOF_Z3_ROOT "" CACHE PATH "folder with include/z3++.h and lib/libz3.so, instead of FRAGPROOF_Z3")

set(fragproof_z3_wheel "z3-solver==5.4.1.0")
set(fragproof_z3_sha256 "e680ce083683abca5d07c3e55c2f620ff9a29cb91c548eeeea27ae29e8060522")  # manylinux, x86-64

# Puts the wheel into ${folder}; ${error} is empty or one line that says why it is not there.
function(fragproof_fetch_z3 folder error)
  set(${error} "" PARENT_SCOPE)
  set(stamp "${folder}/complete-${fragproof_z3_sha256}")
  if(EXISTS "${stamp}")
    return()
  endif()
  if(NOT CMAKE_SYSTEM_NAME STREQUAL "Linux" OR NOT CMAKE_SYSTEM_PROCESSOR STREQUAL "x86_64")
    set(${error} "the pinned wheel is for Linux on x86-64" PARENT_SCOPE)
    return()
  endif()
  find_program(python3 python3 NO_CACHE)
  if(NOT python3)
    set(${error} "no python3 to fetch the wheel with" PARENT_SCOPE)
    return()
  endif()
  file(REMOVE_RECURSE "${folder}")
  file(WRITE "${folder}/requirements.txt"
       "${fragproof_z3_wheel} --hash=sha256:${fragproof_z3_sha256}\n")
  message(STATUS "Z3: fetching the wheel ${fragproof_z3_wheel} (once)")
  execute_process(
    COMMAND "${python3}" -m pip download --quiet --disable-pip-version-check --retries 1 --timeout 30 --no-deps
            --only-binary=:all: --require-hashes --dest "${folder}" -r "${folder}/requirements.txt"
    RESULT_VARIABLE failed OUTPUT_QUIET ERROR_VARIABLE said TIMEOUT 300)
  file(GLOB wheel "${folder}/z3_solver-*.whl")
  if(failed OR NOT wheel)
    string(REGEX MATCH "No module named pip|ERROR: [^\n]*" why "${said}")
    set(${error} "pip could not fetch the wheel ${fragproof_z3_wheel}: ${why}" PARENT_SCOPE)
    return()
  endif()
  file(ARCHIVE_EXTRACT INPUT "${wheel}" DESTINATION "${folder}" PATTERNS "z3/include/*" "z3/lib/*")
  file(REMOVE "${wheel}")
  if(NOT EXISTS "${folder}/z3/include/z3++.h" OR NOT EXISTS "${folder}/z3/lib/libz3.so")
    set(${error} "the wheel ${fragproof_z3_wheel} lacks z3++.h or libz3.so" PARENT_SCOPE)
    return()
  endif()
  file(TOUCH "${stamp}")
endfunction()

if(FRAGPROOF_Z3_ROOT)
  set(FRAGPROOF_Z3_ORIGIN "given")
  set(fragproof_z3_hints HINTS "${FRAGPROOF_Z3_ROOT}" NO_DEFAULT_PATH)
elseif(FRAGPROOF_Z3 MATCHES "^(auto|wheel)$")
  fragproof_fetch_z3("${PROJECT_BINARY_DIR}/z3-wheel" fragproof_z3_error)
  if(NOT fragproof_z3_error)
    set(FRAGPROOF_Z3_ORIGIN "wheel")
    set(fragproof_z3_hints HINTS "${PROJECT_BINARY_DIR}/z3-wheel/z3" NO_DEFAULT_PATH)
  elseif(FRAGPROOF_Z3 STREQUAL "wheel")
    message(FATAL_ERROR "Z3: ${fragproof_z3_error}")
  else()
    message(STATUS "Z3: ${fragproof_z3_error}; taking the distribution's")
    set(FRAGPROOF_Z3_ORIGIN "distribution")
  endif()
elseif(FRAGPROOF_Z3 STREQUAL "system")
  set(FRAGPROOF_Z3_ORIGIN "distribution")
else()
  message(FATAL_ERROR "FRAGPROOF_Z3 is auto, wheel or system, not ${FRAGPROOF_Z3}")
endif()

find_path(fragproof_z3_include z3++.h ${fragproof_z3_hints} PATH_SUFFIXES include NO_CACHE)
find_library(fragproof_z3_library z3 ${fragproof_z3_hints} PATH_SUFFIXES lib NO_CACHE)
if(NOT fragproof_z3_include OR NOT fragproof_z3_library)
  message(FATAL_ERROR "Z3: no z3++.h with libz3 ${FRAGPROOF_Z3_ROOT}: install the distribution's "
                      "libz3-dev, or python3 with pip so that the wheel can be fetched")
endif()
if(EXISTS "${fragproof_z3_include}/z3_version.h")  # the wheel has none
  file(STRINGS "${fragproof_z3_include}/z3_version.h" fragproof_z3_text REGEX "Z3_FULL_VERSION")
  string(REGEX MATCH "[0-9]+\\.[0-9]+\\.[0-9]+" fragproof_z3_found "${fragproof_z3_text}")
  if(fragproof_z3_found AND fragproof_z3_found VERSION_LESS "4.8.12")
    message(FATAL_ERROR "Z3: ${fragproof_z3_found} is too old, 4.8.12 is the oldest that does")
  endif()
endif()
message(STATUS "Z3: ${fragproof_z3_library} (${FRAGPROOF_Z3_ORIGIN})")

add_library(fragproof::z3 UNKNOWN IMPORTED)
set_target_properties(fragproof::z3 PROPERTIES
  IMPORTED_LOCATION "${fragproof_z3_library}"
  INTERFACE_INCLUDE_DIRECTORIES "${fragproof_z3_include}")
# The programs find the wheel's library beside them, wherever the build folder is moved to.
set(CMAKE_BUILD_RPATH_USE_ORIGIN ON)
