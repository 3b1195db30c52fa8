#include "sema/check/data_file.h"

#include <charconv>

#include "sema/operand_types.h"
#include "source/one_line.h"

// file("x.hex"): words as $readmemh reads them.
//   0001 00ff      // comments of both kinds
//   @5 1_234       // an address in hexadecimal, then words from there on

namespace smec::sema {

namespace {

/// Splits the text into words; keeps count of lines.
class HexReader {
public:
    explicit HexReader(std::string text) : text_(std::move(text)) {}

    std::size_t line() const { return line_; }
    /// The next word; empty at the end. Valid as long as the reader.
    std::string_view next() {
        skipBlank();
        const std::size_t start = at_;
        while (at_ < text_.size() && !isBlank(text_[at_]) && !startsComment())
            ++at_;
        return std::string_view(text_).substr(start, at_ - start);
    }

private:
    static bool isBlank(char c) {
        return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f';
    }
    bool startsComment() const {
        if (text_[at_] != '/') return false;
        return text_.compare(at_, 2, "//") == 0 || text_.compare(at_, 2, "/*") == 0;
    }
    void advance() { line_ += text_[at_++] == '\n'; }
    void skipBlank() {
        while (at_ < text_.size()) {
            if (isBlank(text_[at_])) {
                advance();
            } else if (!startsComment()) {
                return;
            } else if (text_[at_ + 1] == '/') {
                while (at_ < text_.size() && text_[at_] != '\n')
                    ++at_;
            } else {
                std::size_t end = text_.find("*/", at_ + 2);
                std::size_t stop = end == std::string::npos ? text_.size() : end + 2;
                while (at_ < stop)
                    advance();
            }
        }
    }

    std::string text_;
    std::size_t at_ = 0;
    std::size_t line_ = 1;
};

std::optional<hir::Integer> hexValue(std::string_view word) {
    hir::Integer value = 0;
    std::string digits;
    for (char c : word) {
        if (c == '_') continue;
        if (!std::isxdigit(static_cast<unsigned char>(c))) return std::nullopt;
        digits += c;
    }
    if (digits.empty() || digits.size() > kMaxBits / 4 + 1) return std::nullopt;
    if (digits.size() <= 16) {
        std::uint64_t small = 0;
        std::from_chars(digits.data(), digits.data() + digits.size(), small, 16);
        return hir::Integer(small);
    }
    return hir::Integer("0x" + digits);
}

}  // namespace

/// Each takes some 100 bytes on the way to model.bin.
constexpr std::size_t kMostDataWords = 4'194'304;

DataWords readWords(std::string text, const hir::TypeTable& types, const hir::ArrayType& array) {
    const hir::IntType& element = *types.as<hir::IntType>(array.element);
    DataWords result;
    result.values.append(array.count, hir::defaultValue(types, array.element));
    HexReader reader(std::move(text));
    hir::Integer address = 0;
    std::size_t words = 0;
    auto failed = [&](std::string why) {
        result.error = std::move(why);
        result.line = reader.line();
        return result;
    };
    for (std::string_view word = reader.next(); !word.empty(); word = reader.next()) {
        bool isAddress = word.front() == '@';
        auto value = hexValue(isAddress ? word.substr(1) : word);
        if (!value) return failed(quotedWord(word) + " is no hexadecimal number");
        if (isAddress) {
            address = *value;
            continue;
        }
        if (++words > kMostDataWords)
            return failed("more than " + std::to_string(kMostDataWords) + " words");
        if (address >= array.count)
            return failed("too many words; the array has " + std::to_string(array.count)
                          + " elements");
        hir::Integer stored = hir::wrap(*value, element.width, element.isSigned);
        if (hir::bitsFor(*value) > element.width || !fits(types, array.element, stored))
            return failed(quotedWord(word) + " does not fit " + types.name(array.element));
        result.values.edit(address.convert_to<std::size_t>()) = hir::Value{std::move(stored)};
        ++address;
    }
    return result;
}

}  // namespace smec::sema
