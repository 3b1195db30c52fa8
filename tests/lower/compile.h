#pragma once

#include <memory>
#include <string>

#include "elab/elaborate.h"
#include "ir/analysis.h"
#include "ir/simulate.h"
#include "lower/lower.h"
#include "passes/pipeline.h"
#include "syntax/parse.h"

/// From source text to IR, for tests.
struct Compiled {
    smec::SourceManager sources;
    smec::Diagnostics diagnostics;
    std::optional<smec::hir::Design> hir;
    smec::ir::Design ir;

    const smec::ir::Class& cls(const std::string& name) const {
        for (const auto& c : ir.classes) {
            if (c.name == name) return c;
        }
        throw std::runtime_error("no class " + name);
    }
    /// Everything that was reported, one line each.
    std::string messages() const {
        std::string all;
        for (const auto& d : diagnostics.all())
            all += d.message + "\n";
        return all;
    }
};

inline std::unique_ptr<Compiled> compile(const std::string& text, bool unchecked = false,
                                         bool passes = false,
                                         const smec::elab::Options& elaboration = {}) {
    auto result = std::make_unique<Compiled>();
    const smec::FileId file = result->sources.add("test.sme", text);
    smec::sema::Program program;
    auto& entry = program.modules.emplace_back();
    entry.path = "/test.sme";
    entry.ast = smec::syntax::parse(result->sources, file, result->diagnostics);
    if (!result->diagnostics.hasErrors())
        result->hir =
            smec::elab::elaborate(program, result->sources, elaboration, result->diagnostics);
    if (!result->hir || result->diagnostics.hasErrors())
        throw std::runtime_error("front end: " + result->messages());
    result->ir = smec::lower::lower(
        *result->hir, {.unchecked = unchecked, .sources = &result->sources}, result->diagnostics);
    if (passes && !result->diagnostics.hasErrors()) smec::passes::run(result->ir);
    return result;
}

/// The body of one process `p` with these declarations, alone in a network.
inline std::string process(const std::string& declarations, const std::string& body) {
    return "proc p()\n" + declarations + "\n{\n" + body
           + "\n}\nnetwork top() { instance q of p(); }\n";
}

/// Trace lines and failures of some cycles, joined by '|'; the same with and without passes, and
/// sound IR both times.
inline std::string runBoth(const std::string& text, std::uint64_t cycles = 1,
                           bool unchecked = false) {
    std::string results[2];
    for (bool passes : {false, true}) {
        const auto compiled = compile(text, unchecked, passes);
        if (compiled->diagnostics.hasErrors()) return compiled->messages();
        for (const std::string& complaint : smec::ir::verify(compiled->ir))
            return "broken: " + complaint;
        for (const std::string& line : simulation::Simulator(compiled->ir).run(cycles)) {
            results[passes] += (results[passes].empty() ? "" : "|") + line;
        }
    }
    return results[0] == results[1] ? results[0]
                                    : "passes changed " + results[0] + " to " + results[1];
}
