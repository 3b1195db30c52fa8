#include "driver/verilog/scan/lexer.h"

#include <algorithm>
#include <cctype>

namespace smec::driver::scan {
namespace {

bool isBlank(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }
bool isDigit(char c) { return c >= '0' && c <= '9'; }
bool isLetter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool isWord(char c) { return isLetter(c) || isDigit(c) || c == '$'; }
bool isBase(char c) {
    return c != '\0' && std::string_view("bodhBODH").find(c) != std::string_view::npos;
}
bool isSignLetter(char c) { return c == 's' || c == 'S'; }

/// Longest first.
constexpr std::string_view kSigns[] = {
    "<<<=", ">>>=", "<<<", ">>>", "===", "!==", "==?", "!=?", "<<=", ">>=", "|->",
    "|=>",  "<=",   ">=",  "==",  "!=",  "&&",  "||",  "**",  "++",  "--",  "+=",
    "-=",   "*=",   "/=",  "%=",  "&=",  "|=",  "^=",  "+:",  "-:",  "->",  "::",
    "~&",   "~|",   "~^",  "^~",  "<<",  ">>",  ".*",  "##"};

constexpr std::string_view kNotes[] = {"translate_off", "translate_on", "full_case",
                                       "parallel_case"};
constexpr std::string_view kVendors[] = {"synopsys", "synthesis", "pragma"};

}  // namespace

void Lexer::advance(std::size_t count) {
    for (; count > 0 && at_ < text_.size(); --count, ++at_) {
        if (text_[at_] != '\n') continue;
        ++line_;
        lineBegin_ = static_cast<std::ptrdiff_t>(at_) + 1;
    }
}

Token Lexer::token(std::size_t begin, TokenKind kind) const {
    const auto column =
        static_cast<std::uint32_t>(static_cast<std::ptrdiff_t>(begin) - lineBegin_ + 1);
    return {text_.substr(begin, at_ - begin),        line_, column,
            static_cast<std::uint32_t>(at_ - begin), file_, kind};
}

/// `text`: of a comment or an attribute at this place. A comment has to begin with somebody's name.
void Lexer::takeNotes(std::string_view text, bool isComment) {
    Tokens found;
    bool isFirst = true;
    for (std::size_t i = 0; i < text.size();) {
        if (!isLetter(text[i])) {
            if (isComment && isFirst && !isBlank(text[i])) return;
            ++i;
            continue;
        }
        const std::size_t begin = i;
        while (i < text.size() && isWord(text[i]))
            ++i;
        const std::string_view word = text.substr(begin, i - begin);
        if (isFirst && isComment && !isIn(word, kVendors)) return;
        isFirst = false;
        if (!isIn(word, kNotes)) continue;
        Token note = token(at_, TokenKind::Note);
        note.text = word;
        note.length = 1;
        found.push_back(note);
    }
    std::ranges::reverse(found);
    notes_ = std::move(found);
}

void Lexer::skipComment() {
    const bool isLine = peek(1) == '/';
    const std::size_t found = text_.find(isLine ? "\n" : "*/", at_ + 2);
    const std::size_t end = std::min(found, text_.size());
    takeNotes(text_.substr(std::min(at_ + 2, end), end - std::min(at_ + 2, end)), true);
    advance(end - at_ + (found == std::string_view::npos || isLine ? 0 : 2));
}

/// `(*` that is no `(*)` of a sensitivity list.
bool Lexer::skipAttribute() {
    std::size_t inside = at_ + 2;
    while (inside < text_.size() && isBlank(text_[inside]))
        ++inside;
    if (inside >= text_.size()
        || !(isLetter(text_[inside]) || text_[inside] == '\\' || text_[inside] == '`'))
        return false;
    const std::size_t end = text_.find("*)", inside);
    if (end == std::string_view::npos) return false;
    takeNotes(text_.substr(inside, end - inside), false);
    advance(end + 2 - at_);
    return true;
}

/// Returns whether there was something at this place that is no token.
bool Lexer::skipBlank() {
    const char c = peek();
    if (at_ >= text_.size()) return false;
    if (isBlank(c) || (c == '\\' && (peek(1) == '\n' || (peek(1) == '\r' && peek(2) == '\n')))) {
        advance(1);
        return true;
    }
    if (c == '/' && (peek(1) == '/' || peek(1) == '*')) {
        skipComment();
        return true;
    }
    return c == '(' && peek(1) == '*' && skipAttribute();
}

/// Behind the digits of a base that begins at a place, where there may be blanks; the place itself
/// where there is none.
std::size_t Lexer::basedEnd(std::size_t at) const {
    std::size_t i = at;
    while (i < text_.size() && (text_[i] == ' ' || text_[i] == '\t'))
        ++i;
    if (i >= text_.size() || text_[i] != '\'') return at;
    ++i;
    if (i < text_.size() && isSignLetter(text_[i])) ++i;
    if (i >= text_.size() || !isBase(text_[i])) return at;
    ++i;
    while (i < text_.size() && (text_[i] == ' ' || text_[i] == '\t'))
        ++i;
    while (i < text_.size() && (isWord(text_[i]) || text_[i] == '?') && text_[i] != '$')
        ++i;
    return i;
}

Token Lexer::takeNumber() {
    const std::size_t begin = at_;
    std::size_t i = at_;
    while (i < text_.size() && (isDigit(text_[i]) || text_[i] == '_'))
        ++i;
    if (const std::size_t end = basedEnd(i); end != i) {
        at_ = end;
        return token(begin, TokenKind::Number);
    }
    if (i + 1 < text_.size() && text_[i] == '.' && isDigit(text_[i + 1])) ++i;
    while (i < text_.size() && isWord(text_[i]))
        ++i;
    at_ = i;
    return token(begin, TokenKind::Number);
}

/// Ends with the line, too: a text that somebody has not closed hides no more than that.
Token Lexer::takeText() {
    const std::size_t begin = at_++;
    while (at_ < text_.size() && text_[at_] != '"' && text_[at_] != '\n')
        at_ += text_[at_] == '\\' && peek(1) != '\n' ? 2 : 1;
    at_ = std::min(at_, text_.size());
    if (peek() == '"') ++at_;
    return token(begin, TokenKind::Text);
}

Token Lexer::next() {
    for (;;) {
        if (!notes_.empty()) {
            const Token note = notes_.back();
            notes_.pop_back();
            return note;
        }
        if (!skipBlank()) break;
    }
    const std::size_t begin = at_;
    if (at_ >= text_.size()) return token(begin, TokenKind::End);
    const char c = peek();
    if (isDigit(c)) return takeNumber();
    if (c == '"') return takeText();
    if (c == '\'') {
        const char digit = peek(1);
        at_ = basedEnd(at_);
        if (at_ == begin && (digit == '0' || digit == '1' || digit == 'x' || digit == 'z'))
            at_ += 2;
        if (at_ != begin) return token(begin, TokenKind::Number);
    }
    if (isLetter(c) || ((c == '$' || c == '`') && isLetter(peek(1)))) {
        for (++at_; isWord(peek());)
            ++at_;
        return token(begin, c == '$'   ? TokenKind::SystemName
                            : c == '`' ? TokenKind::Directive
                                       : TokenKind::Name);
    }
    if (c == '\\' && at_ + 1 < text_.size()) {
        while (at_ < text_.size() && !isBlank(text_[at_]))
            ++at_;
        Token name = token(begin, TokenKind::Name);
        if (name.text.size() > 1) name.text.remove_prefix(1);
        return name;
    }
    if (c == '`' && peek(1) == '`') {
        at_ += 2;
        return token(begin, TokenKind::Sign);
    }
    const std::string_view rest = text_.substr(at_, 4);
    const auto* sign =
        std::ranges::find_if(kSigns, [&](std::string_view s) { return rest.starts_with(s); });
    at_ += sign == std::end(kSigns) ? 1 : sign->size();
    return token(begin, TokenKind::Sign);
}

Lexer::Line Lexer::restOfLine() {
    notes_.clear();
    std::size_t end = at_;
    bool isComment = false;
    for (; end < text_.size(); ++end) {
        if (text_[end] == '\n') {
            std::size_t last = end;
            if (last > at_ && text_[last - 1] == '\r') --last;
            if (last == at_ || text_[last - 1] != '\\' || isComment) break;
        }
        if (text_[end] == '/' && end + 1 < text_.size() && text_[end + 1] == '/') isComment = true;
    }
    const Line line{text_.substr(at_, end - at_), line_,
                    static_cast<std::uint32_t>(static_cast<std::ptrdiff_t>(at_) - lineBegin_ + 1)};
    advance(end - at_);
    return line;
}

}  // namespace smec::driver::scan
