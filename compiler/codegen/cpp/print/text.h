#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>

#include <fmt/format.h>

/// Text of C++: lines with indentation, literals, identifiers.
namespace smec::codegen::cpp {

/// Whether lines that are too long go on in the next one.
enum class LongLines : std::uint8_t {
    Break,
    Keep  ///< after a #line every line counts
};

class Writer {
public:
    /// Bytes of the longest line, where it can be broken: at white space, or inside a string.
    static constexpr std::size_t kColumns = 140;
    /// Bytes of an expression that stands in a line of its own, with a name, and of one that is written
    /// out again rather than named.
    static constexpr std::size_t kLongText = 110, kShortText = 12;

    template <typename... Args>
    void line(fmt::format_string<Args...> format, Args&&... args) {
        const std::size_t start = text_.size();
        indent();
        fmt::format_to(std::back_inserter(text_), format, std::forward<Args>(args)...);
        endLine(start);
    }
    /// A line that opens a scope: "{" is appended.
    template <typename... Args>
    void open(fmt::format_string<Args...> format, Args&&... args) {
        const std::size_t start = text_.size();
        indent();
        const std::size_t indented = text_.size();
        fmt::format_to(std::back_inserter(text_), format, std::forward<Args>(args)...);
        text_ += text_.size() == indented ? "{" : " {";
        endLine(start);
        ++depth_;
    }
    /// "}" and what follows it.
    void close(std::string_view after = "") {
        --depth_;
        const std::size_t start = text_.size();
        indent();
        text_ += '}';
        text_ += after;
        endLine(start);
    }
    /// Closes a scope and opens the next on one line: `} else {`.
    void reopen(std::string_view between) {
        --depth_;
        const std::size_t start = text_.size();
        indent();
        text_ += "} ";
        text_ += between;
        text_ += " {";
        endLine(start);
        ++depth_;
    }
    void blank() { text_ += '\n'; }
    /// A line at the left margin: labels, preprocessor directives.
    void margin(std::string_view text) {
        text_ += text;
        text_ += '\n';
    }
    /// `#line`, and what it means for the lines after it.
    void lineDirective(std::string_view text, LongLines next) {
        margin(text);
        longLines_ = next;
    }
    void append(std::string_view text) { text_ += text; }
    const std::string& text() const { return text_; }
    std::string take() { return std::move(text_); }
    int depth() const { return depth_; }
    void setDepth(int depth) { depth_ = depth; }

private:
    void indent() { text_.append(static_cast<std::size_t>(depth_) * 4, ' '); }
    void endLine(std::size_t start) {
        if (text_.size() - start > kColumns && longLines_ == LongLines::Break) breakLine(start);
        text_ += '\n';
    }
    void breakLine(std::size_t start);

    std::string text_;
    int depth_ = 0;
    LongLines longLines_ = LongLines::Break;
};

/// A C++ string literal with quotes; any bytes.
std::string stringLiteral(std::string_view text);

/// Text for a `//` comment: no line ends, no backslashes.
std::string comment(std::string_view text);

/// Identifiers of one scope: readable, never a keyword, a name used by the generator, or one handed
/// out before.
class Names {
public:
    Names() = default;
    /// An identifier made from a name of the source ("status.n" → status_n).
    std::string add(std::string_view name);

private:
    std::set<std::string, std::less<>> taken_;
    std::unordered_map<std::string, std::uint32_t> last_;
};

/// A name of the source as C++ outside of the design uses it: keywords get an underscore after.
std::string memberName(const std::string& name);

/// Letters, digits and single underscores; never empty, never a keyword.
std::string identifier(std::string_view name);

}  // namespace smec::codegen::cpp
