#include "driver/commands/manual.h"

#include <algorithm>

#include <fmt/format.h>

#include "driver/system/version.h"

// The options come from the table of the command line; only what no table holds is written here.
// Options that several commands share stand once, under the commands that take them.

namespace smec::driver {
namespace {

/// Text as roff takes it literally.
std::string literal(std::string_view text) {
    std::string out;
    for (const char c : text) {
        if (c == '\\') {
            out += "\\e";
        } else if (c == '-') {
            out += "\\-";
        } else if ((c == '.' || c == '\'') && out.empty()) {
            out += "\\&";
            out += c;
        } else {
            out += c;
        }
    }
    return out;
}

std::string bold(std::string_view text) { return "\\fB" + literal(text) + "\\fR"; }
std::string italic(std::string_view text) { return "\\fI" + literal(text) + "\\fR"; }

std::string heading(const OptionEntry& option) {
    std::string text;
    for (const std::string& name : option.names) {
        if (!text.empty()) text += ", ";
        text += bold(name);
    }
    if (option.value.empty()) return text;
    if (option.optionalValue) return text + "[=" + italic(option.value) + "]";
    return text + (option.attached ? "" : " ") + italic(option.value);
}

std::string optionText(const OptionEntry& option) {
    std::string text = fmt::format(".TP\n{}\n{}", heading(option), literal(option.help));
    // The names of warnings are many; `smec explain` lists them.
    if (!option.choices.empty() && option.names.front() != "-W")
        text += literal(fmt::format(" ({})", fmt::join(option.choices, ", ")));
    return text + "\n";
}

bool same(const OptionEntry& a, const OptionEntry& b) {
    return a.names == b.names && a.help == b.help;
}

bool has(const CommandEntry& command, const OptionEntry& option) {
    return std::any_of(command.options.begin(), command.options.end(),
                       [&](const OptionEntry& other) { return same(option, other); });
}

constexpr const char* kClosing = R"(.SH EXIT STATUS
.TP
0
good
.TP
1
errors in the source, a failed run, or the status given by \fBstop\fR
.TP
2
wrong usage
.TP
3
no C++ toolchain, it was killed, or the file system failed
.TP
4
a limit of resources or of time
.TP
70
an error of smec itself
.TP
130, 143
interrupted, or told to end
.TP
141
nobody reads the output
.SH ENVIRONMENT
.TP
.B CXX
the C++ compiler, where \fB\-\-cxx\fR does not name one
.TP
.B NO_COLOR
no colour in messages
.TP
.B SMEC_CACHE
a folder for what smec keeps, in place of \fI.smec/\fR
.TP
.B SMEC_CACHE_SIZE
what that may take, as 500M or 2G (2G); 0: as much as it likes
.SH FILES
.TP
.I .smec/
generated C++ and simulators, kept so that the next compilation is short; \fBsmec clean\fR removes them
.SH EXAMPLES
.nf
smec run counter.sme \-\-cycles 20
smec bench counter.sme \-\-threads 1,2,4 \-\-models m2
smec verify counter.sme \-\-cycles 1000
smec check *.sme \-Werror
smec fmt \-\-check *.sme
.fi
)";

class Page {
public:
    explicit Page(const std::vector<CommandEntry>& commands) : commands_(commands) {}

    std::string run() {
        text_ += fmt::format(".TH SMEC 1 \"\" \"smec {}\" \"smec manual\"\n", kVersion);
        text_ += ".SH NAME\nsmec \\- compiler for networks of processes that model hardware\n";
        synopsis();
        text_ += ".SH DESCRIPTION\nA network of processes that talk over buses, written in a file "
                 "NAME.sme, becomes a simulator.\nMessages go to standard error, results to "
                 "standard output.\n";
        commands();
        options();
        simulatorOptions();
        text_ += kClosing;
        return std::move(text_);
    }

private:
    void synopsis() {
        text_ += ".SH SYNOPSIS\n";
        for (const CommandEntry& command : commands_) {
            text_ += ".B smec " + literal(command.name) + "\n";
            if (!command.options.empty()) text_ += "[\\fIOPTION\\fR]...\n";
            if (!command.argument.empty()) text_ += argument(command) + "\n";
            if (!command.simulatorOptions.empty()) text_ += "[\\fISIMULATOR OPTION\\fR]...\n";
            text_ += ".br\n";
        }
    }

    static std::string argument(const CommandEntry& command) {
        const std::string several = command.severalArguments ? "..." : "";
        const std::string word = italic(command.argument) + several;
        return command.argumentRequired ? word : "[" + word + "]";
    }

    void commands() {
        text_ += ".SH COMMANDS\n";
        for (const CommandEntry& command : commands_)
            text_ += fmt::format(".TP\n{}\n{}\n", bold(command.name), literal(command.help));
    }

    /// Runs of options that the same commands take, under the names of these commands.
    void options() {
        text_ += ".SH OPTIONS\n";
        std::string title;
        std::vector<const OptionEntry*> printed;
        for (const CommandEntry& command : commands_) {
            for (const OptionEntry& option : command.options) {
                const bool known =
                    std::any_of(printed.begin(), printed.end(),
                                [&](const OptionEntry* other) { return same(*other, option); });
                if (known) continue;
                printed.push_back(&option);
                const std::string commands = takers(option);
                if (commands != title) text_ += ".SS " + literal(commands) + "\n";
                title = commands;
                text_ += optionText(option);
            }
        }
    }

    std::string takers(const OptionEntry& option) const {
        std::vector<std::string> names;
        for (const CommandEntry& command : commands_) {
            if (has(command, option)) names.push_back(command.name);
        }
        return names.size() == commands_.size() ? "all commands"
                                                : fmt::format("{}", fmt::join(names, ", "));
    }

    void simulatorOptions() {
        text_ += ".SH SIMULATOR OPTIONS\nA simulator takes these, and so does\n.BR \"smec run\" .\n"
                 ".B smec bench\ntakes those that bear on the time of a run, and\n"
                 ".B smec verify\nthose that bear on plans and inputs.\nWhat stands "
                 "after\n.B \\-\\-\nis passed on as it is.\n";
        for (const CommandEntry& command : commands_) {
            if (command.name != "run") continue;  // others take some of the same
            for (const OptionEntry& option : command.simulatorOptions)
                text_ += optionText(option);
        }
    }

    const std::vector<CommandEntry>& commands_;
    std::string text_;
};

}  // namespace

std::string manualPage(const std::vector<CommandEntry>& commands) { return Page(commands).run(); }

}  // namespace smec::driver
