// One execution of a kernel at one shape: see emulate.h.
#pragma once

#include "fuzz/emulate/emulate.h"

namespace fragproof {

class Emulator::Run {
 public:
  Run(Emulator& owner, const Shape& shape, World& world);
  [[nodiscard]] Emulation execute();

 private:
  // Lays out grids, points and the result. False: it cannot run, or a fault tells all.
  bool prepare();
  bool lay_out_result();
  bool grid(Grid& out, const Map& map, char letter);
  void plan_arithmetic();
  void contract_reference();
  void run_chunk(const KernelPoints::Chunk& chunk);
  void load(std::size_t number, const KernelPoints::Chunk& chunk, const Batch& batch,
            std::vector<std::uint8_t>& failed);
  // The bit address from which each (point, lane) reads, or one of the marks below.
  void addresses(std::size_t number, const KernelPoints::Chunk& chunk, const Batch& batch,
                 std::vector<std::uint8_t>& failed, std::vector<std::int64_t>& out);
  void copy(const Load& load, const std::vector<const Block*>& blocks,
            const std::vector<std::int64_t>& address, RegisterFile& to);
  void gather_rows(std::size_t number, std::size_t points);
  void multiply(const KernelPoints::Chunk& chunk, const Batch& batch,
                const std::vector<std::uint8_t>& failed);
  void store(const KernelPoints::Chunk& slots);
  void compare();
  void compare_real(std::size_t element);

  // Adds the first fault of a kind.
  void tell(FaultKind kind, Fault fault);
  [[nodiscard]] bool told(FaultKind kind) const;
  void tell_load(FaultKind kind, std::size_t number, std::size_t pair, const std::string& reason);
  void tell_lets(std::size_t pair);
  void tell_part(const PartFault& part, std::size_t first_pair);
  void give_up(const std::string& reason);
  [[nodiscard]] std::string element_name(std::int64_t element) const;

  Emulator& owner_;
  const Kernel& kernel_;
  World& world_;
  Evaluator evaluator_;
  Blocks blocks_;
  Emulation result_;
  Grid a_, b_, c_;
  std::vector<Grid> load_grids_;
  std::vector<const ElementType*> load_types_;
  std::unique_ptr<KernelPoints> points_;
  std::unique_ptr<Multiplier> multiplier_;
  std::size_t lanes_ = 0;
  int rows_ = 0, cols_ = 0, depth_ = 0;
  bool real_ = false;
  double conversion_error_ = 0;  // relative, of one product
  std::vector<std::int64_t> sums_;
  std::vector<double> real_sums_;
  std::vector<std::int64_t> y_extents_, y_;
  std::vector<double> y_real_;
  std::vector<std::uint8_t> stores_;  // of each element of y
  std::vector<Fault> doubtful_;       // garbage was read: a fault if the result is wrong
};

}  // namespace fragproof
