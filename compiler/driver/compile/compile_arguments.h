#pragma once

#include <string>

#include "driver/compile/options.h"

namespace CLI {
class App;
}

namespace smec::driver {

/// The options that all commands share which compile: how they are declared and what they are
/// parsed into.
class CompileArguments {
public:
    CompileOptions options;

    void declare(CLI::App& app, bool severalFiles = false);
    /// After parsing. Returns what is wrong; empty: nothing.
    std::string finish(bool severalFiles = false);
    /// Before all else: where the cache is. Warns of places that are passed over.
    void findCache();
    /// Before the command is carried out: Verilog among the files becomes one `.sme`. Throws Ended
    /// where it cannot, FileError and Interrupted.
    void importVerilog();

private:
    void declareStructure(CLI::App& app);
    void declareBuild(CLI::App& app);
    void declareToolchain(CLI::App& app);
    void declareStages(CLI::App& app);
    void declareMessages(CLI::App& app);

    std::string unwritten_;  ///< empty: what the rules say
};

/// --error-limit and --diagnostics.
void declareRendering(CLI::App& app, RenderOptions& rendering);
/// -W, and what its words say. Returns what is wrong with them; empty: nothing.
void declareWarnings(CLI::App& app, std::vector<std::string>& words);
std::string applyWarnings(const std::vector<std::string>& words, WarningOptions& warnings);
/// Those of Verilog. `isAlone`: there are none of `.sme` whose -I and -G count for Verilog, too.
void declareVerilog(CLI::App& app, VerilogInput& input, bool isAlone);
/// Colours where a person looks.
void finishRendering(RenderOptions& rendering);

/// A command makes no simulator to keep, or only looks: what would have no effect is not offered.
void removeStages(CLI::App& app);
/// removeStages() does it, too.
void removeExplanation(CLI::App& app);

}  // namespace smec::driver
