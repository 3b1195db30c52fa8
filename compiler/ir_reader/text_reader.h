#pragma once

#include <concepts>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "ir_reader/parse.h"

namespace smec::ir {

/// Thrown to parse(), which returns it.
struct Problem {
    TextError error;
};

/// A name with the number behind it, where others are called alike: t#3, x.v@1. Ordered, for maps.
struct NumberedName {
    std::string name;
    char mark = 0;  ///< '#', '@' or none
    std::uint32_t number = 0;
    auto operator<=>(const NumberedName&) const = default;
};

/// The text of a design, read from line to line; a line is read word by word. What is not as expected
/// is thrown. Empty lines and those that begin with // are no lines.
class TextReader {
public:
    static constexpr std::uint32_t kWidest = 1U << 17;        ///< bits of a number
    static constexpr std::size_t kLongestNumber = 100'000;    ///< digits
    static constexpr std::uint64_t kMostValues = 1ULL << 24;  ///< of a list

    explicit TextReader(std::string_view text);

    bool isAtEnd() const { return line_ == lines_.size(); }
    /// Levels of four spaces in front of the line; 0 at the end.
    std::uint32_t depth() const { return isAtEnd() ? 0 : lines_[line_].depth; }
    /// The line ends here.
    void endLine();

    /// Whether this comes next, as a whole word if it is one. Spaces in front do not matter.
    bool isNext(std::string_view word);
    bool accept(std::string_view word);
    void expect(std::string_view word);
    bool isLineDone();
    /// A line of `depth` that begins with a word.
    bool acceptLine(std::uint32_t depth, std::string_view word);
    /// The place of one of the words, longest first; they may be several.
    template <typename Words>
    std::uint32_t oneOf(const Words& words, std::string_view what);

    template <std::integral T>
    T number();
    Integer integer();
    double real();
    /// Whether a digit, or a minus with one behind it, comes next.
    bool isNumberNext();
    /// f32 or f64 behind digits make a floating constant of them.
    bool isRealNext();

    std::string name();
    NumberedName numberedName();
    std::string quoted();
    bool isQuotedNext() { return isNext("\""); }
    bool isNameNext();
    Scalar scalar();
    StorageType storage();
    std::optional<Interval> range();
    Constants values(const Scalar& type);
    std::optional<std::uint32_t> enumeration();
    /// "u8": a sign and bits, none included.
    std::pair<bool, std::uint32_t> sized(std::uint32_t least);

    /// Where the next word begins, for messages and to go back to.
    std::size_t start() {
        skipSpaces();
        return at_;
    }
    void goBack(std::size_t place) { at_ = place; }
    template <typename... Args>
    [[noreturn]] void fail(fmt::format_string<Args...> format, Args&&... args) const {
        failAt(at_, fmt::format(format, std::forward<Args>(args)...));
    }
    [[noreturn]] void failAt(std::size_t place, const std::string& message) const;

private:
    struct Line {
        std::size_t begin, end;  ///< without the spaces in front
        std::uint32_t number, depth;
    };

    void addLine(std::size_t begin, std::size_t end, std::uint32_t number);
    void skipSpaces();
    char next(std::size_t ahead = 0) const {
        return at_ + ahead < end() ? text_[at_ + ahead] : '\0';
    }
    std::size_t end() const { return isAtEnd() ? text_.size() : lines_[line_].end; }
    bool goesOn(std::size_t length) const;
    std::string found() const;
    std::string_view digits();
    Constant value(const Scalar& type);

    std::string_view text_;
    std::vector<Line> lines_;
    std::size_t line_ = 0;
    std::size_t at_ = 0;
};

template <typename Words>
std::uint32_t TextReader::oneOf(const Words& words, std::string_view what) {
    std::size_t best = std::size(words);
    for (std::size_t i = 0; i < std::size(words); ++i) {
        if (!words[i].empty() && isNext(words[i])
            && (best == std::size(words) || words[i].size() > words[best].size()))
            best = i;
    }
    if (best == std::size(words)) fail("expected {}, found {}", what, found());
    accept(words[best]);
    return static_cast<std::uint32_t>(best);
}

template <std::integral T>
T TextReader::number() {
    skipSpaces();
    const std::size_t begin = at_;
    const Integer value = integer();
    if (value < std::numeric_limits<T>::min() || value > std::numeric_limits<T>::max())
        failAt(begin, "a number out of range");
    return static_cast<T>(value);
}

}  // namespace smec::ir
