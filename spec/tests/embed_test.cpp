// The texts inside the program are the texts of the tree, byte for byte.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>
#include <string>

#include "spec/load.h"

namespace fragproof {
namespace {

std::string file_text(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  EXPECT_TRUE(in.is_open()) << path;
  std::stringstream buffer;
  buffer << in.rdbuf();
  return buffer.str();
}

// "instructions/mma.layout" stands in spec/, "examples/gemv.layout" at the top.
std::string path_of(const std::string& embedded) {
  const std::string root = FRAGPROOF_SOURCE_DIR;
  return root + (embedded.starts_with("instructions/") ? "/spec/" : "/") + embedded;
}

TEST(Embed, EveryTextIsThatOfItsFile) {
  for (const EmbeddedFile& file : embedded_files()) {
    EXPECT_EQ(std::string(file.text, file.size), file_text(path_of(file.path))) << file.path;
    EXPECT_EQ(file.text[file.size], '\0') << file.path;
  }
}

TEST(Embed, TheInstructionsAndTheBuiltInClaimsAreThere) {
  std::set<std::string> paths;
  for (const EmbeddedFile& file : embedded_files()) {
    EXPECT_TRUE(paths.insert(file.path).second) << file.path << " twice";
  }
  for (const auto& entry : std::filesystem::directory_iterator(std::string(FRAGPROOF_SOURCE_DIR) +
                                                               "/spec/instructions")) {
    EXPECT_EQ(paths.count("instructions/" + entry.path().filename().string()), 1U) << entry.path();
  }
  for (const auto& entry :
       std::filesystem::directory_iterator(std::string(FRAGPROOF_SOURCE_DIR) + "/examples")) {
    if (entry.path().extension() != ".layout") continue;
    const std::string name = entry.path().filename().string();
    const bool wanted = name.starts_with("gemv") || name.starts_with("tf32_") ||
                        name.starts_with("tile_") || name == "builtin.layout";
    EXPECT_EQ(paths.count("examples/" + name), wanted ? 1U : 0U) << name;
  }
}

// The generator itself, on a text with everything that upsets CMake or C++: `;`, `]`, `\`, quotes,
// `??=`, no newline at the end, bytes over 127, a zero; and on an empty one.
TEST(Embed, TheGeneratorKeepsEveryByte) {
  const std::filesystem::path folder =
      std::filesystem::path(testing::TempDir()) / "fragproof_embed";
  std::filesystem::create_directories(folder);
  std::string text = "a;b];[[c\\;\"'${X}@Y@ \r\n\t";
  for (int byte = 0; byte < 256; ++byte) text += static_cast<char>(byte);
  std::ofstream(folder / "odd.layout", std::ios::binary) << text;
  std::ofstream(folder / "empty.layout", std::ios::binary).flush();
  const std::string output = (folder / "out.cpp").string();
  const std::string command = "cmake -DROOT='" + folder.string() +
                              "' -DFILES='odd.layout|empty.layout' -DOUTPUT='" + output + "' -P '" +
                              FRAGPROOF_SOURCE_DIR + "/cmake/embed_texts.cmake' 2>&1";
  ASSERT_EQ(std::system(command.c_str()), 0);
  const std::string source = file_text(output);
  std::string bytes;
  for (std::size_t at = source.find("text_0[]"); (at = source.find("0x", at)) != std::string::npos;
       at += 4) {
    if (source.find("text_1[]") < at) break;
    bytes += static_cast<char>(std::stoi(source.substr(at + 2, 2), nullptr, 16));
  }
  EXPECT_EQ(bytes, text + '\0');
  EXPECT_NE(source.find("text_1), 0}"), std::string::npos);
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace fragproof
