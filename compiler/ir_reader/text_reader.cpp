#include "ir_reader/text_reader.h"

#include <algorithm>
#include <bit>
#include <charconv>

namespace smec::ir {

namespace {

bool isDigit(char c) { return c >= '0' && c <= '9'; }
bool isWordChar(char c) {
    return isDigit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

int hexDigit(char c) {
    if (isDigit(c)) return c - '0';
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

}  // namespace

TextReader::TextReader(std::string_view text) : text_(text) {
    std::uint32_t number = 1;
    for (std::size_t begin = 0; begin < text.size(); ++number) {
        const std::size_t end = std::min(text.find('\n', begin), text.size());
        addLine(begin, end, number);
        begin = end + 1;
    }
    if (!lines_.empty()) at_ = lines_[0].begin;
}

void TextReader::addLine(std::size_t begin, std::size_t end, std::uint32_t number) {
    std::size_t first = begin;
    while (first < end && text_[first] == ' ')
        ++first;
    if (first == end || text_.substr(first, 2) == "//") return;
    const std::size_t spaces = first - begin;
    lines_.push_back({first, end, number, static_cast<std::uint32_t>(spaces / 4)});
    if (spaces % 4 == 0) return;
    line_ = lines_.size() - 1;
    failAt(first, "a line that does not begin behind a multiple of four spaces");
}

void TextReader::failAt(std::size_t place, const std::string& message) const {
    if (lines_.empty()) throw Problem{{1, 1, message}};
    const Line& line = lines_[std::min(line_, lines_.size() - 1)];
    const std::size_t newline = text_.substr(0, line.begin).rfind('\n');
    const std::size_t begin = newline == std::string_view::npos ? 0 : newline + 1;
    const std::size_t at = std::clamp(place, begin, line.end);
    throw Problem{{line.number, static_cast<std::uint32_t>(at - begin + 1), message}};
}

/// What stands where something else should, for messages.
std::string TextReader::found() const {
    if (at_ >= end()) return isAtEnd() ? "the end of the text" : "the end of the line";
    std::size_t last = at_ + 1;
    if (isWordChar(text_[at_]))
        while (last < end() && isWordChar(text_[last]) && last < at_ + 30)
            ++last;
    return fmt::format("'{}'", text_.substr(at_, last - at_));
}

void TextReader::skipSpaces() {
    while (next() == ' ')
        ++at_;
}

bool TextReader::isLineDone() {
    skipSpaces();
    return at_ >= end();
}

void TextReader::endLine() {
    if (!isLineDone()) fail("expected the end of the line, found {}", found());
    ++line_;
    if (!isAtEnd()) at_ = lines_[line_].begin;
}

bool TextReader::isNext(std::string_view word) {
    skipSpaces();
    if (isAtEnd() || text_.substr(at_, end() - at_).substr(0, word.size()) != word) return false;
    return !isWordChar(word.back()) || !goesOn(word.size());
}

/// Whether a name that begins here is longer: "if" is a word, "if.v" and "if#3" are names.
bool TextReader::goesOn(std::size_t length) const {
    const char c = next(length);
    return isWordChar(c) || c == '#' || c == '@' || (c == '.' && isWordChar(next(length + 1)));
}

bool TextReader::accept(std::string_view word) {
    if (!isNext(word)) return false;
    at_ += word.size();
    return true;
}

void TextReader::expect(std::string_view word) {
    if (!accept(word)) fail("expected '{}', found {}", word, found());
}

bool TextReader::acceptLine(std::uint32_t depth, std::string_view word) {
    return !isAtEnd() && this->depth() == depth && accept(word);
}

std::string_view TextReader::digits() {
    const std::size_t begin = at_;
    while (isDigit(next()))
        ++at_;
    if (at_ == begin) fail("expected a number, found {}", found());
    if (at_ - begin > kLongestNumber) failAt(begin, "a number of too many digits");
    return text_.substr(begin, at_ - begin);
}

bool TextReader::isNumberNext() {
    skipSpaces();
    return isDigit(next()) || (next() == '-' && isDigit(next(1)));
}

bool TextReader::isRealNext() {
    if (!isNumberNext()) return false;
    std::size_t ahead = next() == '-' ? 1 : 0;
    while (isDigit(next(ahead)))
        ++ahead;
    return (next(ahead) == '.' && isDigit(next(ahead + 1))) || next(ahead) == 'e'
           || next(ahead) == 'x';
}

Integer TextReader::integer() {
    skipSpaces();
    const bool isNegative = next() == '-' && isDigit(next(1));
    if (isNegative) ++at_;
    std::string_view text = digits();
    text.remove_prefix(std::min(text.find_first_not_of('0'), text.size() - 1));  // 0 is for octal
    const Integer value{std::string(text)};
    return isNegative ? Integer(-value) : value;
}

double TextReader::real() {
    skipSpaces();
    const char* const begin = text_.data() + at_;
    const char* const last = text_.data() + end();
    double value = 0;
    std::from_chars_result read{begin, std::errc::invalid_argument};
    if (next() == '0' && next(1) == 'x') {
        std::uint64_t bits = 0;
        constexpr std::ptrdiff_t kDigits = 16;  // what follows may be f32
        read =
            std::from_chars(begin + 2, begin + 2 + std::min(kDigits, last - begin - 2), bits, 16);
        value = std::bit_cast<double>(bits);
    } else if (isNumberNext()) {
        read = std::from_chars(begin, last, value);
    }
    if (read.ec != std::errc{}) fail("expected a floating-point number, found {}", found());
    at_ += static_cast<std::size_t>(read.ptr - begin);
    return value;
}

std::string TextReader::quoted() {
    expect("\"");
    std::string result;
    while (next() != '"') {
        if (at_ >= end()) fail("a text without end");
        const char c = text_[at_++];
        if (c != '\\') {
            result += c;
            continue;
        }
        const char escape = next();
        ++at_;
        if (escape == 'n') {
            result += '\n';
        } else if (escape == '"' || escape == '\\') {
            result += escape;
        } else if (escape == 'x' && hexDigit(next()) >= 0 && hexDigit(next(1)) >= 0) {
            result += static_cast<char>(hexDigit(next()) * 16 + hexDigit(next(1)));
            at_ += 2;
        } else {
            failAt(at_ - 2, "an unknown escape; \\n, \\\", \\\\ and \\xHH are known");
        }
    }
    ++at_;
    return result;
}

bool TextReader::isNameNext() { return isQuotedNext() || (isWordChar(next()) && !isDigit(next())); }

std::string TextReader::name() {
    if (isQuotedNext()) return quoted();
    const std::size_t begin = at_;
    if (isWordChar(next()) && !isDigit(next())) {
        // a name has dots inside, but not two: those are a range
        while (isWordChar(next()) || (next() == '.' && isWordChar(next(1))))
            ++at_;
    }
    if (at_ == begin) fail("expected a name, found {}", found());
    return std::string(text_.substr(begin, at_ - begin));
}

NumberedName TextReader::numberedName() {
    NumberedName result{name(), 0, 0};
    if (next() != '#' && next() != '@') return result;
    result.mark = text_[at_++];
    if (!isDigit(next())) fail("expected a number, found {}", found());
    result.number = number<std::uint32_t>();
    return result;
}

std::pair<bool, std::uint32_t> TextReader::sized(std::uint32_t least) {
    skipSpaces();
    if ((next() != 'u' && next() != 'i') || !isDigit(next(1)))
        fail("expected a type, found {}", found());
    const std::size_t begin = at_;
    const bool isSigned = text_[at_++] == 'i';
    const auto width = number<std::uint32_t>();
    if (width < least || width > kWidest) failAt(begin, "a width out of range");
    return {isSigned, width};
}

Scalar TextReader::scalar() {
    if (accept("bool")) return {ScalarKind::Bool, false, 1};
    if (accept("f32")) return {ScalarKind::F32, true, 32};
    if (accept("f64")) return {ScalarKind::F64, true, 64};
    const auto [isSigned, width] = sized(1);
    return {ScalarKind::Int, isSigned, width};
}

StorageType TextReader::storage() {
    StorageType type;
    if (accept("[")) {
        const std::size_t begin = at_;
        type.length = number<std::uint32_t>();
        if (type.length == 0) failAt(begin, "an array without elements");
        expect("]");
    }
    type.scalar = scalar();
    return type;
}

std::optional<Interval> TextReader::range() {
    if (!accept("range")) return std::nullopt;
    Interval result;
    result.low = integer();
    expect("to");
    result.high = integer();
    return result;
}

std::optional<std::uint32_t> TextReader::enumeration() {
    if (!accept("enum")) return std::nullopt;
    return number<std::uint32_t>();
}

Constant TextReader::value(const Scalar& type) {
    const bool isFloat = type.kind == ScalarKind::F32 || type.kind == ScalarKind::F64;
    return isFloat ? Constant{real()} : Constant{integer()};
}

Constants TextReader::values(const Scalar& type) {
    Constants list;
    do {
        const std::size_t begin = start();
        std::uint64_t count = 1;
        if (isNumberNext() && !isRealNext()) {
            count = 0;
            const Integer number = integer();
            if (!accept("of")) {
                goBack(begin);
                count = 1;
            } else if (number > 0 && number <= kMostValues) {
                count = static_cast<std::uint64_t>(number);
            }
        }
        if (count == 0 || list.size() + count > kMostValues)
            failAt(begin, "a number of values out of range");
        list.append(static_cast<std::size_t>(count), value(type));
    } while (accept(","));
    return list;
}

}  // namespace smec::ir
