// The matrix moves, worked out from the ISA's prose and figures (9.2, sections 9.7.14.5.15 to .17)
// by carrying the elements of small matrices from place to place, and the literal rows.
#include <utility>

#include "spec/tests/golden.h"

namespace fragproof::golden {
namespace {

struct Holder {
  int thread;
  int half;
};

// "Each thread in a warp loads fragments of a row, with thread 0 receiving the first fragment [..]
// A group of four threads loads an entire row": element after element of an 8x8 matrix, two to a
// thread.
std::vector<std::vector<Holder>> holders() {
  std::vector<std::vector<Holder>> matrix;
  int thread = 0;
  for (int row = 0; row < 8; ++row) {
    std::vector<Holder> line;
    for (int fragment = 0; fragment < 4; ++fragment, ++thread) {
      line.push_back({thread, 0});
      line.push_back({thread, 1});
    }
    matrix.push_back(std::move(line));
  }
  return matrix;
}

// Matrix number j arrives in register j. Its rows are at addresses 8j .. 8j+7; ".trans indicates
// that the matrix is loaded in column-major format": what the figure shows at (row, col) is then
// element (col, row) of memory.
Fragment move(std::string name, int matrices, bool trans) {
  Fragment fragment{std::move(name), 2 * matrices, 16, {8 * matrices, 8}, {}};
  fragment.places.assign(32, std::vector<Place>(static_cast<std::size_t>(2 * matrices)));
  const auto figure = holders();
  for (int matrix = 0; matrix < matrices; ++matrix) {
    for (int row = 0; row < 8; ++row) {
      for (int col = 0; col < 8; ++col) {
        const Holder holder =
            figure.at(static_cast<std::size_t>(row)).at(static_cast<std::size_t>(col));
        const int stored_row = trans ? col : row;
        const int stored_col = trans ? row : col;
        fragment.places.at(static_cast<std::size_t>(holder.thread))
            .at(static_cast<std::size_t>(2 * matrix + holder.half)) = {8 * matrix + stored_row,
                                                                       stored_col};
      }
    }
  }
  return fragment;
}

// movmatrix: source and result are both held as the figure shows; the result is the transpose of
// the source.
Fragment movmatrix() {
  Fragment fragment{"movmatrix.trans", 2, 16, {32, 2}, {}};
  fragment.places.assign(32, std::vector<Place>(2));
  const auto figure = holders();
  for (std::size_t row = 0; row < 8; ++row) {
    for (std::size_t col = 0; col < 8; ++col) {
      const Holder to = figure.at(row).at(col);    // of element (row, col) of the result
      const Holder from = figure.at(col).at(row);  // of element (col, row) of the source
      fragment.places.at(static_cast<std::size_t>(to.thread))
          .at(static_cast<std::size_t>(to.half)) = {from.thread, from.half};
    }
  }
  return fragment;
}

// "The addresses of threads 0-7 are the rows of the first matrix, 8-15 of the second", and so on.
Fragment addresses(const std::string& name, int matrices) {
  Fragment fragment{name + ".addr", 1, 32, {matrices, 8}, {}};
  for (int matrix = 0; matrix < matrices; ++matrix) {
    for (int row = 0; row < 8; ++row) fragment.places.push_back({{matrix, row}});
  }
  return fragment;
}

// Source and result of movmatrix, where the source holds the figure's matrix.
std::vector<Fragment> movmatrix_sides() {
  Fragment source{"movmatrix.trans.src", 2, 16, {8, 8}, {}};
  source.places.assign(32, std::vector<Place>(2));
  Fragment result = source;
  result.name = "movmatrix.trans.dst";
  const auto figure = holders();
  for (int row = 0; row < 8; ++row) {
    for (int col = 0; col < 8; ++col) {
      const Holder holder =
          figure.at(static_cast<std::size_t>(row)).at(static_cast<std::size_t>(col));
      const auto at = [&](Fragment& fragment) -> Place& {
        return fragment.places.at(static_cast<std::size_t>(holder.thread))
            .at(static_cast<std::size_t>(holder.half));
      };
      at(source) = {row, col};
      at(result) = {col, row};
    }
  }
  return {source, result};
}

}  // namespace

std::vector<Fragment> move_fragments() {
  std::vector<Fragment> all;
  for (const std::string base : {"ldmatrix", "stmatrix"}) {
    for (const int matrices : {1, 2, 4}) {
      const std::string name = base + ".x" + std::to_string(matrices);
      all.push_back(move(name, matrices, false));
      all.push_back(move(name + ".trans", matrices, true));
      all.push_back(addresses(name, matrices));
      all.push_back(addresses(name + ".trans", matrices));
    }
  }
  all.push_back(movmatrix());
  for (Fragment& side : movmatrix_sides()) all.push_back(std::move(side));
  return all;
}

std::vector<Row> literal_rows() {
  return {
      {"mma.m16n8k16.b16.A", 0, {{0, 0}, {0, 1}, {8, 0}, {8, 1}, {0, 8}, {0, 9}, {8, 8}, {8, 9}}},
      {"mma.m16n8k16.b16.A",
       5,
       {{1, 2}, {1, 3}, {9, 2}, {9, 3}, {1, 10}, {1, 11}, {9, 10}, {9, 11}}},
      {"mma.m16n8k16.b16.A",
       31,
       {{7, 6}, {7, 7}, {15, 6}, {15, 7}, {7, 14}, {7, 15}, {15, 14}, {15, 15}}},
      {"mma.m16n8k16.b16.B", 5, {{2, 1}, {3, 1}, {10, 1}, {11, 1}}},
      {"mma.m16n8k16.b16.B", 30, {{4, 7}, {5, 7}, {12, 7}, {13, 7}}},
      {"mma.m16n8k16.b16.C", 5, {{1, 2}, {1, 3}, {9, 2}, {9, 3}}},
      {"mma.m16n8k8.b16.A", 9, {{2, 2}, {2, 3}, {10, 2}, {10, 3}}},
      {"mma.m16n8k8.b16.B", 9, {{2, 2}, {3, 2}}},
      {"mma.m16n8k8.tf32.A", 5, {{1, 1}, {9, 1}, {1, 5}, {9, 5}}},
      {"mma.m16n8k8.tf32.B", 5, {{1, 1}, {5, 1}}},
      {"mma.m16n8k8.tf32.C", 31, {{7, 6}, {7, 7}, {15, 6}, {15, 7}}},
      {"mma.m16n8k4.tf32.A", 14, {{3, 2}, {11, 2}}},
      {"mma.m16n8k4.tf32.B", 14, {{2, 3}}},
      {"mma.m16n8k16.f64.A",
       6,
       {{1, 2}, {9, 2}, {1, 6}, {9, 6}, {1, 10}, {9, 10}, {1, 14}, {9, 14}}},
      {"mma.m16n8k16.f64.B", 6, {{2, 1}, {6, 1}, {10, 1}, {14, 1}}},
      {"mma.m8n8k4.f64.C", 7, {{1, 6}, {1, 7}}},
      {"mma.m8n8k16.b8.A", 3, {{0, 12}, {0, 13}, {0, 14}, {0, 15}}},
      {"mma.m16n8k16.b8.A", 5, {{1, 4}, {1, 5}, {1, 6}, {1, 7}, {9, 4}, {9, 5}, {9, 6}, {9, 7}}},
      {"mma.m16n8k32.b8.B",
       18,
       {{8, 4}, {9, 4}, {10, 4}, {11, 4}, {24, 4}, {25, 4}, {26, 4}, {27, 4}}},
      {"mma.m16n8k32.b4.B",
       2,
       {{16, 0}, {17, 0}, {18, 0}, {19, 0}, {20, 0}, {21, 0}, {22, 0}, {23, 0}}},
      {"mma.m16n8k64.b4.B",
       1,
       {{8, 0},
        {9, 0},
        {10, 0},
        {11, 0},
        {12, 0},
        {13, 0},
        {14, 0},
        {15, 0},
        {40, 0},
        {41, 0},
        {42, 0},
        {43, 0},
        {44, 0},
        {45, 0},
        {46, 0},
        {47, 0}}},
      {"ldmatrix.x1", 5, {{1, 2}, {1, 3}}},
      {"ldmatrix.x1.trans", 5, {{2, 1}, {3, 1}}},
      {"ldmatrix.x2", 31, {{7, 6}, {7, 7}, {15, 6}, {15, 7}}},
      {"ldmatrix.x2.trans", 1, {{2, 0}, {3, 0}, {10, 0}, {11, 0}}},
      {"ldmatrix.x4", 1, {{0, 2}, {0, 3}, {8, 2}, {8, 3}, {16, 2}, {16, 3}, {24, 2}, {24, 3}}},
      {"stmatrix.x4.trans",
       4,
       {{0, 1}, {1, 1}, {8, 1}, {9, 1}, {16, 1}, {17, 1}, {24, 1}, {25, 1}}},
      {"ldmatrix.x4.addr", 19, {{2, 3}}},
      {"stmatrix.x2.trans.addr", 15, {{1, 7}}},
      {"movmatrix.trans.src", 7, {{1, 6}, {1, 7}}},
      {"movmatrix.trans.dst", 7, {{6, 1}, {7, 1}}},
      {"mma.m16n8k16.b16.C16", 5, {{1, 2}, {1, 3}, {9, 2}, {9, 3}}},
      {"mma.m8n8k4.f16.A.row", 21, {{1, 5, 0}, {1, 5, 1}, {1, 5, 2}, {1, 5, 3}}},
      {"mma.m8n8k4.f16.B.row", 21, {{1, 1, 4}, {1, 1, 5}, {1, 1, 6}, {1, 1, 7}}},
      {"mma.m8n8k4.f16.C",
       6,
       {{1, 0, 2}, {1, 0, 3}, {1, 2, 2}, {1, 2, 3}, {1, 0, 6}, {1, 0, 7}, {1, 2, 6}, {1, 2, 7}}},
      {"movmatrix.trans", 1, {{8, 0}, {12, 0}}},
      {"movmatrix.trans", 7, {{24, 1}, {28, 1}}},
  };
}

}  // namespace fragproof::golden
