#include "syntax/recovery.h"

#include <algorithm>

#include <SmeLexer.h>

// Processes, networks and imports stand inside of nothing: where such a word begins a line (or
// follows `;` or `}`) an item starts, however unbalanced the braces before it. const, enum, type,
// func and extern also stand inside of processes, so they count only where the braces since the
// failed item's start are closed, and, behind a process or network, only unindented:
//
//     proc p() { a = ; }        failed at `;`
//     const n: uint = 4;        found: brace depth 0, column 1

namespace smec::syntax {

namespace {

using grammar::SmeLexer;

class Search {
public:
    Search(const std::vector<LexedToken>& tokens, std::string_view text, std::size_t start)
        : tokens_(tokens), text_(text), start_(start) {}

    std::size_t run(std::size_t failed) {
        bool holdsDeclarations = isUnit(start_);
        int depth = 0;
        std::size_t at = start_;
        for (; tokens_[at].type != kEndOfFile; ++at) {
            if (at >= failed && at > start_) {
                if (beginsLine(at) && isUnit(at)) return at;
                if (depth <= 0 && isDeclaration(at)
                    && (holdsDeclarations ? isUnindented(at) : beginsLine(at)))
                    return at;
            }
            if (tokens_[at].type == SmeLexer::LeftBrace) ++depth;
            if (tokens_[at].type == SmeLexer::RightBrace) --depth;
        }
        return at;
    }

private:
    std::uint16_t typeAt(std::size_t at) const {
        return tokens_[std::min(at, tokens_.size() - 1)].type;
    }

    bool isUnit(std::size_t at) const {
        switch (typeAt(at)) {
        case SmeLexer::Proc:
        case SmeLexer::Network:
        case SmeLexer::Import:
        case SmeLexer::Sync:
        case SmeLexer::Async: return true;
        case SmeLexer::Sim: return typeAt(at + 1) == SmeLexer::Proc;
        case SmeLexer::From: return typeAt(at + 1) != SmeLexer::String;
        default: return false;
        }
    }

    bool isDeclaration(std::size_t at) const {
        switch (typeAt(at)) {
        case SmeLexer::Const:
        case SmeLexer::Enum:
        case SmeLexer::Func: return true;
        case SmeLexer::Type: return typeAt(at + 2) == SmeLexer::Colon;
        case SmeLexer::Extern:
            return typeAt(at + 1) == SmeLexer::Func || typeAt(at + 1) == SmeLexer::Proc
                   || typeAt(at + 1) == SmeLexer::Serial;
        default: return false;
        }
    }

    bool beginsLine(std::size_t at) const {
        std::uint16_t before = typeAt(at - 1);
        if (before == SmeLexer::Semicolon || before == SmeLexer::RightBrace) return true;
        std::size_t end = tokens_[at - 1].end;
        return text_.substr(end, tokens_[at].begin - end).find('\n') != std::string_view::npos;
    }

    bool isUnindented(std::size_t at) const {
        std::uint32_t begin = tokens_[at].begin;
        return begin == 0 || text_[begin - 1] == '\n';
    }

    const std::vector<LexedToken>& tokens_;
    std::string_view text_;
    std::size_t start_;
};

}  // namespace

std::size_t nextItem(const std::vector<LexedToken>& tokens, std::string_view text,
                     std::size_t start, std::size_t failed) {
    return Search(tokens, text, start).run(failed);
}

}  // namespace smec::syntax
