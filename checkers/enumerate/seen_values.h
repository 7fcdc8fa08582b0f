// A set of tuples of numbers that tells which were met before: a bitmap where the codomain is
// small, else sorted rows.
#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <vector>

#include "spec/integer.h"

namespace fragproof {

class SeenValues {
 public:
  // `extents`: the codomain, all of its extents or none. `limit`: most numbers of the rows, a 32nd
  // of the most bits of a bitmap; whatever it is, one set takes no more than 100 MB.
  SeenValues(std::size_t arity, const std::optional<std::vector<Int>>& extents, std::int64_t limit);

  // Adds values (arity numbers a row). Values outside the codomain must not be passed. False when
  // out of memory. With a bitmap, `first_again` is told the number (in order of adding) of the
  // first value met before.
  bool add(const std::int64_t* row);
  // To be called after the last add: finds what was met twice. False when `stop` was set meanwhile:
  // then what was found says nothing.
  [[nodiscard]] bool finish(const std::atomic<bool>* stop = nullptr);

  [[nodiscard]] std::int64_t count() const { return count_; }
  [[nodiscard]] std::int64_t again() const { return again_; }  // values that were met before
  [[nodiscard]] std::int64_t distinct() const { return count_ - again_; }
  // The number of the first value that was met before; -1 when none was.
  [[nodiscard]] std::int64_t first_again() const { return first_again_; }
  // The size of the codomain, and the first of its members that was not met (bitmap only).
  [[nodiscard]] std::optional<Int> codomain() const { return codomain_; }
  [[nodiscard]] std::optional<std::vector<Int>> first_missing() const;

 private:
  std::size_t arity_;
  std::vector<std::int64_t> extents_;
  std::optional<Int> codomain_;
  std::int64_t limit_;
  std::vector<std::uint64_t> bits_;  // the bitmap; empty when rows are kept
  std::vector<std::int64_t> rows_;
  std::int64_t count_ = 0;
  std::int64_t again_ = 0;
  std::int64_t first_again_ = -1;
};

}  // namespace fragproof
