// Tables: their extents, and the values of those that are given, in the text or in a file.
#include "spec/resolve.h"
#include "spec/table_file.h"

namespace fragproof {

void Resolver::table(Table& table) {
  for (Expr* extent : table.extents) {
    number(*extent);
    check_extent(*extent, "an extent of `" + table.name + "`");
  }
  if (table.range != nullptr) {
    number(*table.range);
    check_extent(*table.range, "the range of `" + table.name + "`");
  }
  if (!table.has_values) return;
  if (table.file.empty()) {
    table_values(table);
  } else {
    table_file(table);
  }
}

void Resolver::table_values(Table& table) {
  table.numbers.reserve(table.values.size());
  for (Expr* entry : table.values) {
    number(*entry);
    if (entry->type.kind == Type::Kind::Unknown) return;
    const std::optional<Int> value = constant(*entry);
    if (!value) {
      error(entry->where, "the values of a table are constants, " + quote(*entry) + " is none");
      return;
    }
    table.numbers.push_back(*value);
  }
  check_table(table);
}

void Resolver::table_file(Table& table) {
  std::string failure;
  const std::optional<std::string> bytes = host_.read(table.file, table.where, failure);
  if (!bytes) {
    error(table.where, "cannot read `" + table.file + "`: " + failure);
    return;
  }
  TableFile read = read_table(table.file, *bytes);
  if (!read.error.empty()) {
    error(table.where, "`" + table.file + "`: " + read.error);
    return;
  }
  if (read.shape.size() > 1 && read.shape.size() != table.extents.size()) {
    error(table.where, "`" + table.file + "` has " + std::to_string(read.shape.size()) +
                           " dimensions, `" + table.name + "` has " +
                           std::to_string(table.extents.size()));
    return;
  }
  for (std::size_t i = 0; read.shape.size() > 1 && i < read.shape.size(); ++i) {
    const std::optional<Int> extent = constant(*table.extents[i]);
    if (extent && *extent != read.shape[i]) {
      error(table.extents[i]->where, "dimension " + std::to_string(i) + " of `" + table.file +
                                         "` is " + to_string(read.shape[i]) + ", of `" +
                                         table.name + "` " + to_string(*extent));
      return;
    }
  }
  table.numbers = std::move(read.values);
  check_table(table);
}

void Resolver::check_table(Table& table) {
  Int entries = 1;
  bool known = true;
  for (const Expr* extent : table.extents) {
    const std::optional<Int> value = constant(*extent);
    known = known && value && mul(entries, *value, entries);
  }
  if (known && entries != static_cast<Int>(table.numbers.size())) {
    error(table.where, std::to_string(table.numbers.size()) +
                           (table.numbers.size() == 1 ? " value for " : " values for ") +
                           to_string(entries) + (entries == 1 ? " entry" : " entries"));
    return;
  }
  // Two plain values, not an optional: GCC 12 takes its value for uninitialised in the loop.
  bool bounded = false;
  Int range = 0;
  if (table.range != nullptr) {
    if (const std::optional<Int> value = constant(*table.range)) {
      bounded = true;
      range = *value;
    }
  }
  for (std::size_t i = 0; i < table.numbers.size(); ++i) {
    const Int value = table.numbers[i];
    if (value >= 0 && (!bounded || value < range)) continue;
    error(i < table.values.size() ? table.values[i]->where : table.where,
          "entry " + std::to_string(i) + " of `" + table.name + "` is " + to_string(value) +
              (bounded ? ", outside 0.." + to_string(range - 1)
                       : ": the values of a table are at least 0"));
    return;
  }
}

}  // namespace fragproof
