#pragma once

#include <string>
#include <utility>
#include <vector>

#include "ast/print.h"
#include "syntax/parse.h"

namespace smec::test {

/// A parsed text with all that belongs to it.
struct Parsed {
    SourceManager sources;
    Diagnostics diagnostics;
    ast::Module module;

    explicit Parsed(std::string text) {
        FileId file = sources.add("test.sme", std::move(text));
        module = syntax::parse(sources, file, diagnostics);
    }

    /// "5:12 unexpected '*'; expected an expression [syntax]", one for each diagnostic, in the
    /// order of reporting.
    std::vector<std::string> messages() const {
        std::vector<std::string> out;
        for (const Diagnostic& d : diagnostics.all()) {
            LineColumn at = sources.position(d.range.file, d.range.begin);
            out.push_back(
                fmt::format("{}:{} {} [{}]", at.line, at.column, d.message, info(d.id).name));
        }
        return out;
    }
};

/// The dump of an expression; the first message where there is one.
inline std::string expression(const std::string& text) {
    Parsed parsed("const x = " + text + ";");
    if (!parsed.diagnostics.all().empty()) return parsed.messages().front();
    std::string dump = ast::dump(parsed.module);
    std::string head = "Module\n  Const x = ";
    return dump.substr(head.size(), dump.size() - head.size() - 1);
}

/// The dump of one statement, without indentation where it is one line.
inline std::string statement(const std::string& text) {
    Parsed parsed("proc p() { " + text + " }");
    if (!parsed.diagnostics.all().empty()) return parsed.messages().front();
    std::string dump = ast::dump(parsed.module);
    std::string head = "Module\n  Proc p\n    Block\n      ";
    return dump.substr(head.size(), dump.size() - head.size() - 1);
}

inline std::string repeated(const std::string& text, std::size_t times) {
    std::string out;
    out.reserve(text.size() * times);
    for (std::size_t i = 0; i < times; ++i)
        out += text;
    return out;
}

}  // namespace smec::test
