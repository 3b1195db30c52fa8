// Damaged texts of the IR: damaged_ir 20000. What parse() takes of them is verified, printed and read again.

#include <cstdio>
#include <cstdlib>

#include "driver/compile/compile.h"
#include "driver/verilog/reader.h"
#include "fuzz/mutants.h"
#include "ir/analysis.h"
#include "ir_reader/parse.h"
#include "lower/lower.h"
#include "passes/pipeline.h"

namespace {

using namespace smec;

/// Of a design of the tests, behind lowering and behind the passes.
void addTexts(const std::string& name, std::vector<std::string>& texts) {
    const std::string file = SMEC_SOURCE_DIR "/tests/" + name;
    driver::CompileOptions options;
    const driver::YosysReader reader;
    options.reader = &reader;
    options.files = {file};
    driver::FrontEnd front(options.warnings);
    driver::Stats stats;
    driver::runFrontEnd(front, file, options, false, stats);
    if (!front.design) {
        std::fprintf(stderr, "%s: no design\n", file.c_str());
        std::exit(1);
    }
    ir::Design design = lower::lower(*front.design, {.sources = &front.sources}, front.diagnostics);
    texts.push_back(ir::print(design));
    passes::run(design);
    texts.push_back(ir::print(design));
}

std::string readText(const std::string& bytes) {
    const ir::Parsed parsed = ir::parse(bytes);
    if (!parsed.design)
        return "line " + std::to_string(parsed.error.line) + ", column "
               + std::to_string(parsed.error.column) + ": " + parsed.error.message;
    ir::verify(*parsed.design);
    const std::string text = ir::print(*parsed.design);
    const ir::Parsed again = ir::parse(text);
    return again.design && ir::print(*again.design) == text ? "" : "it prints as something else";
}

}  // namespace

int main(int argc, char** argv) {
    test::Reader reader{"ir", {}, {}, readText, "line "};
    for (const char* name :
         {"golden/constructs.sme", "golden/lookup.sme", "golden/row.sme",
          "lang/statements/many_instances_kinds.sme", "lang/model/held_memory.sme"})
        addTexts(name, reader.seeds);
    reader.words = {"0",    "1",       "4294967295", "99999999999999999999",
                    "u1",   "i131072", "[3]u8",      "%0",
                    "wrap", "(",       ")",          "    ",
                    "\n",   "plane",   "of",         "\"",
                    "if",   "else",    "table0"};
    return test::mutantsMain({reader}, argc, argv);
}
