#include "syntax/slip.h"

#include <algorithm>
#include <array>

#include "syntax/text.h"

namespace smec::syntax {

namespace {

using P = grammar::SmeParser;

constexpr std::size_t kMaxSource = 60;    // characters of a program in a message
constexpr std::size_t kMaxLooked = 4096;  // tokens looked at for the end of a block

bool isOperatorType(std::uint16_t type) {
    switch (type) {
    case P::ShiftLeftAssign:
    case P::ShiftRightAssign:
    case P::PlusAssign:
    case P::MinusAssign:
    case P::StarAssign:
    case P::AndAssign:
    case P::OrAssign:
    case P::XorAssign:
    case P::LogicalAnd:
    case P::LogicalOr:
    case P::ShiftLeft:
    case P::ShiftRight:
    case P::LessEqual:
    case P::GreaterEqual:
    case P::Equal:
    case P::NotEqual:
    case P::Plus:
    case P::Minus:
    case P::Bang:
    case P::Tilde:
    case P::Star:
    case P::Slash:
    case P::Percent:
    case P::Less:
    case P::Greater:
    case P::Ampersand:
    case P::Caret:
    case P::Pipe:
    case P::Question:
    case P::Colon:
    case P::Assign:
    case P::Dot: return true;
    default: return false;
    }
}

bool opens(std::uint16_t type) {
    return type == P::LeftParen || type == P::LeftBracket || type == P::LeftBrace;
}

bool closes(std::uint16_t type) {
    return type == P::RightParen || type == P::RightBracket || type == P::RightBrace;
}

/// What VHDL writes after `end`.
bool closesInVhdl(std::string_view word) {
    constexpr std::array<std::string_view, 9> kWords = {"if",      "case",         "loop",
                                                        "process", "architecture", "entity",
                                                        "package", "function",     "generate"};
    return std::find(kWords.begin(), kWords.end(), word) != kWords.end();
}

}  // namespace

std::string_view Slip::word(std::size_t at) const {
    if (at >= tokens_.size()) return {};
    return text_.substr(tokens_[at].begin, tokens_[at].end - tokens_[at].begin);
}

bool Slip::isName(std::size_t at) const {
    const std::uint16_t found = type(at);
    return found == P::Identifier || (found >= P::Assume && found <= P::Wait);
}

bool Slip::touches(std::size_t at) const {
    return at > 0 && at < tokens_.size() && tokens_[at - 1].end == tokens_[at].begin;
}

bool Slip::beginsLine(std::size_t at) const {
    if (at == 0 || at >= tokens_.size()) return true;
    const std::size_t end = tokens_[at - 1].end;
    return text_.substr(end, tokens_[at].begin - end).find('\n') != std::string_view::npos;
}

bool Slip::isOperator(std::size_t at) const { return isOperatorType(type(at)); }

std::uint32_t Slip::column(std::size_t at) const {
    const std::uint32_t begin = tokens_[at].begin;
    const std::size_t end = begin == 0 ? std::string_view::npos : text_.rfind('\n', begin - 1);
    return end == std::string_view::npos ? begin : begin - static_cast<std::uint32_t>(end) - 1;
}

std::string Slip::source(std::size_t first, std::size_t last) const {
    std::string out;
    for (std::size_t at = first; at <= last && at + 1 < tokens_.size(); ++at) {
        if (at > first && !touches(at)) out += ' ';
        if (out.size() + word(at).size() > kMaxSource) return out + "...";
        out += word(at);
    }
    return out;
}

std::pair<std::size_t, std::size_t> Slip::operatorsAround(std::size_t at) const {
    std::size_t first = at;
    std::size_t last = at;
    if (!isOperator(at)) return {at, at};
    while (first > 0 && touches(first) && isOperator(first - 1))
        --first;
    while (touches(last + 1) && isOperator(last + 1))
        ++last;
    return {first, last};
}

std::size_t Slip::afterBracket(std::size_t open) const {
    int depth = 0;
    for (std::size_t at = open; at < tokens_.size() && at < open + kMaxLooked; ++at) {
        if (opens(type(at))) ++depth;
        if (closes(type(at)) && --depth == 0) return at + 1;
    }
    return npos;
}

std::size_t Slip::afterEnd(std::size_t begin) const {
    const std::string_view opener = word(begin);
    int depth = 0;
    for (std::size_t at = begin; at + 1 < tokens_.size() && at < begin + kMaxLooked; ++at) {
        const bool isEnd = word(at) == "end";
        const bool isVhdl = isEnd && closesInVhdl(word(at + 1)) && !beginsLine(at + 1);
        if (word(at) == opener && (at == begin || word(at - 1) != "end")) ++depth;
        if (word(at) == "end" + std::string(opener)) --depth;
        if (isEnd && (opener == "begin" ? !isVhdl : word(at + 1) == opener)) --depth;
        if (depth > 0) continue;
        const std::size_t last = isVhdl ? at + 1 : at;
        return type(last + 1) == P::Semicolon ? last + 2 : last + 1;
    }
    return begin;
}

std::size_t Slip::find(std::size_t from, std::initializer_list<std::string_view> words) const {
    int depth = 0;
    for (std::size_t at = from; at + 1 < tokens_.size() && at < from + kMaxLooked; ++at) {
        if (depth == 0 && std::find(words.begin(), words.end(), word(at)) != words.end()) return at;
        if (opens(type(at))) ++depth;
        if (closes(type(at)) && --depth < 0) return npos;
        if (depth == 0 && type(at) == P::Semicolon) return npos;
    }
    return npos;
}

bool Slip::isAfterFirstName() const {
    return head_ + 1 == failed() && isName(head_) && expects(P::PlusAssign);
}

bool Slip::isAtStart() const {
    return head_ == failed() && (expects(P::Trace) || expects(P::Instance) || expects(P::Network));
}

bool Slip::isStatement() const { return expects(P::Trace) || expects(P::PlusAssign); }

std::size_t Slip::findHead(std::size_t start) const {
    std::size_t at = failure_.token;
    while (at > start && type(at - 1) != P::Semicolon && type(at - 1) != P::LeftBrace
           && type(at - 1) != P::RightBrace)
        --at;
    return at;
}

}  // namespace smec::syntax
