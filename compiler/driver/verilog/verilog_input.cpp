#include "driver/verilog/verilog_input.h"

#include <cctype>

#include <fmt/format.h>

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

std::string problemOfPorts(const VerilogInput& input) {
    if (!input.clock.empty() && !isWord(input.clock))
        return fmt::format("--clock takes the name of a port, not '{}'", input.clock);
    if (!input.reset.empty() && !isWord(input.reset))
        return fmt::format("--reset takes the name of a port, not '{}'", input.reset);
    for (const std::string& tie : input.ties) {
        const std::size_t equals = tie.find('=');
        if (equals == std::string::npos || !isWord(tie.substr(0, equals))
            || !isNumber(std::string_view(tie).substr(equals + 1)))
            return fmt::format("--tie takes NAME=NUMBER, not '{}'", tie);
    }
    return {};
}

}  // namespace

bool isVerilogFile(std::string_view file) { return file.ends_with(".v") || file.ends_with(".sv"); }

std::string problemOfVerilog(const VerilogInput& input) {
    if (!input.top.empty() && !isWord(input.top))
        return fmt::format("--top takes the name of a module, not '{}'", input.top);
    for (const std::string& define : input.defines) {
        if (!isWord(define.substr(0, define.find('='))))
            return fmt::format("--define takes NAME or NAME=VALUE, not '{}'", define);
    }
    for (const std::string& parameter : input.parameters) {
        const std::size_t equals = parameter.find('=');
        if (equals == std::string::npos || !isWord(parameter.substr(0, equals)))
            return fmt::format("--parameter takes NAME=VALUE, not '{}'", parameter);
        if (parameter.find_first_of(";`\n") != std::string::npos)
            return fmt::format("--parameter takes a constant, not '{}'", parameter);
    }
    return problemOfPorts(input);
}

}  // namespace smec::driver
