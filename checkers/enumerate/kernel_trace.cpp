#include "checkers/enumerate/kernel_trace.h"

#include <algorithm>

#include "checkers/enumerate/kernel_uses.h"

namespace fragproof {

namespace {

constexpr std::int64_t most_cells = std::int64_t{1} << 23;  // operand cells held in memory

Evaluator::Options without_widths(Evaluator& of) {
  Evaluator::Options options = of.options();
  options.check_widths = false;
  options.corners = false;  // a kernel is judged at all its points
  if (options.points != INT64_MAX)
    options.points = std::max<std::int64_t>(0, options.points - of.points());
  return options;
}

int position(const std::vector<std::string>& names, const std::string& name) {
  const auto it = std::find(names.begin(), names.end(), name);
  return it == names.end() ? -1 : static_cast<int>(it - names.begin());
}

// False: the tensor has no extents (`undefined`) or is too large (`unknown`).
bool lay_out(Evaluator& evaluator, const Factor& factor, FactorTrace& out, std::string& undefined,
             std::string& unknown) {
  out.factor = &factor;
  out.width = factor.tensor->element.width;
  std::string reason;
  const std::optional<std::vector<Int>> extents = evaluator.extents(*factor.tensor, &reason);
  if (!extents) {
    undefined = "extents of " + factor.tensor->name + ": " + reason;
    return false;
  }
  Int bits = out.width;
  for (const Int extent : *extents) {
    if (extent > largest_tensor || !mul(bits, extent, bits) || bits > largest_tensor) {
      unknown = "tensor " + factor.tensor->name + " is too large to enumerate";
      return false;
    }
    out.extents.push_back(static_cast<std::int64_t>(std::max<Int>(extent, 1)));
  }
  out.stride.assign(out.extents.size(), 1);
  for (std::size_t i = out.extents.size(); i-- > 1;)
    out.stride[i - 1] = out.stride[i] * out.extents[i];
  out.base = evaluator.code(*factor.tensor, 0);
  out.end = out.base + static_cast<std::int64_t>(bits);
  if (out.base >> 48 >= most_tensors) {
    unknown = "more than " + std::to_string(most_tensors) + " tensors";
    return false;
  }
  return true;
}

}  // namespace

Trace::Trace(Evaluator& of, const Kernel& the_kernel)
    : evaluator(of.spec(), of.shape(), without_widths(of)),
      kernel(the_kernel),
      memories(evaluator) {}

bool Trace::prepare() {
  if (!kernel.mma || !kernel.store) {
    unknown = "kernel " + kernel.name + " has no `+=` or no `store`";
    return false;
  }
  const Mma& mma = *kernel.mma;
  a.grid = grid_of(evaluator, *mma.a, 'a', unknown);
  b.grid = grid_of(evaluator, *mma.b, 'b', unknown);
  c = grid_of(evaluator, *mma.c, 'c', unknown);
  if (!unknown.empty()) return false;
  if (b.grid.lanes != a.grid.lanes || c.lanes != a.grid.lanes) {
    unknown = "the fragments of " + mma.instruction + " have different numbers of lanes";
    return false;
  }
  b.is_a = false;
  a.value = &mma.value_a;
  b.value = &mma.value_b;
  rows = 1 + std::max(*std::max_element(a.grid.row.begin(), a.grid.row.end()),
                      *std::max_element(c.row.begin(), c.row.end()));
  cols = 1 + std::max(*std::max_element(b.grid.col.begin(), b.grid.col.end()),
                      *std::max_element(c.col.begin(), c.col.end()));
  depth = 1 + std::max(*std::max_element(a.grid.col.begin(), a.grid.col.end()),
                       *std::max_element(b.grid.row.begin(), b.grid.row.end()));

  if (!lay_out(evaluator, kernel.first, factors[0], undefined, unknown) ||
      !lay_out(evaluator, kernel.second, factors[1], undefined, unknown) ||
      !lay_out(evaluator, kernel.result, result, undefined, unknown)) {
    return unknown.empty();
  }
  same_tensor = kernel.first.tensor == kernel.second.tensor;
  for (const std::string& name : kernel.summed) {
    std::int64_t extent = 1;
    for (const FactorTrace& factor : factors) {
      const int at = position(factor.factor->indices, name);
      if (at >= 0) extent = std::max(extent, factor.extents[static_cast<std::size_t>(at)]);
    }
    summed.emplace_back(name, extent);
    if (extent > largest_tensor / k_count) {
      unknown = "the range of k is too large to enumerate";
      return false;
    }
    k_count *= extent;
  }
  for (FactorTrace& factor : factors) {
    std::int64_t outer = 1;
    factor.outer_stride.assign(factor.extents.size(), 0);
    factor.k_stride.assign(factor.extents.size(), 0);
    factor.result_position.assign(factor.extents.size(), -1);
    for (std::size_t i = factor.extents.size(); i-- > 0;) {
      const std::string& name = factor.factor->indices[i];
      factor.result_position[i] = position(kernel.result.indices, name);
      std::int64_t stride = 1;
      bool is_summed = false;
      for (std::size_t s = summed.size(); s-- > 0;) {
        if (summed[s].first == name) {
          factor.k_stride[i] = stride;
          is_summed = true;
        }
        stride *= summed[s].second;
      }
      if (!is_summed) {
        factor.outer_stride[i] = outer;
        outer *= factor.extents[i];
      }
    }
  }

  for (const Load* load : kernel.loads) {
    LoadTrace traced;
    traced.load = load;
    traced.bits = load->instruction != nullptr ? 128 : load->width;
    if (load->instruction != nullptr) {
      traced.grid = grid_of(evaluator, *load->instruction, 'r', unknown);
      if (unknown.empty() && traced.grid.lanes != a.grid.lanes) {
        unknown = "a load of " + std::to_string(traced.grid.lanes) +
                  " lanes in an instruction of " + std::to_string(a.grid.lanes);
      }
      if (!unknown.empty()) return false;
    }
    loads.push_back(std::move(traced));
  }

  owned_points = std::make_unique<KernelPoints>(evaluator, kernel, a.grid.lanes);
  points = owned_points.get();
  const std::int64_t cost =
      a.grid.lanes * static_cast<std::int64_t>(a.grid.elems + b.grid.elems + c.elems);
  points->walk(std::min(most_cells, evaluator.options().points) / cost);
  if (!points->unknown.empty()) {
    unknown = points->unknown;
    return false;
  }
  evaluator.spend(cost * static_cast<std::int64_t>(points->point_count()));
  const std::size_t tiles = points->tile_count();
  live_row.assign(tiles * m(), 0);
  live_col.assign(tiles * n(), 0);
  target.assign(tiles * m() * n(), -1);
  pair_out.assign(tiles * m() * n(), 0);
  store.assign(tiles * c.size(), Access::Failed);
  stored.assign(tiles * c.size(), -1);
  for (LoadTrace& load : loads) {
    load.access.assign(points->point_count() * lanes(), Access::Failed);
    load.address.assign(load.access.size(), 0);
    load.broken.assign(points->point_count(), 0);
  }
  return true;
}

}  // namespace fragproof
