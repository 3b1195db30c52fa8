#include <vector>

#include <SmeLexer.h>

#include "syntax/lexer.h"

// The parser recurses once or twice for each open bracket and for each `?` whose `:` has not come.
// Counting both in the token stream bounds its stack before it starts:   a ? (b ? [c      is 4
// levels deep at c

namespace smec::syntax {

namespace {

using grammar::SmeLexer;

class Depth {
public:
    void open() {
        ++total_;
        questions_.push_back(0);
    }
    void close() {
        if (questions_.size() <= 1) return;
        endQuestions();
        questions_.pop_back();
        --total_;
    }
    void question() {
        ++total_;
        ++questions_.back();
    }
    void colon() {
        if (questions_.back() == 0) return;
        --questions_.back();
        --total_;
    }
    void endQuestions() {
        total_ -= questions_.back();
        questions_.back() = 0;
    }
    void reset() {
        questions_.assign(1, 0);
        total_ = 0;
    }
    bool tooDeep() const { return total_ > kMaxNesting; }

private:
    std::vector<std::size_t> questions_{
        0};  // open `?` on each bracket level; the first entry is outside of brackets
    std::size_t total_ = 0;
};

bool opensLevel(std::uint16_t type) {
    return type == SmeLexer::LeftParen || type == SmeLexer::LeftBracket
           || type == SmeLexer::LeftBrace || type == SmeLexer::Question;
}

void advance(Depth& depth, std::uint16_t type) {
    switch (type) {
    case SmeLexer::LeftParen:
    case SmeLexer::LeftBracket:
    case SmeLexer::LeftBrace: return depth.open();
    case SmeLexer::RightParen:
    case SmeLexer::RightBracket:
    case SmeLexer::RightBrace: return depth.close();
    case SmeLexer::Question: return depth.question();
    case SmeLexer::Colon: return depth.colon();
    case SmeLexer::Comma:
    case SmeLexer::Semicolon: return depth.endQuestions();
    case SmeLexer::Proc:
    case SmeLexer::Network:
    case SmeLexer::Import: return depth.reset();
    default: return;
    }
}

}  // namespace

void limitNesting(std::vector<LexedToken>& tokens) {
    Depth depth;
    for (LexedToken& token : tokens) {
        advance(depth, token.type);
        if (depth.tooDeep() && opensLevel(token.type)) token.type = kTooDeep;
    }
}

}  // namespace smec::syntax
