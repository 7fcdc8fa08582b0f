// Where an element of a lane sits in its registers: see register.h.
#include "checkers/enumerate/register.h"

namespace fragproof {

int register_bits(int width) { return width == 64 ? 64 : 32; }

std::string register_name(const std::string& letter, int elem, int width) {
  return letter + std::to_string(elem * width / register_bits(width));
}

std::string half_name(int elem, int width) {
  const int bits = register_bits(width);
  if (width >= bits) return "";
  const int part = elem * width % bits / width;
  switch (width) {
    case 16:
      return part == 0 ? "low" : "high";
    case 8:
      return "byte " + std::to_string(part);
    case 4:
      return "nibble " + std::to_string(part);
    case 1:
      return "bit " + std::to_string(part);
    default:
      return "part " + std::to_string(part);
  }
}

std::string register_letter(const Map& fragment) {
  const std::string& name = fragment.name;
  if (name.size() > 2 && name[name.size() - 2] == '.') {
    switch (name.back()) {
      case 'A':
        return "a";
      case 'B':
        return "b";
      case 'C':
        return "c";
      default:
        break;
    }
  }
  return "r";
}

void locate(Counterexample& counterexample, const Map& fragment, Int lane, Int elem) {
  if (lane < 0 || elem < 0 || lane > 1'000'000 || elem > 1'000'000) return;
  counterexample.lane = static_cast<int>(lane);
  counterexample.elem = static_cast<int>(elem);
  const int width = fragment.element.width;
  if (width <= 0) return;
  counterexample.reg = register_name(register_letter(fragment), *counterexample.elem, width);
  counterexample.half = half_name(*counterexample.elem, width);
}

}  // namespace fragproof
