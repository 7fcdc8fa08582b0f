#include "checkers/enumerate/kernel_show.h"

#include <algorithm>

#include "checkers/enumerate/kernel_trace.h"
#include "checkers/enumerate/kernel_words.h"

namespace fragproof {

namespace {

bool agrees(const NamedValues& point, const NamedValues& wanted) {
  return std::all_of(wanted.begin(), wanted.end(), [&](const auto& want) {
    return std::all_of(point.begin(), point.end(), [&](const auto& have) {
      return have.first != want.first || have.second == want.second;
    });
  });
}

// The first point that agrees with `at`; `unknown` says so where there is none.
std::size_t first_point(const Trace& trace, const NamedValues& at, std::string& unknown) {
  const KernelPoints& points = *trace.points;
  std::size_t point = 0;
  while (point < points.point_count() && !agrees(points.at_point(point), at)) ++point;
  if (point == points.point_count()) {
    unknown = point == 0 ? "kernel " + trace.kernel.name +
                               " has no point of parallel and reduce at this shape"
                         : "no point of parallel and reduce is" + at_text(at).substr(3);
  }
  return point;
}

}  // namespace

LoadTable table_of_load(Evaluator& evaluator, const Kernel& kernel, const Load& load,
                        const std::vector<int>& lanes, const NamedValues& at) {
  LoadTable table;
  KernelJudge judge(evaluator, kernel);
  Trace* trace = judge.trace();
  if (trace == nullptr) {
    table.unknown = judge.unknown();
    return table;
  }
  const auto traced = std::find_if(trace->loads.begin(), trace->loads.end(),
                                   [&](const LoadTrace& one) { return one.load == &load; });
  if (traced == trace->loads.end()) {
    table.unknown = "load " + load.name + " is none of kernel " + kernel.name;
    return table;
  }
  const std::size_t point = first_point(*trace, at, table.unknown);
  if (!table.unknown.empty()) return table;
  table.at = trace->points->at_point(point);
  table.title = "load " + load.name + " of kernel " + kernel.name + ": " +
                std::to_string(load.width / 8) + " bytes a lane" + at_text(table.at);

  const int granule = load_granule(*trace, load);
  std::vector<std::int64_t> codes;
  load_codes(*trace, *traced, trace->points->one_point(point), 0, point, granule, codes);
  const std::size_t per = static_cast<std::size_t>(load.width / granule);
  for (const int lane : lanes) {
    if (lane < 0 || lane >= static_cast<int>(trace->lanes())) continue;
    const std::int64_t* held = &codes[static_cast<std::size_t>(lane) * per];
    int elem = 0;
    for (std::size_t i = 0; i < per;) {
      // A piece ends with its tensor element; zeros and holes are as wide as the operand's
      // elements.
      int width = trace->a.grid.width;
      if (held[i] >= 0) {
        const BitRun run = trace->evaluator.origin(held[i], 1);
        width = run.array->element.width - static_cast<int>(run.bit % run.array->element.width);
      } else if (load.from.array->element.width < width) {
        width = load.from.array->element.width;
      }
      std::size_t end = i + 1;
      while (end < per && static_cast<int>(end - i) * granule < width &&
             held[end] == (held[i] < 0 ? held[i] : held[end - 1] + granule)) {
        ++end;
      }
      HeldPiece piece;
      piece.lane = lane;
      piece.elem = elem++;
      piece.first_bit = static_cast<int>(i) * granule;
      piece.last_bit = static_cast<int>(end) * granule - 1;
      piece.reg = "r" + std::to_string(piece.first_bit / 32);
      piece.content = held_runs(*trace, held + i, end - i, granule)[0].text;
      table.pieces.push_back(std::move(piece));
      i = end;
    }
  }
  return table;
}

TileTable table_of_tile(Evaluator& evaluator, const Kernel& kernel, const Array& tile,
                        const NamedValues& at, std::size_t most) {
  TileTable table;
  KernelJudge judge(evaluator, kernel);
  Trace* trace = judge.trace();
  if (trace == nullptr) {
    table.unknown = judge.unknown();
    return table;
  }
  const std::size_t point = first_point(*trace, at, table.unknown);
  if (!table.unknown.empty()) return table;
  table.at = trace->points->at_point(point);
  bool is_new = false;
  const Memory& memory = trace->memories.shared(tile, trace->points->one_point(point), 0, is_new);
  table.unknown = memory.unknown;
  for (const auto* fault : {&memory.bounds, &memory.storage}) {
    if (*fault) table.faults.push_back((*fault)->text);
  }
  std::string reason;
  const auto extents = trace->evaluator.extents(tile, &reason);
  if (!extents) table.unknown = tile.name + ": " + reason;
  if (!table.unknown.empty()) return table;

  const auto per = static_cast<std::size_t>(tile.element.width / memory.granule);
  for (std::size_t i = 0; (i + 1) * per <= memory.codes.size(); ++i) {
    if (i == most) {
      table.cut = true;
      break;
    }
    TileTable::Place place;
    place.index.resize(extents->size());
    auto rest = static_cast<Int>(i);
    for (std::size_t d = extents->size(); d-- > 0;) {
      place.index[d] = rest % (*extents)[d];
      rest /= (*extents)[d];
    }
    for (const HeldRun& run : held_runs(*trace, &memory.codes[i * per], per, memory.granule)) {
      place.content += (place.content.empty() ? "" : ", ") + run.text;
    }
    table.places.push_back(std::move(place));
  }
  return table;
}

std::string describe_loads(const LoadTable& table) {
  if (!table.unknown.empty()) return table.unknown + "\n";
  std::string text = table.title + "\n";
  for (std::size_t i = 0; i < table.pieces.size(); ++i) {
    const bool first = i == 0 || table.pieces[i].lane != table.pieces[i - 1].lane;
    if (first)
      text +=
          std::string(i == 0 ? "" : "\n") + "lane " + std::to_string(table.pieces[i].lane) + ":";
    text += " " + table.pieces[i].content;
  }
  return text + "\n";
}

KPermutation k_permutation(Evaluator& evaluator, const Kernel& kernel) {
  KPermutation result;
  KernelJudge judge(evaluator, kernel);
  const KernelVerdict verdict = judge.judge(Obligation::Pairing);
  Trace* trace = judge.trace();
  if (verdict.unknown || trace == nullptr) {
    result.unknown = judge.unknown();
    return result;
  }
  if (trace->points->tile_count() == 0) {
    result.unknown = "kernel " + kernel.name + " has no tile at this shape";
    return result;
  }
  result.tile = trace->points->at_tile(0);
  result.slots.resize(static_cast<std::size_t>(trace->depth));
  for (std::int32_t slot = 0; slot < trace->depth; ++slot) {
    for (std::size_t point = trace->points->first[0]; point < trace->points->first[1]; ++point) {
      const std::int64_t k = held_k(*trace, trace->a, point, slot);
      result.slots[static_cast<std::size_t>(slot)].push_back(
          k >= 0 ? k : held_k(*trace, trace->b, point, slot));
    }
  }
  return result;
}

std::string describe(const KPermutation& permutation, std::size_t most) {
  if (!permutation.unknown.empty()) return permutation.unknown;
  std::string text;
  for (std::size_t slot = 0; slot < permutation.slots.size(); ++slot) {
    text += (slot == 0 ? "slot " : "; slot ") + std::to_string(slot) + ":";
    const std::vector<Int>& ks = permutation.slots[slot];
    for (std::size_t i = 0; i < ks.size() && i < most; ++i) {
      text += (i == 0 ? " " : ", ") + (ks[i] < 0 ? std::string("none") : to_string(ks[i]));
    }
    if (ks.size() > most) text += ", ..";
  }
  return text;
}

}  // namespace fragproof
