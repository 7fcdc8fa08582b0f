// What the tests of loading share: texts and files in memory, and errors as lines of text.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "spec/load.h"
#include "spec/syntax.h"

namespace fragproof::testing {

// A file system in memory.
struct Files {
  std::map<std::string, std::string> texts;
  std::map<std::string, int> reads;

  [[nodiscard]] FileReader reader() {
    return [this](const std::string& path, std::string& error) -> std::optional<std::string> {
      ++reads[path];
      const auto found = texts.find(path);
      if (found != texts.end()) return found->second;
      error = "there is no such file";
      return std::nullopt;
    };
  }
};

inline LoadResult load(const std::string& text) {
  Files none;
  return load_text("t.layout", text, none.reader());
}

inline LoadResult load(const std::string& path, Files& files) {
  return load_spec(path, files.reader());
}

// "LINE:COLUMN: TEXT; help: HELP" a diagnostic; the file is written too when it is not t.layout.
inline std::string errors(const LoadResult& result) {
  std::string all;
  for (const Diagnostic& d : result.diagnostics) {
    if (!all.empty()) all += "\n";
    if (d.where.file >= 0) {
      const std::string& path = result.sources->file(d.where.file).path;
      if (path != "t.layout") all += path + ":";
      all += std::to_string(d.where.line) + ":" + std::to_string(d.where.column) + ": ";
    }
    all += d.text + (d.help.empty() ? "" : "; help: " + d.help);
  }
  return all;
}

inline std::string errors(const std::string& text) { return errors(load(text)); }

template <class T>
const T* named(const std::vector<T*>& all, const std::string& name) {
  for (const T* one : all) {
    if (one->name == name) return one;
  }
  return nullptr;
}

}  // namespace fragproof::testing
