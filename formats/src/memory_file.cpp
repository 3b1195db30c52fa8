#include "formats/memory_file.h"

#include <cstring>
#include <vector>

#include "formats/opened_input.h"
#include "formats/opened_output.h"

namespace sme {
namespace {

constexpr std::size_t kLongestShown = 40;

/// A word of the file in a message.
std::string shown(std::string_view word) {
    std::string text("'");
    for (const char c : word.substr(0, kLongestShown))
        text += c > ' ' && c < 0x7f ? c : '?';
    return text + (word.size() > kLongestShown ? "…'" : "'");
}

/// Splits the text into words; keeps count of lines and columns.
class Words {
public:
    explicit Words(std::string_view text) : text_(text) {}

    /// The next one; empty at the end.
    std::string_view next() {
        while (at_ < text_.size() && (isBlank(text_[at_]) || startsComment()))
            isBlank(text_[at_]) ? advance() : skipComment();
        start_ = at_;
        while (at_ < text_.size() && !isBlank(text_[at_]) && !startsComment())
            ++at_;
        return text_.substr(start_, at_ - start_);
    }
    /// Of the word that came last, or of a letter of it.
    std::string place(std::size_t letter = 0) const {
        return std::to_string(line_) + ":" + std::to_string(start_ + letter - lineStart_ + 1);
    }

private:
    static bool isBlank(char c) {
        return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f';
    }
    bool startsComment() const {
        const std::string_view two = text_.substr(at_, 2);
        return two == "//" || two == "/*";
    }
    void advance() {
        if (text_[at_++] != '\n') return;
        ++line_;
        lineStart_ = at_;
    }
    void skipComment() {
        const bool isLine = text_[at_ + 1] == '/';
        const std::size_t end = text_.find(isLine ? "\n" : "*/", at_ + 2);
        const std::size_t stop =
            end == std::string_view::npos ? text_.size() : end + (isLine ? 0 : 2);
        while (at_ < stop)
            advance();
    }

    std::string_view text_;
    std::size_t at_ = 0;
    std::size_t start_ = 0;
    std::size_t line_ = 1;
    std::size_t lineStart_ = 0;
};

/// Of a digit; 16 of anything else.
unsigned digitValue(char c) {
    if (c >= '0' && c <= '9') return static_cast<unsigned>(c - '0');
    if (c >= 'a' && c <= 'f') return static_cast<unsigned>(c - 'a') + 10;
    if (c >= 'A' && c <= 'F') return static_cast<unsigned>(c - 'A') + 10;
    return 16;
}

/// Puts digits of 1 or 4 bits each into limbs, as many as it takes.
class Number {
public:
    explicit Number(unsigned bitsOfDigit) : bitsOfDigit_(bitsOfDigit) {}

    /// Where the first letter stands that is no digit; npos: there is none.
    std::size_t read(std::string_view text) {
        limbs_.assign(text.size() * bitsOfDigit_ / 64 + 1, 0);
        std::size_t bit = 0;
        for (std::size_t i = text.size(); i-- > 0;) {
            if (text[i] == '_') continue;
            const std::uint64_t digit = digitValue(text[i]);
            if (digit >= std::uint64_t{1} << bitsOfDigit_) return firstWrong(text);
            limbs_[bit / 64] |= digit << bit % 64;
            bit += bitsOfDigit_;
        }
        return bit == 0 ? 0 : std::string_view::npos;
    }
    bool fits(std::uint32_t bits) const {
        for (std::size_t i = bits / 64; i < limbs_.size(); ++i) {
            const std::uint64_t kept = i == bits / 64 ? limbs_[i] >> bits % 64 : limbs_[i];
            if (kept != 0) return false;
        }
        return true;
    }
    std::span<const std::uint64_t> limbs(std::uint32_t bits) {
        limbs_.resize((bits + 63) / 64, 0);
        return limbs_;
    }
    std::uint64_t low() const { return limbs_[0]; }

private:
    std::size_t firstWrong(std::string_view text) const {
        std::size_t at = 0;
        while (text[at] == '_' || digitValue(text[at]) < 1U << bitsOfDigit_)
            ++at;
        return at;
    }

    unsigned bitsOfDigit_;
    std::vector<std::uint64_t> limbs_;
};

class MemoryReader {
public:
    MemoryReader(const std::string& path, std::string_view text, const MemoryShape& shape,
                 const StoreWord& store)
        : path_(path), words_(text), shape_(shape), store_(store) {}

    MemoryProblem run() {
        const unsigned bits = path_.ends_with(".bin") ? 1 : 4;
        for (std::string_view word = words_.next(); !word.empty(); word = words_.next()) {
            const MemoryProblem problem = word[0] == '@' ? goTo(word) : take(word, bits);
            if (problem) return problem;
        }
        return {};
    }

private:
    MemoryProblem wrong(const std::string& message, std::size_t letter = 0) const {
        return {1, path_ + ":" + words_.place(letter) + ": error: " + message};
    }
    MemoryProblem noDigits(std::string_view word, std::size_t letter, unsigned bits) const {
        const std::string what = bits == 1 ? "binary" : "hexadecimal";
        if (letter >= word.size() || word[letter] == '_')
            return wrong(shown(word) + " is no " + what + " number");
        return wrong(shown(word.substr(letter, 1)) + " is no " + what + " digit", letter);
    }
    MemoryProblem outside(const std::string& address) const {
        return wrong("address " + address + " is beyond the memory, which has "
                     + std::to_string(shape_.words) + " words");
    }

    MemoryProblem goTo(std::string_view word) {
        Number number(4);
        const std::size_t letter = number.read(word.substr(1));
        if (letter != std::string_view::npos) return noDigits(word, letter + 1, 4);
        if (!number.fits(64) || number.low() >= shape_.words)
            return outside("0x" + std::string(word.substr(1, kLongestShown)));
        address_ = number.low();
        return {};
    }

    MemoryProblem take(std::string_view word, unsigned bits) {
        Number number(bits);
        const std::size_t letter = number.read(word);
        if (letter != std::string_view::npos) return noDigits(word, letter, bits);
        if (address_ >= shape_.words) return outside(std::to_string(address_));
        if (!number.fits(shape_.bits))
            return wrong(shown(word) + " has more than " + std::to_string(shape_.bits) + " bits");
        if (!store_(address_, number.limbs(shape_.bits)))
            return wrong(shown(word) + " is no value of the memory's type");
        ++address_;
        return {};
    }

    const std::string& path_;
    Words words_;
    MemoryShape shape_;
    const StoreWord& store_;
    std::uint64_t address_ = 0;
};

}  // namespace

std::optional<MemoryOption> readMemoryOption(std::string_view text) {
    const std::size_t equals = text.find('=');
    if (equals == std::string_view::npos || equals == 0 || equals + 1 == text.size())
        return std::nullopt;
    return MemoryOption{std::string(text.substr(0, equals)), std::string(text.substr(equals + 1))};
}

MemoryProblem readMemoryFile(const std::string& path, const MemoryShape& shape,
                             const StoreWord& store) {
    std::string text;
    if (const int why = readAll(path, text))
        return {3, "cannot read '" + path + "': " + reasonOf(why)};
    return MemoryReader(path, text, shape, store).run();
}

}  // namespace sme
