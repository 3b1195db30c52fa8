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
    }
    return {};
}

}  // namespace smec::driver
