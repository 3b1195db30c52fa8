#pragma once

// The options that `create` of the table of sme/simulation.h takes.

#include <sme/option_words.h>
#include <sme/refusal.h>
#include <sme/simulation.h>
#include <sme/simulation_past.h>

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

namespace sme {

/// The options of a command line that create takes, and its own.
inline std::vector<std::string> namesOfOptions() {
    std::vector<std::string> names = {"snapshots", "snapshot-time"};
    for (const SimulatorOption& option : kSimulatorOptions)
        if (isTakenBy(TakenBy::Library, option)) names.emplace_back(option.name.substr(2));
    return names;
}

/// The words of a command line for the options that create takes.
inline std::vector<std::string> wordsOf(std::span<const sme_option> options,
                                        const NearestName& nearest) {
    const std::vector<std::string> known = namesOfOptions();
    std::vector<std::string> words;
    for (const sme_option& option : options) {
        const std::string name = option.name ? option.name : "";
        if (std::find(known.begin(), known.end(), name) == known.end()) {
            const std::string best = nearest(name, known);
            throw Refusal(SME_BAD_USE,
                          "no option '" + name + "' of a run"
                              + (best.empty() ? "" : "; did you mean '" + best + "'?"));
        }
        words.push_back("--" + name);
        if (option.value) words.back().append("=").append(option.value);
    }
    return words;
}

/// A number of at least 1, or a refusal that says `what` it is.
inline std::size_t numberOf(const sme_option& option, std::size_t most, const char* what) {
    const std::string_view value = option.value ? option.value : "";
    std::size_t number = 0;
    const auto [end, problem] = std::from_chars(value.data(), value.data() + value.size(), number);
    if (problem != std::errc() || end != value.data() + value.size() || number == 0
        || number > most)
        throw Refusal(SME_BAD_USE, std::string(option.name) + " takes " + what);
    return number;
}

/// What the options of states of the past say, which are none of a command line; the others are left
/// in `others`.
inline KeptStates keptStatesOf(std::span<const sme_option> options,
                               std::vector<sme_option>& others) {
    constexpr std::size_t kMost = std::size_t{1} << 40;
    KeptStates kept;
    for (const sme_option& option : options) {
        const std::string_view name = option.name ? option.name : "";
        if (name == "snapshots") {
            kept.isOff = option.value && std::string_view(option.value) == "off";
            if (!kept.isOff) kept.bytes = numberOf(option, kMost, "a number of MiB, or off") << 20;
        } else if (name == "snapshot-time") {
            kept.share =
                static_cast<double>(numberOf(option, 100, "a number of percent, 1 to 100")) / 100;
        } else {
            others.push_back(option);
        }
    }
    if (kept.isOff) kept.bytes.reset();
    return kept;
}

}  // namespace sme
