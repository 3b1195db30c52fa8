#include <SmeLexer.h>

#include "syntax/format_tokens.h"

// Where spaces stand within a line:
//
//     y.v = -x[hi:lo] + f(a, b: 1);     const k: [4]i16 = [1, 2];     [n] in x     c ? a : b
//
// Whether `-` is a sign, `[` an index, `:` half of a conditional, or a contextual word a name
// follows from the tokens before it.

namespace smec::syntax {

namespace {

using L = grammar::SmeLexer;

bool isAssign(std::uint16_t type) {
    return type == L::Assign || (type >= L::ShiftLeftAssign && type <= L::XorAssign);
}

Binding bindingOf(std::uint16_t type) {
    switch (type) {
    case L::Star:
    case L::Slash:
    case L::Percent: return Binding::Product;
    case L::Plus:
    case L::Minus: return Binding::Sum;
    case L::ShiftLeft:
    case L::ShiftRight: return Binding::Shift;
    case L::Less:
    case L::Greater:
    case L::LessEqual:
    case L::GreaterEqual: return Binding::Order;
    case L::Equal:
    case L::NotEqual: return Binding::Equality;
    case L::Ampersand:
    case L::Caret:
    case L::Pipe: return Binding::Bits;
    case L::LogicalAnd: return Binding::LogicalAnd;
    case L::LogicalOr: return Binding::LogicalOr;
    case L::Question: return Binding::Conditional;
    default: return Binding::None;
    }
}

bool isContextualWord(std::uint16_t type) { return type >= L::Assume && type <= L::Wait; }

bool isLiteral(std::uint16_t type) {
    return type == L::Integer || type == L::Float || type == L::Character || type == L::String
           || type == L::True || type == L::False || type == L::Undefined;
}

class Spaces {
public:
    explicit Spaces(std::vector<FormatToken>& tokens) : tokens_(tokens) {}

    void run() {
        for (at_ = 0; at_ < tokens_.size(); ++at_) {
            FormatToken& token = tokens_[at_];
            if (token.type == kEndOfFile) break;
            token.isAssign = isAssign(token.type);
            const bool prefix = !afterOperand_;
            const bool ternaryColon = token.type == L::Colon && level().questions > 0;
            token.isPlainColon = token.type == L::Colon && !ternaryColon && !level().isIndex;
            token.binding = bindingHere(prefix, ternaryColon);
            token.spaceBefore = at_ > 0 && spaceBefore(token, prefix, ternaryColon);
            step(token, prefix, ternaryColon);
        }
    }

private:
    struct Level {
        bool isIndex = false;       // a[i], a[hi:lo], sizes
        bool isTypeSize = false;    // [4]u8
        std::size_t questions = 0;  // `?` whose `:` has not come
    };

    Level& level() { return levels_.back(); }
    std::uint16_t previous() const { return at_ == 0 ? kEndOfFile : tokens_[at_ - 1].type; }

    Binding bindingHere(bool prefix, bool ternaryColon) const {
        const std::uint16_t type = tokens_[at_].type;
        if (ternaryColon) return Binding::Conditional;
        if (prefix || type == L::Bang || type == L::Tilde) return Binding::None;
        return bindingOf(type);
    }

    bool spaceBefore(const FormatToken& token, bool prefix, bool ternaryColon) const {
        const std::uint16_t before = previous();
        switch (token.type) {
        case L::RightParen:
        case L::RightBracket:
        case L::Comma:
        case L::Semicolon:
        case L::Dot: return false;
        case L::Colon: return ternaryColon;
        default: break;
        }
        if (before == L::LeftParen || before == L::LeftBracket || before == L::Dot) return false;
        if (afterSign_ || afterSliceColon_) return false;
        if (token.type == L::LeftParen) return prefix && before != L::Trace && before != L::Assert;
        if (token.type == L::LeftBracket) return prefix && !afterTypeSize_;
        if (afterTypeSize_) return token.binding != Binding::None;
        return true;
    }

    void step(const FormatToken& token, bool prefix, bool ternaryColon) {
        const bool isSign = prefix
                            && (token.type == L::Plus || token.type == L::Minus
                                || token.type == L::Bang || token.type == L::Tilde);
        afterSliceColon_ = token.type == L::Colon && !ternaryColon && level().isIndex;
        bool typeSize = false;
        switch (token.type) {
        case L::LeftBracket:
            levels_.push_back({!prefix, prefix && (afterPlainColon_ || afterTypeSize_), 0});
            break;
        case L::LeftParen:
        case L::LeftBrace: levels_.push_back({}); break;
        case L::RightBracket:
        case L::RightParen:
        case L::RightBrace:
            typeSize = level().isTypeSize;
            if (levels_.size() > 1) levels_.pop_back();
            break;
        case L::Question: ++level().questions; break;
        case L::Colon:
            if (ternaryColon) --level().questions;
            break;
        case L::Semicolon:
        case L::Comma: level().questions = 0; break;
        default: break;
        }
        afterOperand_ = !typeSize && endsOperand(token, prefix);
        afterSign_ = isSign;
        afterTypeSize_ = typeSize;
        afterPlainColon_ = token.isPlainColon;
    }

    bool endsOperand(const FormatToken& token, bool prefix) const {
        const std::uint16_t type = token.type;
        if (type == L::Identifier || type == L::RightParen || type == L::RightBracket
            || isLiteral(type))
            return true;
        if (type == L::Star && previous() == L::LeftBracket) return true;
        return isContextualWord(type) && !isKeywordHere(type, prefix);
    }

    /// Whether a contextual word is used as a word of the language that an expression may follow.
    bool isKeywordHere(std::uint16_t type, bool prefix) const {
        switch (type) {
        case L::Until: return !prefix || previous() == L::Wait;
        case L::Downto: return !prefix;
        case L::Wait:
        case L::Delay: return beginsStatement() && !isUsedAsName();
        default: return false;
        }
    }

    bool beginsStatement() const {
        const std::uint16_t before = previous();
        return before == kEndOfFile || before == L::Semicolon || before == L::LeftBrace
               || before == L::RightBrace || before == L::RightParen || before == L::Exposed
               || before == L::Hold || before == L::Unique;
    }

    bool isUsedAsName() const {
        const std::uint16_t next = tokens_[at_ + 1].type;
        return next == L::Dot || next == L::LeftBracket || isAssign(next) || next == L::Colon;
    }

    std::vector<FormatToken>& tokens_;
    std::vector<Level> levels_{1};
    std::size_t at_ = 0;
    bool afterOperand_ = false;
    bool afterSign_ = false;
    bool afterSliceColon_ = false;
    bool afterTypeSize_ = false;
    bool afterPlainColon_ = false;
};

}  // namespace

void decideSpaces(std::vector<FormatToken>& tokens) { Spaces(tokens).run(); }

}  // namespace smec::syntax
