#include "driver/compile/option_words.h"

#include <string_view>

#include <fmt/format.h>

namespace smec::driver {

std::vector<std::string> verilogWords(const VerilogInput& verilog) {
    std::vector<std::string> words;
    const auto add = [&](const char* option, const std::string& value) {
        if (!value.empty()) words.push_back(fmt::format("{}={}", option, value));
    };
    for (const std::string& folder : verilog.libraries)
        add("--library", folder);
    for (const std::string& folder : verilog.includeFolders)
        add("--include", folder);
    for (const std::string& define : verilog.defines)
        add("--define", define);
    for (const std::string& tie : verilog.ties)
        add("--tie", tie);
    add("--clock", verilog.clock);
    add("--after-reset", verilog.reset);
    add("--x-initial", verilog.initial);
    if (verilog.isResetSync) words.emplace_back("--reset-as-sync");
    words.insert(words.end(), verilog.files.begin(), verilog.files.end());
    return words;
}

std::vector<std::string> optionWords(const CompileOptions& options) {
    std::vector<std::string> words;
    const auto add = [&](const char* option, const std::string& value) {
        if (!value.empty()) words.insert(words.end(), {option, value});
    };
    const auto addAll = [&](const char* option, const std::vector<std::string>& values) {
        for (const std::string& value : values)
            words.push_back(fmt::format(
                "{}{}{}", option, std::string_view(option).starts_with("--") ? "=" : "", value));
    };
    add("--top", options.top);
    addAll("-G", options.parameters);
    addAll("-I", options.includeDirs);
    if (options.unchecked) words.emplace_back("--unchecked");
    if (options.smeil) words.emplace_back("--smeil");
    if (options.unwrittenHold != options.smeil)
        add("--unwritten", options.unwrittenHold ? "hold" : "reset");
    add("--max-instances", std::to_string(options.maxInstances));
    add("--build-dir", options.buildDir);
    words.push_back(fmt::format("-O{}", options.optimisation));
    add("--march", options.march);
    add("--cxx", options.cxx);
    if (options.jobs != 0) add("-j", std::to_string(options.jobs));
    if (options.partitionSize != 0) add("--partition-size", std::to_string(options.partitionSize));
    if (!options.simd) words.emplace_back("--no-simd");
    for (const std::string& rule : options.without.names())
        add("--without", rule);
    for (const std::string& number : options.numbers)
        add("--number", number);
    addAll("--cxxflag", options.cxxFlags);
    addAll("--link", options.links);
    addAll("-W", options.warningWords);
    if (options.verilogRead.empty()) {  // of an import the file is there already
        const std::vector<std::string> more = verilogWords(options.verilog);
        words.insert(words.end(), more.begin(), more.end());
    }
    return words;
}

}  // namespace smec::driver
