# Tests about the source itself: which layer includes which, and that every header compiles alone.
find_package(Python3 COMPONENTS Interpreter QUIET)
if(Python3_FOUND)
  add_test(NAME House.IncludesPointOneWay
           COMMAND "${Python3_EXECUTABLE}" "${PROJECT_SOURCE_DIR}/cmake/check_layers.py" "${PROJECT_SOURCE_DIR}")
endif()

# One compiler run for all headers, each first in a translation unit of its own.
add_test(NAME House.EveryHeaderCompilesAlone
         COMMAND bash "${PROJECT_SOURCE_DIR}/cmake/check_headers.sh" "${PROJECT_SOURCE_DIR}" "${CMAKE_CXX_COMPILER}"
                 "-I${PROJECT_SOURCE_DIR}" -isystem "$<TARGET_PROPERTY:fragproof::z3,INTERFACE_INCLUDE_DIRECTORIES>")
set_tests_properties(House.EveryHeaderCompilesAlone PROPERTIES TIMEOUT 900)
