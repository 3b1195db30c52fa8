#include "driver/compile/verilog_input.h"

#include <algorithm>
#include <cctype>
#include <filesystem>

#include <fmt/format.h>

#include "source/one_line.h"

namespace smec::driver {
namespace {

bool isWord(std::string_view text) {
    if (text.empty()) return false;
    for (const char c : text) {
        if (std::isalnum(static_cast<unsigned char>(c)) == 0 && c != '_' && c != '$') return false;
    }
    return true;
}

bool isNumber(std::string_view text) {
    return !text.empty() && text.size() <= 18
           && text.find_first_not_of("0123456789") == std::string_view::npos;
}

bool isReset(std::string_view text) {
    const std::size_t equals = text.find('=');
    const std::string_view value = equals == std::string_view::npos ? "1" : text.substr(equals + 1);
    return isWord(text.substr(0, equals)) && (value == "0" || value == "1");
}

bool isInitial(std::string_view text) {
    constexpr std::string_view kSeeded = "random:";
    return text == "0" || text == "1" || text == "random"
           || (text.starts_with(kSeeded) && isNumber(text.substr(kSeeded.size())));
}

std::string problemOfPorts(const VerilogInput& input) {
    if (!input.clock.empty() && !isWord(input.clock))
        return fmt::format("--clock takes the name of a port, not '{}'", input.clock);
    if (!input.reset.empty() && !isReset(input.reset))
        return fmt::format("--after-reset takes NAME, NAME=0 or NAME=1, not '{}'", input.reset);
    if (!input.initial.empty() && !isInitial(input.initial))
        return fmt::format("--x-initial takes 0, 1, random or random:SEED, not '{}'",
                           input.initial);
    if (!input.reading.empty() && input.reading != "simulation" && input.reading != "synthesis")
        return fmt::format("--reading takes simulation or synthesis, not '{}'", input.reading);
    for (const std::string& tie : input.ties) {
        const std::size_t equals = tie.find('=');
        if (equals == std::string::npos || !isWord(tie.substr(0, equals))
            || !isNumber(std::string_view(tie).substr(equals + 1)))
            return fmt::format("--tie takes NAME=NUMBER, not '{}'", tie);
        if (!input.reset.empty() && tie.substr(0, equals) == resetOf(input).name)
            return fmt::format("'{}' is tied, so that --after-reset cannot switch it; leave out "
                               "--tie {}, for the reset is off by itself after it",
                               resetOf(input).name, tie);
    }
    return {};
}

}  // namespace

ResetPort resetOf(const VerilogInput& input) {
    const std::size_t equals = input.reset.find('=');
    return {input.reset.substr(0, equals), input.reset.ends_with("=0")};
}

bool isVerilogFile(std::string_view file) {
    return file.ends_with(".v") || isSystemVerilogFile(file);
}

bool isSystemVerilogFile(std::string_view file) { return file.ends_with(".sv"); }

bool hasSystemVerilog(const VerilogInput& input) {
    return std::ranges::any_of(input.files, isSystemVerilogFile);
}

std::string problemOfVerilog(const VerilogInput& input) {
    if (!input.top.empty() && !isWord(input.top))
        return fmt::format("--top takes the name of a module, not '{}'", input.top);
    for (const std::string& library : input.libraries) {
        std::error_code error;
        if (!std::filesystem::is_directory(library, error))
            return fmt::format("--library takes a folder, and '{}' is none", library);
    }
    for (const std::string& define : input.defines) {
        if (!isWord(define.substr(0, define.find('='))))
            return fmt::format("--define takes NAME or NAME=VALUE, not '{}'", define);
        if (define.find_first_of("\n\r") != std::string::npos || define.ends_with('\\')
            || define.find("/*") != std::string::npos)
            return fmt::format("--define takes a value on one line, without comments, not '{}'",
                               onOneLine(define));
    }
    for (const std::string& parameter : input.parameters) {
        const std::size_t equals = parameter.find('=');
        if (equals == std::string::npos || !isWord(parameter.substr(0, equals)))
            return fmt::format("--parameter takes NAME=VALUE, not '{}'", parameter);
        if (parameter.find_first_of(";`\n\r") != std::string::npos)
            return fmt::format("--parameter takes a constant, not '{}'", parameter);
    }
    return problemOfPorts(input);
}

}  // namespace smec::driver
