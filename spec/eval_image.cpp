// Images of packs and shared arrays: every fill carried out, cell by cell, on the origins of bits.
#include <algorithm>

#include "spec/columns.h"
#include "spec/eval.h"

namespace fragproof {
namespace {

constexpr std::uint32_t cell_unwritten = 0;
constexpr std::uint32_t cell_twice = 1;
constexpr std::uint32_t cell_zero = 2;
constexpr std::uint32_t cell_first = 3;  // the first that stands for a tensor's bits

}  // namespace

std::int64_t Image::code(std::size_t cell) const {
  const std::uint32_t value = cells[cell];
  if (value < cell_first) {
    return value == cell_unwritten ? code_unwritten : value == cell_twice ? code_twice : code_zero;
  }
  std::size_t base = bases.size() - 1;
  while (bases[base].first > value) --base;
  return bases[base].code + std::int64_t{value - bases[base].first} * granule;
}

// Carries out the fills of one array.
class ImageBuilder {
 public:
  ImageBuilder(Evaluator& evaluator, const Array& array, const Batch& point)
      : evaluator_(evaluator), array_(array), point_(point) {}

  Image build() {
    if (!prepare()) return std::move(image_);
    for (const Fill& fill : array_.fills) {
      if (image_.outcome == Outcome::Ok) carry_out(fill);
    }
    return std::move(image_);
  }

 private:
  bool refuse(Outcome outcome, std::string reason) {
    image_.outcome = outcome;
    image_.reason = std::move(reason);
    return false;
  }

  // ": add `require N % 16 == 0`", where a rounded division is to blame.
  std::string remedy(const Expr& condition) {
    const std::string missing = missing_require(evaluator_, {&condition});
    return missing.empty() ? "" : ": add `" + missing + "`";
  }

  bool prepare() {
    for (const Condition& condition : array_.conditions) {
      const Scalar scalar = evaluator_.scalar(*condition.holds, point_);
      if (scalar.outcome == Outcome::Ok && scalar.value != 0) continue;
      if (scalar.outcome == Outcome::Overflow) return refuse(Outcome::Overflow, scalar.reason);
      return refuse(Outcome::Undefined,
                    array_.name + ": " + condition.text +
                        (scalar.reason.empty() ? "" : " (" + scalar.reason + ")") +
                        remedy(*condition.holds));
    }
    std::string reason;
    if (!evaluator_.extents(array_, &reason)) return refuse(Outcome::Undefined, reason);
    const auto bits = evaluator_.bits(array_);
    image_.granule = evaluator_.granule(array_);
    if (!bits || *bits / image_.granule > evaluator_.options_.image_cells) {
      return refuse(Outcome::Overflow, "the contents of " + array_.name + " are too large a table");
    }
    if (*bits / image_.granule > Int{evaluator_.options_.points} - evaluator_.points_) {
      return refuse(Outcome::Overflow, "the budget of points ran out");  // foreseen: not begun
    }
    image_.cells.assign(static_cast<std::size_t>(*bits / image_.granule), cell_unwritten);
    return true;
  }

  void carry_out(const Fill& fill) {
    Image shared;  // the source, where that is a shared array too
    const Image* source_image = nullptr;
    if (fill.source && fill.source->array->kind == Array::Kind::Shared) {
      shared = ImageBuilder(evaluator_, *fill.source->array, point_).build();
      source_image = &shared;
    }
    const int width = fill.place.width;
    const Walk walk = evaluator_.walk(fill.domain, point_, [&](const Batch& points) {
      const Places places = evaluator_.place(fill.place, points);
      Values source{Column(Int{code_zero})};
      source.piece = width;
      if (fill.source) {
        const Places from = evaluator_.place(*fill.source, points);
        source = evaluator_.contents(*fill.source->array, from, width, points, source_image);
      }
      for (const Outcome outcome : source.outcome) {
        if (outcome == Outcome::Overflow) {
          return refuse(Outcome::Overflow, evaluator_.undecided());
        }
      }
      note_failures(fill, points, places, source, source_image);
      return write(places, source, points.size);
    });
    if (image_.outcome != Outcome::Ok) return;
    if (walk.truncated) {
      refuse(Outcome::Overflow, "a fill of " + array_.name + " has no end");
    } else if (walk.end == Walk::End::Budget) {
      refuse(Outcome::Overflow, "the budget of points ran out");
    } else if (!walk.domain.empty()) {
      const bool undefined = walk.domain[0] == Outcome::Undefined;
      refuse(undefined ? Outcome::Undefined : Outcome::Overflow,
             undefined ? "a fill of " + array_.name + ": " + walk.reason : evaluator_.undecided());
    }
  }

  // Remembers the first place and the first source that is undefined or outside.
  void note_failures(const Fill& fill, const Batch& points, const Places& places,
                     const Values& source, const Image* source_image) {
    if (!image_.place_failed) {
      for (std::size_t p = 0; p < points.size; ++p) {
        if (places.at(p) == Outcome::Ok) continue;
        image_.place_failed = true;
        (void)evaluator_.place(fill.place, points.at(p), &image_.place_reason);
        break;
      }
    }
    if (image_.source_failed || source.all_ok()) return;
    for (std::size_t p = 0; p < points.size; ++p) {
      if (source.at(p) == Outcome::Ok) continue;
      image_.source_failed = true;
      const Batch point = points.at(p);
      const Places from = evaluator_.place(*fill.source, point, &image_.source_reason);
      (void)evaluator_.contents(*fill.source->array, from, fill.place.width, point, source_image,
                                &image_.source_reason);
      break;
    }
  }

  bool write(const Places& places, const Values& source, std::size_t size) {
    const int granule = image_.granule;
    const std::vector<std::int64_t> bit = spread(places.bit, size);
    const int parts = source.piece / granule;
    for (std::size_t member = 0; member < source.members.size(); ++member) {
      const std::vector<std::int64_t> codes = spread(source.members[member], size);
      for (int part = 0; part < parts; ++part) {
        const std::int64_t offset =
            static_cast<std::int64_t>(member) * source.piece + std::int64_t{part} * granule;
        for (std::size_t p = 0; p < size; ++p) {
          if (places.at(p) != Outcome::Ok) continue;
          const auto index = static_cast<std::size_t>((bit[p] + offset) / granule);
          std::uint32_t& cell = image_.cells[index];
          std::uint32_t value = cell_unwritten;
          if (source.at(p) == Outcome::Ok) {
            if (codes[p] < 0) {
              value = cell_zero;
            } else if (!cell_of(codes[p] + std::int64_t{part} * granule, value)) {
              return refuse(Outcome::Overflow,
                            "the tensors behind " + array_.name + " are too large");
            }
          }
          if (value == cell_unwritten) {
            mark_lost(index, cell);
          } else if (cell != cell_unwritten || is_lost(index)) {
            cell = cell_twice;
            image_.written_twice = true;
          } else {
            cell = value;
          }
        }
      }
    }
    return true;
  }

  // A place written from an undefined source holds nothing, but a second writer is still a second
  // writer.
  void mark_lost(std::size_t index, std::uint32_t& cell) {
    if (cell != cell_unwritten || is_lost(index)) {
      cell = cell_twice;
      image_.written_twice = true;
      return;
    }
    if (lost_.empty()) lost_.resize(image_.cells.size());
    lost_[index] = true;
  }
  [[nodiscard]] bool is_lost(std::size_t index) const { return !lost_.empty() && lost_[index]; }

  // The cell value that stands for a bit of a tensor.
  bool cell_of(std::int64_t code, std::uint32_t& value) {
    if (last_ >= image_.bases.size() || code < image_.bases[last_].code ||
        code >= image_.bases[last_].code + last_bits_) {
      if (!find_base(code)) return false;
    }
    const Image::Base& base = image_.bases[last_];
    value = base.first + static_cast<std::uint32_t>((code - base.code) / image_.granule);
    return true;
  }
  bool find_base(std::int64_t code) {
    const Array* tensor = evaluator_.origin(code, 1).array;
    const std::int64_t first_code = evaluator_.code(*tensor, 0);
    last_bits_ = static_cast<std::int64_t>(*evaluator_.bits(*tensor));
    for (last_ = 0; last_ < image_.bases.size(); ++last_) {
      if (image_.bases[last_].code == first_code) return true;
    }
    const std::int64_t cells = (last_bits_ + image_.granule - 1) / image_.granule;
    if (next_ + cells > std::int64_t{UINT32_MAX}) return false;
    image_.bases.push_back({static_cast<std::uint32_t>(next_), tensor, first_code});
    next_ += cells;
    return true;
  }

  Evaluator& evaluator_;
  const Array& array_;
  const Batch& point_;
  Image image_;
  std::vector<bool> lost_;
  std::int64_t next_ = cell_first;
  std::size_t last_ = 0;
  std::int64_t last_bits_ = 0;
};

const Image& Evaluator::image(const Array& pack) {
  auto known = images_.find(&pack);
  if (known != images_.end()) return *known->second;
  std::string* outer = std::exchange(reason_, nullptr);
  const bool corners = std::exchange(options_.corners, false);  // an image has all its points
  const Batch once;
  auto image = std::make_unique<Image>(ImageBuilder(*this, pack, once).build());
  options_.corners = corners;
  reason_ = outer;
  return *images_.emplace(&pack, std::move(image)).first->second;
}

Image Evaluator::shared_image(const Array& shared, const Batch& point) {
  std::string* outer = std::exchange(reason_, nullptr);
  const bool corners = std::exchange(options_.corners, false);
  Image image = ImageBuilder(*this, shared, point).build();
  options_.corners = corners;
  reason_ = outer;
  return image;
}

}  // namespace fragproof
