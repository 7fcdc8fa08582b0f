// Evaluating fragments, and reading and writing single elements of a register image.
#include "gpu_tests/probe/slots.h"

#include <algorithm>
#include <stdexcept>

#include "gpu_tests/probe/mnemonic.h"
#include "reports/layout_table.h"
#include "reports/phrase.h"
#include "spec/eval.h"

namespace fragproof::gpu {
namespace {

int constant(Evaluator& evaluator, const Expr* expr, const std::string& entry) {
  if (expr != nullptr) {
    const Scalar scalar = evaluator.scalar(*expr);
    if (scalar.outcome == Outcome::Ok && scalar.value >= 1 && scalar.value <= 1 << 20) {
      return static_cast<int>(scalar.value);
    }
  }
  throw std::invalid_argument(entry + " has an extent that is no small constant");
}

int register_bits(int bits) { return bits == 64 ? 64 : 32; }

}  // namespace

int Slots::coordinate(const std::string& name) const {
  const auto found = std::find(names.begin(), names.end(), name);
  return found == names.end() ? -1 : static_cast<int>(found - names.begin());
}

std::string Slots::describe(int slot) const {
  const int elem = slot % elems;
  const RegisterPlace place = register_place(elem, bits, register_bits(bits));
  std::string part = part_of_register(elem, bits, register_bits(bits));
  if (part == "low" || part == "high") part += " half";
  return "lane " + std::to_string(slot / elems) + ", register " + prefix +
         std::to_string(place.number) + (part.empty() ? "" : ", " + part) + " (element " +
         std::to_string(elem) + ")";
}

std::string Slots::place_text(const std::vector<int>& place) const {
  std::string text;
  for (std::size_t i = 0; i < place.size(); ++i) {
    text += (i == 0 ? "" : ", ") + names[i] + " " + std::to_string(place[i]);
  }
  return text;
}

RegisterImage Slots::blank() const {
  return RegisterImage(static_cast<std::size_t>(words() * lanes), 0);
}

void Slots::put(RegisterImage& image, int slot, std::uint64_t value) const {
  const int lane = slot / elems, bit = (slot % elems) * bits;
  const auto at = static_cast<std::size_t>((bit / 32) * lanes + lane);
  if (bits == 64) {
    image[at] = static_cast<std::uint32_t>(value);
    image[at + static_cast<std::size_t>(lanes)] = static_cast<std::uint32_t>(value >> 32);
    return;
  }
  const std::uint32_t mask = bits == 32 ? ~0U : (1U << bits) - 1;
  image[at] =
      (image[at] & ~(mask << bit % 32)) | ((static_cast<std::uint32_t>(value) & mask) << bit % 32);
}

std::uint64_t Slots::get(const std::uint32_t* image, int slot) const {
  const int lane = slot / elems, bit = (slot % elems) * bits;
  const auto at = static_cast<std::size_t>((bit / 32) * lanes + lane);
  if (bits == 64) {
    return image[at] | std::uint64_t{image[at + static_cast<std::size_t>(lanes)]} << 32;
  }
  const std::uint32_t mask = bits == 32 ? ~0U : (1U << bits) - 1;
  return (image[at] >> bit % 32) & mask;
}

Slots slots_of(const Spec& spec, const Map& fragment) {
  Slots slots;
  slots.entry = fragment.name;
  slots.status = fragment.provenance.status;
  const std::vector<Coordinate>& domain = fragment.domain.coordinates;
  if (domain.size() != 2 || fragment.element.width < 1) {
    throw std::invalid_argument(fragment.name + " is no register fragment");
  }
  Evaluator evaluator(spec, Shape{});
  slots.lanes = constant(evaluator, domain[0].extent, fragment.name);
  slots.elems = constant(evaluator, domain[1].extent, fragment.name);
  slots.bits = fragment.element.width;
  slots.prefix = "r";
  for (const std::string& part : parts_of(fragment.name)) {
    if (part[0] >= 'A' && part[0] <= 'D') slots.prefix = static_cast<char>(part[0] - 'A' + 'a');
  }
  for (const OutputDef& output : fragment.outputs) {
    slots.names.push_back(output.name);
    slots.extents.push_back(constant(evaluator, output.codomain, fragment.name));
  }
  const auto points = static_cast<std::size_t>(slots.count());
  std::vector<std::int64_t> lane(points), elem(points);
  for (std::size_t i = 0; i < points; ++i) {
    lane[i] = static_cast<std::int64_t>(i) / slots.elems;
    elem[i] = static_cast<std::int64_t>(i) % slots.elems;
  }
  const Values values =
      evaluator.apply(fragment, {Column(std::move(lane)), Column(std::move(elem))}, points);
  slots.places.resize(points);
  for (std::size_t i = 0; i < points; ++i) {
    if (values.at(i) != Outcome::Ok) {
      throw std::invalid_argument(fragment.name + " is undefined at " +
                                  slots.describe(static_cast<int>(i)));
    }
    for (const Column& member : values.members) {
      slots.places[i].push_back(static_cast<int>(member.at(i)));
    }
  }
  return slots;
}

}  // namespace fragproof::gpu
