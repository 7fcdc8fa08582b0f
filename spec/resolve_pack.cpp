// Places in arrays, and what arrays are made of: extents and fills.
#include <algorithm>

#include "spec/resolve.h"

namespace fragproof {
namespace {

std::string count(std::size_t n, const std::string& noun, const std::string& plural) {
  return std::to_string(n) + " " + (n == 1 ? noun : plural);
}

}  // namespace

bool Resolver::ref(Ref& ref, Array* own) {
  bool good = true;
  if (own != nullptr && ref.name == own->name) {
    ref.array = own;
  } else {
    const Found found = scopes_.find(ref.name);
    if (found.symbol == nullptr) {
      unknown_name(ref.name, ref.where);
      good = false;
    } else if (found.symbol->kind != Symbol::Kind::Array || !found.rest.empty()) {
      if (found.symbol->kind != Symbol::Kind::Broken) {
        error(ref.where, "a place is in a tensor, pack or shared array; `" + ref.name + "` is a " +
                             found.symbol->what);
      }
      good = false;
    } else {
      ref.array = found.symbol->array;
    }
  }
  for (Expr* index : ref.index) {
    number(*index);
    good = good &&
           (index->type.kind == Type::Kind::Number || index->type.kind == Type::Kind::Condition);
  }
  for (Unit& unit : ref.units) {
    number(*unit.index);
    good = good && unit.index->type.kind != Type::Kind::Unknown;
  }
  if (!good) return false;
  const std::size_t rank = ref.array->extents.size();
  if (ref.index.size() == 1 && rank > 1 && !ref.array->chain_source.empty()) {
    // A chain is a sequence of elements as much as it is a shape: one index counts them, in the
    // order of the result.
    ref.units.insert(ref.units.begin(), {ref.array->element.width, ref.index[0], ref.where});
    ref.index.clear();
  }
  if (ref.index.size() != rank && !ref.index.empty()) {
    error(ref.where, "`" + ref.name + "` has " + count(rank, "dimension", "dimensions") + ", " +
                         count(ref.index.size(), "index", "indices") + " given");
    return false;
  }
  if (ref.index.empty() && ref.units.empty()) {
    error(ref.where, "`" + ref.name + "` is a whole array: name a place in it, `" + ref.name +
                         "[..]` or `" + ref.name + ".bN[..]`");
    return false;
  }
  ref.width = ref.units.empty() ? ref.array->element.width : ref.units.back().width;
  return true;
}

void Resolver::array(Array& array) {
  if (!array.chain_source.empty()) {
    chain(array);
    return;
  }
  for (Expr* extent : array.extents) {
    number(*extent);
    check_extent(*extent, "an extent of `" + array.name + "`");
  }
  Cost total;
  for (Fill& item : array.fills) {
    fill(item, &array, false);
    const Cost part = cost(item);
    total.depth = std::max(total.depth, part.depth);
    total.size += part.size;
  }
  if (!array.fills.empty()) charge(&array, total, array.where);
}

void Resolver::fill(Fill& fill, Array* own, bool in_kernel) {
  scopes_.push();
  domain(fill.domain, 0, "coordinate");
  for (const Coordinate& coordinate : fill.domain.coordinates) {
    if (coordinate.extent != nullptr) continue;
    error(coordinate.where,
          "coordinate `" + coordinate.name + "` has no extent: a `for` needs a bounded domain");
  }
  if (!in_kernel && own != nullptr && fill.place.name != own->name) {
    error(fill.place.where, "the `for` lines of `" + own->name + "` fill `" + own->name +
                                "`, not `" + fill.place.name + "`");
  }
  const bool placed = ref(fill.place, own);
  const bool sourced = !fill.source || ref(*fill.source);
  if (placed && sourced && fill.source && fill.place.width != fill.source->width) {
    error(fill.place.where,
          "the place has " + count(static_cast<std::size_t>(fill.place.width), "bit", "bits") +
              ", `" + to_text(*fill.source) + "` has " + std::to_string(fill.source->width));
  }
  scopes_.pop();
}

}  // namespace fragproof
