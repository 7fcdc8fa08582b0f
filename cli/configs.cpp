// `configs`: which rows of a tuning table a kernel admits and computes rightly, and why not the
// others.
#include <algorithm>
#include <map>
#include <memory>
#include <optional>

#include "checkers/enumerate/kernel_judge.h"
#include "checkers/portfolio.h"
#include "cli/command.h"
#include "cli/config_table.h"
#include "cli/exit_code.h"
#include "cli/fuzz_report.h"
#include "cli/inputs.h"
#include "cli/output.h"
#include "cli/signals.h"
#include "reports/html.h"
#include "reports/json.h"
#include "reports/text.h"

namespace fragproof::cli {
namespace {

struct ConfigsOptions {
  std::string file, table, json, html;
  bool quiet = false;
  ColourMode colour = ColourMode::Auto;
  std::string command_line;
};

// Rows are judged at their shape; what is too large for that follows from a proof for all shapes.
class RowJudge {
 public:
  explicit RowJudge(const Input& input) : input_(input) {
    for (const Kernel* kernel : kernels_of(*input.spec)) {
      spaces_.emplace(kernel->name, std::make_unique<KernelSpace>(*input.spec, *kernel));
    }
    if (spaces_.empty()) throw Failure{input.path + " has no kernel", exit_nothing};
  }

  Check judge(const std::string& path, const TableRow& row) {
    const std::string where = path + ":" + std::to_string(row.line) + ": ";
    const std::string& name = row.configuration.kernel;
    if (name.empty() && spaces_.size() > 1) {
      throw Failure{where + "the file has several kernels: give the table a column `kernel`"};
    }
    const auto it = name.empty() ? spaces_.begin() : spaces_.find(name);
    if (it == spaces_.end()) throw Failure{where + "no kernel named " + name};
    const KernelSpace& space = *it->second;
    std::string error;
    const std::optional<Shape> shape = space.shape_of(row.configuration, error);
    if (!shape) throw Failure{where + error};

    Check check;
    check.id = input_.stem + "/" + space.kernel().name + ".line" + std::to_string(row.line);
    check.kind = "configuration";
    check.expected = Verdict::Proved;
    check.file = path;
    check.line = row.line;
    check.column = 1;
    check.source_line = row.text;
    check.shapes_tried = 1;
    Configuration whole = row.configuration;
    whole.kernel = space.kernel().name;
    check.reproduce = reproduce(input_, whole);
    check.note = to_text(whole);
    const std::string excluded = space.excluded_by(*shape);
    if (!excluded.empty()) {
      check.verdict = Verdict::Refuted;
      check.methods = {"enumerate"};
      Counterexample& why = check.counterexample.emplace();
      why.sizes = whole.sizes;
      why.smallest = false;
      why.text = "a `require` excludes it: " + excluded;
      return check;
    }
    judge_shape(space, *shape, whole, check);
    return check;
  }

 private:
  void judge_shape(const KernelSpace& space, const Shape& shape, const Configuration& whole,
                   Check& check) {
    Evaluator evaluator(*input_.spec, shape);
    KernelJudge judge(evaluator, space.kernel());
    check.methods = {"enumerate"};
    for (int i = 0; i < obligation_count; ++i) {
      const auto obligation = static_cast<Obligation>(i);
      const KernelVerdict verdict = judge.judge(obligation);
      if (verdict.unknown) {
        follow_from_proof(space.kernel(), verdict.reason, check);
        return;
      }
      if (verdict.holds) continue;
      check.verdict = Verdict::Refuted;
      check.counterexample = verdict.counterexample;
      if (check.counterexample) {
        check.counterexample->sizes = whole.sizes;
        check.counterexample->smallest = false;
        check.counterexample->text =
            std::string(name_of(obligation)) + ": " + check.counterexample->text;
      }
      return;
    }
    check.verdict = Verdict::Proved;
  }

  void follow_from_proof(const Kernel& kernel, const std::string& reason, Check& check) {
    if (proven_.count(&kernel) == 0) proven_[&kernel] = proven_for_all(kernel);
    if (proven_.at(&kernel)) {
      check.verdict = Verdict::Proved;
      check.methods = {"radix"};
      check.note += ": admitted, and proved for all shapes";
      return;
    }
    check.verdict = Verdict::Unknown;
    check.reason = "too large to judge by itself (" + reason +
                   "), and not every obligation is proved for all shapes";
  }

  // Is every obligation proved for all admissible shapes, by the claim `prove KERNEL` of the file?
  [[nodiscard]] bool proven_for_all(const Kernel& kernel) const {
    std::vector<Question> questions = questions_of(*input_.spec, input_.stem);
    std::erase_if(questions, [&](const Question& question) {
      return question.kernel != &kernel || !question.obligation || question.claim->refute ||
             question.where_clause != nullptr;
    });
    PortfolioOptions options;
    options.interrupt = &catch_interrupts();
    std::size_t proved = 0;
    for (const Check& check : judge_all(questions, options)) {
      proved += check.verdict == Verdict::Proved ? 1 : 0;
    }
    return proved == static_cast<std::size_t>(obligation_count) && proved == questions.size();
  }

  const Input& input_;
  std::map<std::string, std::unique_ptr<KernelSpace>> spaces_;
  std::map<const Kernel*, bool> proven_;
};

std::string row_text(const Check& check, const TextOptions& text) {
  if (!as_expected(check)) {
    std::string line = check_line(check, text);
    const std::string& why = check.counterexample ? check.counterexample->text : check.reason;
    return line + "           " + check.note + "\n           " + why + "\n";
  }
  return check_line(check, text) + "           " + check.note + "\n";
}

int configs(const ConfigsOptions& options) {
  for (const std::string* path : {&options.json, &options.html}) {
    const std::string reason = path->empty() ? "" : why_unwritable(*path);
    if (!reason.empty()) throw Failure{reason};
  }
  const std::vector<Input> inputs = read_inputs({options.file});
  const Input& input = inputs.front();
  if (!input.spec) {
    const std::string text = diagnostics_text(input);
    std::fwrite(text.data(), 1, text.size(), stderr);
    return exit_usage;
  }
  std::string error;
  const std::optional<std::string> text = read_text_file(options.table, error);
  if (!text) throw Failure{options.table + ": " + error};
  const std::size_t dot = options.table.rfind('.');
  const std::string extension = dot == std::string::npos ? "" : options.table.substr(dot);
  const bool json_lines = extension == ".jsonl" || extension == ".json";
  const std::vector<TableRow> rows = read_table(options.table, *text, json_lines);

  Record record;
  record.tool_version = FRAGPROOF_VERSION;
  record.command = options.command_line;
  record.specs = fingerprints_of(inputs);
  RowJudge judge(input);
  for (const TableRow& row : rows) record.checks.push_back(judge.judge(options.table, row));

  if (options.json != "-" && options.html != "-") {
    TextOptions words;
    words.colour = use_colour(options.colour);
    words.width = terminal_width();
    words.id_width = 20;
    for (const Check& check : record.checks) {
      words.id_width = std::max(words.id_width, static_cast<int>(check.id.size()));
    }
    std::size_t legal = 0;
    for (const Check& check : record.checks) {
      legal += check.verdict == Verdict::Proved ? 1 : 0;
      if (!options.quiet || !as_expected(check)) print(row_text(check, words));
    }
    print(std::to_string(legal) + " of " + std::to_string(record.checks.size()) +
          " configurations are right\n");
  }
  if (!options.json.empty()) save(options.json, to_json(record));
  if (!options.html.empty()) save(options.html, to_html(record));
  return exit_code(record);
}

}  // namespace

Command add_configs(CLI::App& root, std::string command_line) {
  auto options = std::make_shared<ConfigsOptions>();
  options->command_line = std::move(command_line);
  CLI::App* app = root.add_subcommand("configs", "judge each row of a table of configurations");
  app->add_option("FILE", options->file, "a `.layout` file")->type_name("")->required();
  app->add_option("TABLE", options->table,
                  "CSV with a header of sizes (and `kernel`), or JSON lines (.jsonl)")
      ->type_name("")
      ->required();
  app->add_option("--json", options->json, "write the record of the run (-: to stdout)")
      ->type_name("FILE");
  app->add_option("--html", options->html, "write one self-contained page")->type_name("FILE");
  app->add_flag("-q,--quiet", options->quiet,
                "print only rows that are not right, and the summary");
  add_colour(*app, options->colour);
  app->footer("Example:\n  fragproof configs gemv.layout gemv_configs.csv --html table.html");
  return {app, [options] { return configs(*options); }};
}

}  // namespace fragproof::cli
