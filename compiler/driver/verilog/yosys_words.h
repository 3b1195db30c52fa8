#pragma once

#include <concepts>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include <fmt/format.h>

namespace smec::driver {

/// A word of a script of Yosys: letters, digits and `_ . $ / = : + ' [ ] , @ -`, no sign first but
/// `_`, `.`, `$` and `/`. Nothing else gets into a script: Yosys ends a word at blanks, a command at
/// `;` and line ends, takes `"`, `#`, `\`, `<<`, `*` and `~` as more than themselves, and gives a
/// line that begins with `!` to a shell.
class YosysWord {
public:
    static bool fits(std::string_view text);
    /// Throws FileError where it does not fit.
    explicit YosysWord(std::string text);

    const std::string& text() const { return text_; }

private:
    std::string text_;
};

/// Commands of Yosys. What is not written in smec's own source gets in as a word alone.
class YosysScript {
public:
    template <typename T>
    static constexpr bool isSafe = std::same_as<std::remove_cvref_t<T>, YosysWord>
                                   || std::same_as<std::remove_cvref_t<T>, YosysScript>
                                   || std::integral<std::remove_cvref_t<T>>;

    /// As fmt::format(); words, numbers and other scripts go into the braces.
    template <typename... Args>
        requires(isSafe<Args> && ...)
    YosysScript& add(fmt::format_string<Args...> format, Args&&... args) {
        fmt::format_to(std::back_inserter(text_), format, std::forward<Args>(args)...);
        return *this;
    }

    const std::string& text() const { return text_; }

private:
    std::string text_;
};

/// A script of one call.
template <typename... Args>
YosysScript yosysScript(fmt::format_string<Args...> format, Args&&... args) {
    YosysScript script;
    script.add(format, std::forward<Args>(args)...);
    return script;
}

}  // namespace smec::driver

template <typename T>
    requires(std::same_as<T, smec::driver::YosysWord> || std::same_as<T, smec::driver::YosysScript>)
struct fmt::formatter<T> : fmt::formatter<std::string_view> {
    auto format(const T& word, fmt::format_context& context) const {
        return fmt::formatter<std::string_view>::format(word.text(), context);
    }
};
