#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

namespace smec::ast {

/// Text in lines: four spaces a level.
class TextWriter {
public:
    explicit TextWriter(std::string& out) : out_(out) {}

    template <typename... Parts>
    void text(const Parts&... parts) {
        ((out_ += parts), ...);
    }
    void word(bool present, std::string_view s) {
        if (present) out_ += s;
    }
    void startLine() { out_.append(4 * level_, ' '); }
    void indent() { ++level_; }
    void dedent() { --level_; }
    void closeBrace() {
        startLine();
        text("}");
    }

    /// `{`, one line per entry, `}`; `{ }` where there is none.
    template <typename Entries, typename PrintEntry>
    void braced(const Entries& entries, PrintEntry printEntry) {
        if (entries.empty()) return text("{ }");
        text("{\n");
        indent();
        for (const auto& entry : entries) {
            startLine();
            printEntry(entry);
            text("\n");
        }
        dedent();
        closeBrace();
    }

    /// Between commas.
    template <typename Entries, typename PrintEntry>
    void listed(const Entries& entries, PrintEntry printEntry) {
        bool first = true;
        for (const auto& entry : entries) {
            word(!std::exchange(first, false), ", ");
            printEntry(entry);
        }
    }

private:
    std::string& out_;
    std::size_t level_ = 0;
};

}  // namespace smec::ast
