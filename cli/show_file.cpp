// `show FILE.layout NAME`: a kernel's load, a fragment, a map or a pack of a file, at one shape.
#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "checkers/enumerate/kernel_show.h"
#include "checkers/enumerate/shape_search.h"
#include "checkers/enumerate/table_choices.h"
#include "checkers/enumerate/uses.h"
#include "cli/fragments.h"
#include "cli/inputs.h"
#include "cli/output.h"
#include "cli/show.h"
#include "cli/suggest.h"
#include "reports/phrase.h"

namespace fragproof::cli {
namespace {

constexpr std::size_t most_rows = 1 << 16;  // of a map or pack, in any format but text
constexpr std::size_t most_lines = 256;     // of them, in text

// What a name of the file stands for.
struct Shown {
  const Map* map = nullptr;
  const Array* pack = nullptr;
  const Kernel* kernel = nullptr;
  const Load* load = nullptr;
  const Array* tile = nullptr;  // shared, of `kernel`
};

std::vector<std::string> names_in(const Spec& spec) {
  std::vector<std::string> names;
  for (const Kernel* kernel : spec.kernels) {
    for (const Load* load : kernel->loads) names.push_back(kernel->name + "." + load->name);
    for (const Array* tile : kernel->shared) names.push_back(kernel->name + "." + tile->name);
  }
  for (const Array* array : spec.arrays) {
    if (array->kind == Array::Kind::Pack && !array->hidden) names.push_back(array->name);
  }
  for (const Map* map : spec.maps) names.push_back(map->name);
  return names;
}

Shown find(const Spec& spec, const std::string& path, const std::string& name) {
  Shown shown;
  for (const Map* map : spec.maps) {
    if (map->name == name) shown.map = map;
  }
  for (const Array* array : spec.arrays) {
    if (array->name == name && array->kind == Array::Kind::Pack) shown.pack = array;
  }
  for (const Kernel* kernel : spec.kernels) {
    for (const Load* load : kernel->loads) {
      if (kernel->name + "." + load->name != name) continue;
      shown.kernel = kernel;
      shown.load = load;
    }
  }
  if (shown.map != nullptr || shown.pack != nullptr || shown.load != nullptr) return shown;
  std::vector<std::string> tiles;
  for (const Kernel* kernel : spec.kernels) {
    for (const Array* tile : kernel->shared) {
      const std::string full = kernel->name + "." + tile->name;
      if (name != full && name != tile->name) continue;
      shown.kernel = kernel;
      shown.tile = tile;
      tiles.push_back(full);
    }
  }
  if (tiles.size() > 1)
    throw Failure{fmt::format("several kernels have a tile {}: say {}", name, alternatives(tiles))};
  if (shown.tile != nullptr) return shown;
  const std::vector<std::string> names = names_in(spec);
  const std::string known = names.empty() ? "it has no loads, tiles, packs or maps"
                                          : fmt::format("it has {}", fmt::join(names, ", "));
  if (name.empty()) throw Failure{fmt::format("say what to show of {}: {}", path, known)};
  const std::string meant = did_you_mean(name, names);
  throw Failure{fmt::format("{} has no load, tile, pack or map {}{}", path, name,
                            meant.empty() ? "; " + known : meant)};
}

// `--at` in two parts: sizes of the file, and indices of the kernel (which may be 0).
struct Point {
  std::vector<std::pair<const Variable*, Int>> sizes;
  NamedValues indices;
};

Point parse_point(const std::string& text, const Spec& spec, const Kernel* kernel) {
  Point point;
  if (text.empty()) return point;
  std::vector<std::string> known;
  for (const Variable* size : spec.sizes) known.push_back(size->name);
  if (kernel != nullptr) {
    for (const auto* domain : {&kernel->parallel, &kernel->reduce}) {
      if (!domain->has_value()) continue;
      for (const Coordinate& coordinate : (*domain)->coordinates) known.push_back(coordinate.name);
    }
  }
  for (const auto& [name, value] : parse_values(text)) {
    const auto size =
        std::find_if(spec.sizes.begin(), spec.sizes.end(),
                     [&, &name = name](const Variable* v) { return v->name == name; });
    if (size != spec.sizes.end()) {
      if (value < 1)
        throw Failure{fmt::format("--at {}={}: a size is at least 1", name, to_string(value))};
      point.sizes.emplace_back(*size, value);
    } else if (std::find(known.begin(), known.end(), name) != known.end()) {
      point.indices.emplace_back(name, value);
    } else {
      throw Failure{
          fmt::format("--at: no size or index named {}{}", name, did_you_mean(name, known))};
    }
  }
  return point;
}

// The smallest sizes (and some tables) that satisfy the requires, with those that the user gave.
Shape shape_for(const Spec& spec, const Shown& shown, const Point& point) {
  std::vector<const Expr*> conjuncts;
  for (const Expr* require : spec.requires_) split_conjuncts(require, conjuncts);
  if (shown.kernel != nullptr) {
    for (const Expr* require : shown.kernel->requires_) split_conjuncts(require, conjuncts);
  }
  const std::vector<const Variable*> sizes(spec.sizes.begin(), spec.sizes.end());
  ShapeSearch search(spec, sizes, conjuncts, point.sizes, 2'000'000, nullptr);
  const std::vector<SizeVector> vectors = search.next(1);
  if (vectors.empty()) {
    throw Failure{point.sizes.empty() ? "no small sizes satisfy the requires: give some with --at"
                                      : "no such sizes satisfy the requires"};
  }
  if (vectors[0].undefined != nullptr) throw Failure{"a require is undefined at these sizes"};
  Shape shape;
  for (std::size_t i = 0; i < search.sizes().size(); ++i) {
    shape.sizes.emplace_back(search.sizes()[i], vectors[0].values[i]);
  }
  std::vector<const Table*> open;
  for (const Table* table : spec.tables) {
    if (!table->has_values) open.push_back(table);
  }
  if (!open.empty()) {
    Evaluator evaluator(spec, shape);
    const TableChoices tables = choose_tables(evaluator, open, search.late(), 1);
    if (!tables.choices.empty()) shape.tables = tables.choices.front();
  }
  return shape;
}

std::vector<std::string> notes_of(const Spec& spec, const Shape& shape, const NamedValues& at) {
  NamedValues sizes;
  for (const auto& [size, value] : shape.sizes) sizes.emplace_back(size->name, value);
  std::vector<std::string> notes;
  if (!spec.sizes.empty()) notes.push_back("at " + values_phrase(sizes));
  if (!at.empty()) notes.push_back("at " + values_phrase(at));
  Counterexample tables;  // for its wording
  for (const auto& [table, values] : shape.tables) tables.tables.emplace_back(table->name, values);
  if (!tables.tables.empty()) notes.push_back("with " + tables_phrase(tables));
  return notes;
}

// Throws Failure when the point that is shown is not the one that was asked for.
void expect_taken(const NamedValues& asked, const NamedValues& shown) {
  for (const auto& value : asked) {
    if (std::find(shown.begin(), shown.end(), value) == shown.end())
      throw Failure{fmt::format("--at: {}={} is outside the kernel's indices at these sizes",
                                value.first, to_string(value.second))};
  }
}

// ---- a load
// ---------------------------------------------------------------------------------------------

void show_load(Evaluator& evaluator, const Shown& shown, const Point& point,
               const std::string& lanes, const ShowFormats& formats) {
  const int warp = [&] {
    const auto& mma = shown.kernel->mma;
    if (!mma || mma->a == nullptr || mma->a->domain.coordinates.empty()) return 32;
    const Expr* extent = mma->a->domain.coordinates[0].extent;
    const Scalar count = extent == nullptr ? Scalar{} : evaluator.scalar(*extent);
    return count.outcome == Outcome::Ok && count.value > 0 && count.value <= 1024
               ? static_cast<int>(count.value)
               : 32;
  }();
  const std::vector<int> wanted =
      parse_lanes(lanes.empty() ? fmt::format("0-{}", warp - 1) : lanes);
  if (wanted.back() >= warp)
    throw Failure{fmt::format("--lanes {}: lanes are 0..{}", lanes, warp - 1)};
  const LoadTable table =
      table_of_load(evaluator, *shown.kernel, *shown.load, wanted, point.indices);
  if (!table.unknown.empty())
    throw Failure{shown.kernel->name + "." + shown.load->name + ": " + table.unknown};
  expect_taken(point.indices, table.at);
  std::vector<std::string> notes = notes_of(evaluator.spec(), evaluator.shape(), table.at);
  if (!formats.csv.empty()) {
    ValueTable values;
    values.columns = {"lane", "elem", "register", "bit", "content"};
    for (const HeldPiece& piece : table.pieces) {
      values.rows.push_back({std::to_string(piece.lane), std::to_string(piece.elem), piece.reg,
                             std::to_string(piece.first_bit % 32), piece.content});
    }
    ShowFormats only_csv;
    only_csv.csv = formats.csv;
    write_values(values, only_csv);
  }
  LayoutTable layout;
  layout.title = fmt::format("load {} of kernel {}", shown.load->name, shown.kernel->name);
  layout.notes = std::move(notes);
  layout.lanes = warp;
  for (const HeldPiece& piece : table.pieces) {
    layout.bits = piece.last_bit - piece.first_bit + 1;
    layout.elems = std::max(layout.elems, piece.elem + 1);
    layout.cells.push_back(
        {piece.lane, piece.elem, piece.reg, piece.first_bit % 32, {}, piece.content});
  }
  if (!formats.any()) {
    // Eight elements a lane fit 80 columns without the blanks.
    for (LayoutCell& cell : layout.cells) std::erase(cell.text, ' ');
  }
  ShowFormats others = formats;
  others.csv.clear();
  if (formats.csv.empty() || others.any()) write_layout(layout, others);
}

// ---- tiles, maps and packs
// -----------------------------------------------------------------------------------------

std::size_t row_limit(const ShowFormats& formats) { return formats.any() ? most_rows : most_lines; }

void show_tile(Evaluator& evaluator, const Shown& shown, const Point& point,
               const ShowFormats& formats) {
  const std::size_t limit = row_limit(formats);
  const TileTable tile = table_of_tile(evaluator, *shown.kernel, *shown.tile, point.indices, limit);
  const std::string full = shown.kernel->name + "." + shown.tile->name;
  if (!tile.unknown.empty()) throw Failure{full + ": " + tile.unknown};
  expect_taken(point.indices, tile.at);
  ValueTable table;
  table.title = fmt::format("tile {} of kernel {}", shown.tile->name, shown.kernel->name);
  table.notes = notes_of(evaluator.spec(), evaluator.shape(), tile.at);
  for (const std::string& fault : tile.faults) table.notes.push_back("wrong: " + fault);
  table.columns = {"place", "index", "content"};
  for (std::size_t i = 0; i < tile.places.size(); ++i) {
    std::string index;
    for (const Int part : tile.places[i].index)
      index += (index.empty() ? "" : ", ") + to_string(part);
    table.rows.push_back(
        {std::to_string(i), shown.tile->name + "[" + index + "]", tile.places[i].content});
  }
  if (tile.cut) table.left_out = fmt::format("only the first {} places", limit);
  write_values(table, formats);
}

void show_map(Evaluator& evaluator, const Map& map, const ShowFormats& formats) {
  ValueTable table;
  table.title = "map " + map.name;
  table.notes = notes_of(evaluator.spec(), evaluator.shape(), {});
  for (const std::string& formula : formulas(map)) table.notes.push_back(formula);
  std::vector<const Variable*> coordinates;
  for (const Coordinate& coordinate : map.domain.coordinates) {
    table.columns.push_back(coordinate.name);
    coordinates.push_back(coordinate.variable);
  }
  for (const OutputDef& output : map.outputs) table.columns.push_back(output.name);
  const std::size_t limit = row_limit(formats);
  const Walk walk = evaluator.walk(map.domain, Batch{}, [&](const Batch& batch) {
    std::vector<Column> arguments;
    for (const Variable* coordinate : coordinates) {
      std::vector<std::int64_t> column(batch.size);
      for (std::size_t i = 0; i < batch.size; ++i) {
        column[i] = static_cast<std::int64_t>(batch.value(coordinate, i));
      }
      arguments.emplace_back(std::move(column));
    }
    const Values values = evaluator.apply(map, std::move(arguments), batch.size);
    for (std::size_t i = 0; i < batch.size && table.rows.size() < limit; ++i) {
      std::vector<std::string> row;
      for (const Variable* coordinate : coordinates)
        row.push_back(to_string(batch.value(coordinate, i)));
      for (std::size_t o = 0; o < map.outputs.size(); ++o) {
        const bool ok = values.at(i) == Outcome::Ok && o < values.members.size();
        row.push_back(ok ? to_string(values.members[o].at(i)) : "undefined");
      }
      table.rows.push_back(std::move(row));
    }
    return table.rows.size() < limit;
  });
  if (!walk.reason.empty()) table.notes.push_back(walk.reason);
  if (walk.end != Walk::End::Complete) {
    table.left_out = fmt::format("only the first {} points", table.rows.size());
  } else if (walk.truncated) {
    table.left_out = "coordinates without an extent are shown from 0 on only";
  }
  write_values(table, formats);
}

void show_fragment(Evaluator& evaluator, const Map& map, const std::string& lanes,
                   const ShowFormats& formats) {
  const FragmentTable table = tabulate(evaluator, map);
  LayoutTable layout = layout_of(table, "fragment " + map.name, "r");
  layout.notes = notes_of(evaluator.spec(), evaluator.shape(), {});
  for (const std::string& formula : formulas(map)) layout.notes.push_back(formula);
  write_layout(only_lanes(std::move(layout), lanes), formats);
}

void show_pack(Evaluator& evaluator, const Array& pack, const ShowFormats& formats) {
  ValueTable table;
  table.title = "pack " + pack.name;
  table.notes = notes_of(evaluator.spec(), evaluator.shape(), {});
  table.columns = {"place", "content"};
  const Image& image = evaluator.image(pack);
  if (image.outcome != Outcome::Ok) throw Failure{pack.name + ": " + image.reason};
  const std::size_t limit = row_limit(formats);
  for (std::size_t i = 0; i < image.cells.size(); ++i) {
    if (table.rows.size() == limit) {
      table.left_out = fmt::format("only the first {} of {} places", limit, image.cells.size());
      break;
    }
    table.rows.push_back({std::to_string(i), evaluator.describe(image.code(i), image.granule)});
  }
  table.notes.push_back(fmt::format("places of {} bits, in order", image.granule));
  write_values(table, formats);
}

}  // namespace

void show_of_file(const std::string& path, const std::string& name, const std::string& at,
                  const std::string& lanes, const ShowFormats& formats) {
  const std::vector<Input> inputs = read_inputs({path});
  const Input& input = inputs.front();
  expect_writable(formats.outputs(), input.files_read);
  if (!input.spec) {
    std::string text = diagnostics_text(input);
    while (!text.empty() && text.back() == '\n') text.pop_back();
    throw Failure{text.empty() ? path + " cannot be read" : path + " cannot be read\n" + text};
  }
  const Shown shown = find(*input.spec, path, name);
  const Point point = parse_point(at, *input.spec, shown.kernel);
  Evaluator::Options options;
  options.check_widths = false;
  Evaluator evaluator(*input.spec, shape_for(*input.spec, shown, point), options);
  const bool has_lanes = shown.load != nullptr || (shown.map != nullptr && shown.map->is_fragment);
  if (!has_lanes && !lanes.empty()) throw Failure{"--lanes: " + name + " has no lanes"};
  if (shown.load != nullptr) {
    show_load(evaluator, shown, point, lanes, formats);
  } else if (shown.tile != nullptr) {
    show_tile(evaluator, shown, point, formats);
  } else if (shown.pack != nullptr) {
    show_pack(evaluator, *shown.pack, formats);
  } else if (shown.map->is_fragment) {
    show_fragment(evaluator, *shown.map, lanes, formats);
  } else {
    show_map(evaluator, *shown.map, formats);
  }
}

}  // namespace fragproof::cli
