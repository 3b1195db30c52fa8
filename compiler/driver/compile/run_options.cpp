#include "driver/compile/run_options.h"

#include <algorithm>
#include <filesystem>
#include <iterator>

#include <fmt/format.h>

#include "formats/memory_file.h"
#include "interp/internal_options.h"
#include "sme/option_words.h"
#include "source/output_file.h"

// `smec run` takes the compile options and those of the simulator on one command line. Ours are
// declared to the option library; the simulator's are moved aside first by the table of their
// names, so that `--cycles 8 x.sme` does not take 8 for the file.

namespace smec::driver {

std::vector<RunOption> runOptions() {
    std::vector<RunOption> passed;
    std::copy_if(std::begin(sme::kSimulatorOptions), std::end(sme::kSimulatorOptions),
                 std::back_inserter(passed),
                 [](const RunOption& option) { return !option.isOfProgram; });
    return passed;
}

namespace {

bool contains(std::span<const std::string_view> names, std::string_view name) {
    return std::find(names.begin(), names.end(), name) != names.end();
}

const RunOption* findRunOption(std::string_view argument) {
    const std::string_view name = argument.substr(0, argument.find('='));
    for (const RunOption& option : interp::kInternalOptions)
        if (option.name == name) return &option;
    for (const RunOption& option : sme::kSimulatorOptions)
        if (option.name == name && !option.isOfProgram) return &option;
    return nullptr;
}

}  // namespace

bool RunArguments::takes(const RunOption& option) const { return isTakenBy(taker, option); }

std::string RunArguments::refused() const {
    for (const std::string& word : words) {
        const std::string name = word.substr(0, word.find('='));
        const RunOption* option = findRunOption(name);
        if (name == "--help" || name == "-h" || name == "--version") return name;
        if (option && !takes(*option)) return name;
    }
    return {};
}

std::string RunArguments::problemOfRefused(std::string_view command) const {
    const std::string name = refused();
    if (name.empty()) return {};
    if (contains(own, name))
        return fmt::format("smec {} has a {} of its own, which stands before '--'; behind it are "
                           "options of the simulator",
                           command, name);
    return fmt::format("smec {} does not take {}", command, name);
}

namespace {

/// The files that the arguments name for this use.
std::vector<std::string> filesFor(FileUse use, const std::vector<std::string>& runArguments) {
    std::vector<std::string> files;
    for (std::size_t i = 0; i < runArguments.size(); ++i) {
        const RunOption* option = findRunOption(runArguments[i]);
        if (!option || option->value.empty()) continue;
        const std::size_t equals = runArguments[i].find('=');
        const bool isAttached = equals != std::string::npos;
        if (!isAttached && i + 1 == runArguments.size()) break;  // the simulator complains
        const std::string value =
            isAttached ? runArguments[i].substr(equals + 1) : runArguments[++i];
        if (option->file == use && option->takes == sme::OptionValue::Checkpoint)
            files.push_back(sme::readCheckpointPlan(value).path);
        else if (option->file == use)
            files.push_back(value);
        if (use == FileUse::Read && option->name == "--memory")
            if (const auto memory = sme::readMemoryOption(value)) files.push_back(memory->file);
    }
    return files;
}

bool isResumed(const std::string& file, const std::vector<std::string>& runArguments) {
    for (std::size_t i = 0; i < runArguments.size(); ++i)
        if (runArguments[i] == "--resume=" + file
            || (runArguments[i] == file && i > 0 && runArguments[i - 1] == "--resume"))
            return true;
    return false;
}

}  // namespace

std::string RunArguments::stream() const {
    for (const std::string& file : filesFor(FileUse::Read, words))
        if (file == "-" || isStream(file)) return file;
    return {};
}

void addRunInputs(const std::vector<std::string>& runArguments, InputFiles& inputs) {
    // the state that a run goes on from may be replaced by a later one
    const auto isReplaced = [&](const std::string& file) {
        const std::vector<std::string> written = filesFor(FileUse::Written, runArguments);
        return std::ranges::any_of(written, [&](const std::string& each) {
            std::error_code error;
            return isResumed(file, runArguments) && std::filesystem::equivalent(file, each, error);
        });
    };
    for (const std::string& file : filesFor(FileUse::Read, runArguments))
        if (file != "-" && !isReplaced(file)) inputs.add(file);
}

void checkRunOutputs(const std::vector<std::string>& runArguments, const InputFiles& inputs) {
    for (const std::string& file : filesFor(FileUse::Written, runArguments))
        if (file != "-") findOutput(file, inputs);
}

void splitRunArguments(std::vector<std::string>& arguments, RunArguments& taken) {
    std::vector<std::string> ours;
    for (std::size_t i = 0; i < arguments.size(); ++i) {
        if (arguments[i] == "--") {
            auto rest = arguments.begin() + static_cast<std::ptrdiff_t>(i) + 1;
            // `smec run -- -x.sme` names a file like this; simulators take options alone
            if (rest != arguments.end() && (!rest->starts_with("-") || rest->ends_with(".sme"))) {
                ours.insert(ours.end(), {"--", *rest++});
                if (rest != arguments.end() && *rest == "--") ++rest;
            }
            taken.words.insert(taken.words.end(), rest, arguments.end());
            break;
        }
        const RunOption* option = findRunOption(arguments[i]);
        if (!option || contains(taken.own, option->name)) {
            ours.push_back(arguments[i]);
            continue;
        }
        const bool attached = arguments[i].find('=') != std::string::npos;
        taken.words.push_back(arguments[i]);
        const bool needsNext = !attached && !option->value.empty();
        if (needsNext && i + 1 < arguments.size()) taken.words.push_back(arguments[++i]);
    }
    arguments = std::move(ours);
}

}  // namespace smec::driver
