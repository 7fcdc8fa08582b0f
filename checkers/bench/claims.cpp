// Texts of claims, and how they become questions.
#include "claims.h"

#include <algorithm>
#include <stdexcept>

#include "spec/load.h"

namespace fragproof::bench {

Asked ask(const std::string& text, const std::string& id) {
  LoadResult loaded = load_text("t.layout", text);
  if (!loaded.spec) {
    throw std::runtime_error(loaded.diagnostics.empty()
                                 ? "the text cannot be read"
                                 : render(*loaded.sources, loaded.diagnostics.front()));
  }
  std::vector<Question> questions = questions_of(*loaded.spec, "t");
  const auto found = std::ranges::find(questions, id, &Question::id);
  if (found == questions.end()) throw std::runtime_error("no claim " + id);
  return {std::move(loaded.spec), *found};
}

std::string built_in(const std::string& file) {
  for (const EmbeddedFile& embedded : embedded_files()) {
    if (std::string(embedded.path).ends_with("/" + file) || embedded.path == file) {
      return {embedded.text, embedded.size};
    }
  }
  throw std::runtime_error("no built-in file " + file);
}

const char* operand_a_directly() {
  return R"(size N, K, S, NW, U
require N % 16 == 0 && K % (32*S*NW*U) == 0
let KB = K/32, KBS = KB/S, KBW = KBS/NW
map place(n : [rb:N/16, h:2, g:8], k : [kb:K/32, t:4, s:2, j:2, e:2]) -> (p : N*K)
  p = [rb:N/16, kb:K/32, s:2, g:8, t:4, j:2, h:2, e:2]
prove operand_a: forall(rb : N/16, sidx : S, warp : NW, i : KBW/U, u : U, step : 2, lane : 32, elem : 8, n : N, k : K)
  place(n, k) != 8*((rb*KB + sidx*KBS + warp*KBW)*64 + lane + (i*U + u)*64 + 32*step) + elem
    || n == 16*rb + 8*(elem/2 % 2) + lane/4
       && k == 32*(sidx*KBS + warp*KBW + i*U + u) + 8*(lane % 4) + 4*step + 2*(elem/4) + elem % 2
)";
}

}  // namespace fragproof::bench
