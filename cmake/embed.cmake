# fragproof_embed(OUTPUT [FUNCTION NAME] FILES PATH...): the texts at PATH (relative to the project's root) as one C++
# source that defines fragproof::NAME(), by default embedded_files() of spec/load.h. It is rebuilt when a text changes.
# Texts are written as arrays of bytes
# (string literals have a length limit) and are followed by a zero. No tool but CMake is needed.
function(fragproof_embed output)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "FUNCTION" "FILES")
  if(NOT arg_FILES)
    message(FATAL_ERROR "fragproof_embed: no FILES to embed")
  endif()
  if(NOT arg_FUNCTION)
    set(arg_FUNCTION embedded_files)
  endif()
  set(dependencies)
  foreach(file IN LISTS arg_FILES)
    list(APPEND dependencies "${PROJECT_SOURCE_DIR}/${file}")
  endforeach()
  list(JOIN arg_FILES "|" files)  # a list does not survive the command line of a custom command
  add_custom_command(
    OUTPUT "${output}"
    COMMAND "${CMAKE_COMMAND}" -DROOT=${PROJECT_SOURCE_DIR} -DFILES=${files} -DOUTPUT=${output}
            -DFUNCTION=${arg_FUNCTION}
            -P "${PROJECT_SOURCE_DIR}/cmake/embed_texts.cmake"
    DEPENDS ${dependencies} "${PROJECT_SOURCE_DIR}/cmake/embed_texts.cmake"
    COMMENT "Embedding ${arg_FUNCTION}"
    VERBATIM)
endfunction()
