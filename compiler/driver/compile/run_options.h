#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sme/options.h"
#include "source/output_file.h"

namespace smec::driver {

using FileUse = sme::OptionFile;
using RunOption = sme::SimulatorOption;

/// What `smec run` passes on to the simulator.
std::vector<RunOption> runOptions();

/// The options of the simulator that a command passes on.
struct RunArguments {
    std::vector<std::string> words = {};         ///< as they were written, in order
    sme::TakenBy taker = sme::TakenBy::Run;      ///< as which it passes them on
    std::span<const std::string_view> own = {};  ///< names that mean options of the command's

    bool takes(const RunOption& option) const;
    /// The first of `words` that it does not pass on; empty: none.
    std::string refused() const;
    /// What is wrong with that one, for `command`; empty: nothing.
    std::string problemOfRefused(std::string_view command) const;
    /// The first input that can be read once only; empty: none.
    std::string stream() const;
};

/// Moves the simulator's options (and everything after `--`) from `arguments` to `taken.words`.
void splitRunArguments(std::vector<std::string>& arguments, RunArguments& taken);

/// Adds the files that the simulator reads.
void addRunInputs(const std::vector<std::string>& runArguments, InputFiles& inputs);
/// That the simulator, which knows nothing of `inputs`, does not write one of them. Throws
/// FileError.
void checkRunOutputs(const std::vector<std::string>& runArguments, const InputFiles& inputs);

}  // namespace smec::driver
