#include "driver/compile/stages.h"

#include <algorithm>
#include <charconv>
#include <string_view>

#include <fmt/format.h>

#include "driver/system/suggestion.h"
#include "passes/pipeline.h"

namespace smec::driver {

namespace {

constexpr std::string_view kAfter = "ir-after=";

struct Stage {
    std::string_view name, text;
};
constexpr Stage kStages[] = {
    {"ast", "the syntax tree"},
    {"hir", "the checked design, before its processes are lowered"},
    {"graph", "the processes and who reads whom, for Graphviz"},
    {"ir", "the design as code generation takes it"},
    {"plan", "kernels, levels and the layout of memory"},
    {"cpp", "the C++ of the simulator"},
};

std::vector<std::string> passNames() {
    std::vector<std::string> names{"lowering"};
    for (const passes::Pass& pass : passes::all())
        names.emplace_back(pass.name);
    return names;
}

std::string problemOfPass(const PassRun& named, const std::string& stage) {
    const std::vector<std::string> names = passNames();
    if (named.run == 0)
        return fmt::format("'--emit {}' names no run of a pass; the first is ':1'", stage);
    if (std::ranges::find(names, named.pass) != names.end()) return {};
    return fmt::format("unknown pass '{}'{}", named.pass,
                       didYouMean(named.pass, names, "'--emit help' lists them"));
}

}  // namespace

std::vector<std::string> stageNames() {
    std::vector<std::string> names{"help"};
    for (const Stage& stage : kStages)
        names.emplace_back(stage.name);
    for (const std::string& pass : passNames())
        names.push_back(std::string(kAfter) + pass);
    return names;
}

std::string stageList() {
    std::string list;
    const auto add = [&](std::string_view name, std::string_view text) {
        list += fmt::format("{}{:22}{}", list.empty() ? "" : "\n", name, text);
    };
    for (const Stage& stage : kStages)
        add(stage.name, stage.text);
    add("ir-after=lowering", "the IR as it is made of the processes");
    for (const passes::Pass& pass : passes::all())
        add(std::string(kAfter) + std::string(pass.name), pass.text);
    return list;
}

std::string problemOfStage(const std::string& stage) {
    if (stage.empty()) return {};
    if (const auto pass = passRunOf(stage)) return problemOfPass(*pass, stage);
    const bool isKnown =
        std::ranges::any_of(kStages, [&](const Stage& s) { return s.name == stage; });
    if (isKnown) return {};
    return fmt::format("unknown stage '{}'{}", stage,
                       didYouMean(stage, stageNames(), "'--emit help' lists them"));
}

std::optional<PassRun> passRunOf(const std::string& stage) {
    if (!stage.starts_with(kAfter)) return std::nullopt;
    PassRun result{stage.substr(kAfter.size())};
    const std::size_t colon = result.pass.find(':');
    if (colon == std::string::npos) return result;
    const char* const end = result.pass.data() + result.pass.size();
    const auto [rest, error] = std::from_chars(result.pass.data() + colon + 1, end, result.run);
    if (error != std::errc{} || rest != end) result.run = 0;
    result.pass.resize(colon);
    return result;
}

}  // namespace smec::driver
