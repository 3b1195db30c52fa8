#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "source/output_file.h"

namespace smec::driver {

enum class FileUse : std::uint8_t { None, Read, Written };

/// An option of the simulator, as `smec run` passes it on.
struct RunOption {
    std::string_view name;
    int values;
    std::string_view value;  ///< what the help calls its value; with `|` between: the choices
    std::string_view help;
    FileUse file = FileUse::None;  ///< what its value is
};

std::span<const RunOption> runOptions();

/// Moves the simulator's options (and everything behind `--`) from `arguments` to `runArguments`.
/// Those named in `ours` stay.
void splitRunArguments(std::vector<std::string>& arguments, std::vector<std::string>& runArguments,
                       std::span<const std::string_view> ours = {});

/// Adds the files that the simulator reads.
void addRunInputs(const std::vector<std::string>& runArguments, InputFiles& inputs);
/// That the simulator, which knows nothing of `inputs`, does not write one of them. Throws
/// FileError.
void checkRunOutputs(const std::vector<std::string>& runArguments, const InputFiles& inputs);

/// Of the simulator's options those that `smec bench` gives itself, under a form of its own.
std::span<const std::string_view> ownOfBench();
/// Whether `smec bench` passes this option on: it bears on the time of a run.
bool isForBench(const RunOption& option);
/// The first option in `runArguments` that `smec bench` does not pass on; empty: none.
std::string refusedByBench(const std::vector<std::string>& runArguments);

/// The same of `smec verify`, which passes on what bears on plans and inputs.
std::span<const std::string_view> ownOfVerify();
bool isForVerify(const RunOption& option);
std::string refusedByVerify(const std::vector<std::string>& runArguments);

}  // namespace smec::driver
