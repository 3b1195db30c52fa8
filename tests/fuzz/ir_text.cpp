// The text of the IR, of every design that a compiler makes of files:
//
//     ir_text FILE.sme...
//
// Behind lowering and behind each pass, the text is read back: it prints the same, nothing is lost (the hash of
// all that counts is that of the design, whose bodies are put into the order of the text first), and
// the passes make of what was read what they make of the design. Files that make no design are passed over.

#include <cstdio>
#include <cstdlib>

#include "driver/compile/compile.h"
#include "driver/verilog/reader.h"
#include "ir/analysis.h"
#include "ir/hash.h"
#include "ir/tidy.h"
#include "ir_reader/parse.h"
#include "lower/lower.h"
#include "passes/pipeline.h"
#include "plan/plan.h"

namespace {

using namespace smec;

ir::Design tidied(ir::Design design) {
    for (ir::Function& function : design.functions)
        ir::tidy(design, function.body);
    for (ir::Class& cls : design.classes)
        ir::tidy(design, cls.body);
    return design;
}

class Checker {
public:
    explicit Checker(std::string file) : file_(std::move(file)) {}

    void run() {
        driver::CompileOptions options;
        const driver::YosysReader reader;
        options.reader = &reader;
        options.files = {file_};
        driver::FrontEnd front(options.warnings);
        driver::Stats stats;
        driver::runFrontEnd(front, file_, options, false, stats);
        if (!front.design) return;
        const ir::Design design =
            lower::lower(*front.design, {.sources = &front.sources}, front.diagnostics);
        if (front.diagnostics.hasErrors()) return;
        ++designs;
        compare(design);
    }

    static unsigned designs, stages, mistakes;

private:
    void compare(const ir::Design& lowered) {
        const auto read = readBack("lowering", lowered);
        if (!read) return;
        ir::Design passed = tidied(lowered), again = *read;
        const auto observe = [&](std::string_view pass, const ir::Design& design) {
            return readBack(pass, design).has_value();
        };
        passes::run(passed, {.observe = observe});
        passes::run(again);
        const std::vector<ir::LogWanted> logs = logsOf(passed);
        passes::runBehindPlan(passed, {.logs = logs, .observe = observe});
        passes::runBehindPlan(again, {.logs = logs});
        if (ir::print(again) != ir::print(passed)) wrong("passes", "make something else of it");
    }

    /// Of all arrays that would have one.
    static std::vector<ir::LogWanted> logsOf(const ir::Design& design) {
        rules::Without without;
        without.add(rules::Rule::OneSlot);
        rules::Ledger ledger(without);
        plan::Options options;
        options.ledger = ledger;
        return plan::logsIn(plan::decide(design, plan::factsOf(design), options).storage);
    }

    std::optional<ir::Design> readBack(std::string_view stage, const ir::Design& design) {
        ++stages;
        const std::string text = ir::print(design);
        ir::Parsed parsed = ir::parse(text);
        if (!parsed.design) {
            const auto& [line, column, message] = parsed.error;
            wrong(stage, std::to_string(line) + ":" + std::to_string(column) + ": " + message);
        } else if (ir::print(*parsed.design) != text) {
            wrong(stage, "it prints as something else");
        } else if (ir::hashOf(*parsed.design) != ir::hashOf(tidied(design))) {
            wrong(stage, "something is lost");
        } else if (const auto complaints = ir::verify(*parsed.design); !complaints.empty()) {
            wrong(stage, complaints.front());
        } else {
            return std::move(parsed.design);
        }
        return std::nullopt;
    }

    void wrong(std::string_view stage, const std::string& what) {
        ++mistakes;
        std::fprintf(stderr, "%s: the text behind %.*s: %s\n", file_.c_str(),
                     static_cast<int>(stage.size()), stage.data(), what.c_str());
    }

    std::string file_;
};

unsigned Checker::designs = 0, Checker::stages = 0, Checker::mistakes = 0;

}  // namespace

int main(int argc, char** argv) {
    for (int i = 1; i < argc; ++i)
        Checker(argv[i]).run();
    std::printf("%u designs, %u texts, %u mistakes\n", Checker::designs, Checker::stages,
                Checker::mistakes);
    return Checker::mistakes == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
