#include "driver/commands/explain.h"

#include <cstdint>
#include <cstdio>
#include <string>
#include <string_view>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "diag/diagnostics.h"
#include "driver/system/exit_status.h"

// docs/diagnostics.md is part of the program. A section of it is a message:
//
//     ## unknown-name
//     Error: `unknown name '…'`
//
//     Text in paragraphs.
//
//     ```sme fails
//     (a program)
//     ```
//     ```sme works
//     (a program)
//     ```

namespace smec {
extern const std::string_view kDiagnosticsPage;
}

namespace smec::driver {
namespace {

/// The section of a message, from after its heading to the next heading; empty: there is none.
std::string_view sectionOf(std::string_view name) {
    const std::string heading = fmt::format("\n## {}\n", name);
    const std::size_t begin = kDiagnosticsPage.find(heading);
    if (begin == std::string_view::npos) return {};
    std::string_view rest = kDiagnosticsPage.substr(begin + heading.size());
    const std::size_t section = rest.find("\n## ");
    const std::size_t chapter = rest.find("\n# ");
    return rest.substr(0, std::min(section, chapter));
}

std::string_view nextLine(std::string_view& text) {
    const std::size_t end = text.find('\n');
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    return line;
}

/// The section as text for a terminal: programs indented, under a title instead of between fences.
std::string plain(std::string_view section) {
    std::string text;
    bool inProgram = false;
    while (!section.empty()) {
        const std::string_view line = nextLine(section);
        if (line.starts_with("```")) {
            inProgram = !inProgram;
            if (line.starts_with("```sme fails")) text += "For example, this is wrong:\n\n";
            if (line.starts_with("```sme works")) text += "\nThis is right:\n\n";
            continue;
        }
        if (inProgram && !line.empty()) text += "    ";
        text.append(line).append("\n");
    }
    while (text.ends_with("\n\n"))
        text.pop_back();
    return text;
}

const char* severityName(const DiagInfo& entry) {
    return entry.severity == Severity::Warning ? "warning" : "error";
}

template <typename Use>
void eachMessage(Use use) {
    for (std::uint16_t i = 0; i < static_cast<std::uint16_t>(DiagId::Count); ++i) {
        const DiagInfo& entry = info(static_cast<DiagId>(i));
        if (entry.severity != Severity::Note) use(entry);
    }
}

/// The words of a message with an ellipsis for each part that varies.
std::string wordsOf(const DiagInfo& entry) {
    std::string words;
    const std::string_view text = entry.text;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const bool isDouble = i + 1 < text.size() && text[i + 1] == text[i];
        if ((text[i] == '{' || text[i] == '}') && isDouble) {
            words += text[i++];
        } else if (text[i] == '{') {
            words += "\u2026";
            i = text.find('}', i);
        } else {
            words += text[i];
        }
    }
    return words;
}

/// The name in what people copy: `[unused]`, and what stands after -W in `-Wno-unused`.
std::string_view nameIn(std::string_view word) {
    if (word.starts_with('[') && word.ends_with(']')) word = word.substr(1, word.size() - 2);
    if (!sectionOf(word).empty()) return word;
    for (const std::string_view prefix : {"no-error=", "error=", "no-"}) {
        if (word.starts_with(prefix)) return word.substr(prefix.size());
    }
    return word;
}

int list() {
    eachMessage([](const DiagInfo& entry) {
        fmt::print("{:<24} {:<8} {}\n", entry.name, severityName(entry), wordsOf(entry));
    });
    return exit_status::kGood;
}

int unknown(std::string_view name) {
    std::vector<std::string> names;
    eachMessage([&](const DiagInfo& entry) { names.emplace_back(entry.name); });
    const std::string nearest = nearestName(name, names);
    const std::string hint =
        nearest.empty() ? "'smec explain' lists them" : fmt::format("did you mean '{}'?", nearest);
    fmt::print(stderr, "smec: error: there is no message '{}'; {}\n", name, hint);
    return exit_status::kUsage;
}

int explain(const std::vector<std::string>& names) {
    if (names.empty()) return list();
    int status = exit_status::kGood;
    for (std::size_t i = 0; i < names.size(); ++i) {
        const std::string_view name = nameIn(names[i]);
        const std::string_view section = sectionOf(name);
        if (section.empty()) {
            status = unknown(name);
            continue;
        }
        fmt::print("{}{}\n\n{}", i > 0 ? "\n" : "", name, plain(section));
    }
    return status;
}

class ExplainCommand final : public Command {
public:
    const char* name() const override { return "explain"; }
    const char* help() const override { return "explain messages, or list all of them"; }
    void declare(CLI::App& app) override {
        app.add_option("ID", names_, "what stands in [brackets] after a message")
            ->type_name("")
            ->expected(0, -1);
    }
    std::string finish(const CLI::App&) override { return {}; }
    int execute() override { return explain(names_); }

private:
    std::vector<std::string> names_;
};

}  // namespace

std::unique_ptr<Command> makeExplainCommand() { return std::make_unique<ExplainCommand>(); }

}  // namespace smec::driver
