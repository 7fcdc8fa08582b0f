# Run as `cmake -DROOT=.. -DFILES=a|b -DOUTPUT=.. -P embed_texts.cmake`: writes the C++ source of fragproof_embed().
if(NOT FUNCTION)
  set(FUNCTION embedded_files)
endif()
string(REPLACE "|" ";" FILES "${FILES}")
set(arrays)
set(table)
set(number 0)
foreach(file IN LISTS FILES)
  # Bytes, two hex digits each: no character of the text can upset CMake's lists or C++'s literals.
  file(READ "${ROOT}/${file}" hex HEX)
  string(LENGTH "${hex}" digits)
  math(EXPR bytes "${digits} / 2")
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," list "${hex}")
  string(REPEAT "0x[0-9a-f][0-9a-f]," 16 sixteen)
  string(REGEX REPLACE "(${sixteen})" "\\1\n" list "${list}")
  string(REGEX REPLACE "^spec/" "" path "${file}")
  string(APPEND arrays "constexpr unsigned char text_${number}[] = {\n${list}0x00};  // ${path}\n")
  string(APPEND table "      {\"${path}\", reinterpret_cast<const char*>(text_${number}), ${bytes}},\n")
  math(EXPR number "${number} + 1")
endforeach()
string(CONCAT source "// Generated from the texts themselves; do not edit.\n#include \"spec/load.h\"\n\n"
  "namespace fragproof {\n\nconst std::vector<EmbeddedFile>& ${FUNCTION}();\n\nnamespace {\n\n${arrays}\n}  // namespace\n\n"
  "const std::vector<EmbeddedFile>& ${FUNCTION}() {\n"
  "  static const std::vector<EmbeddedFile> files = {\n${table}  };\n  return files;\n}\n\n"
  "}  // namespace fragproof\n")
file(WRITE "${OUTPUT}.new" "${source}")
file(RENAME "${OUTPUT}.new" "${OUTPUT}")
