#include "syntax/recovery.h"

#include <algorithm>

#include <SmeLexer.h>

// Processes, networks and imports stand inside of nothing: where such a word begins a line (or
// follows `;` or `}`) an item starts, however unbalanced the braces before it. const, enum, type,
// func and extern also stand inside of processes, so they count only where the braces since the
// failed item's start are closed, and, after a process or network, only unindented:
//
//     proc p() { a = ; }        failed at `;`
//     const n: uint = 4;        found: brace depth 0, column 1
//
// Within a process or network parsing goes on after the semicolon or the closing brace that ends
// the failed piece, or at a word that starts a line and can only start another piece. Nothing is
// guessed where an item starts before that: then a brace is missing.

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

    /// See nextPiece.
    std::optional<std::size_t> piece(std::size_t failed, PieceKind kind) {
        int depth = 0;
        for (std::size_t at = start_; tokens_[at].type != kEndOfFile; ++at) {
            const bool looks = at >= failed && at > start_;
            if (at >= failed && beginsLine(at) && isUnit(at)) return std::nullopt;
            if (looks && depth == 0 && tokens_[at].type == SmeLexer::Semicolon && !isInLoopHead(at))
                return at + 1;
            if (looks && depth == 0 && startsPiece(at, kind)) return at;
            if (tokens_[at].type == SmeLexer::LeftBrace) ++depth;
            if (tokens_[at].type != SmeLexer::RightBrace) continue;
            if (depth == 0) return at > start_ ? std::optional(at) : std::nullopt;
            const bool closes = --depth == 0 && at >= failed;
            const std::uint16_t next = typeAt(at + 1);
            if (closes && next == SmeLexer::Semicolon) return at + 2;
            if (closes && next != SmeLexer::Else && next != SmeLexer::Elif) return at + 1;
        }
        return std::nullopt;
    }

    bool startsItem(std::size_t at) const { return isUnit(at) || isDeclaration(at); }

private:
    /// The semicolons of `for (i = 0; i < 3; i++)`, which people write by habit.
    bool isInLoopHead(std::size_t at) const {
        return typeAt(start_) == SmeLexer::For && typeAt(start_ + 1) == SmeLexer::LeftParen
               && !beginsLine(at + 1, false);
    }

    bool startsPiece(std::size_t at, PieceKind kind) const {
        if (kind == PieceKind::ProcessDeclaration && typeAt(at) == SmeLexer::LeftBrace)
            return !opensBrace(typeAt(start_));
        if (!beginsLine(at)) return false;
        switch (typeAt(at)) {
        case SmeLexer::Var: return kind != PieceKind::NetworkDeclaration;
        case SmeLexer::Const:
        case SmeLexer::Enum:
        case SmeLexer::Func:
        case SmeLexer::Bus:
        case SmeLexer::Instance:
        case SmeLexer::Generate: return kind != PieceKind::Statement;
        case SmeLexer::If:
        case SmeLexer::For:
        case SmeLexer::While:
        case SmeLexer::Switch:
        case SmeLexer::Trace:
        case SmeLexer::Assert:
        case SmeLexer::Return:
        case SmeLexer::Break:
        case SmeLexer::Barrier: return kind == PieceKind::Statement;
        default: return false;
        }
    }

    /// Whether a declaration that starts with this word may hold a brace.
    static bool opensBrace(std::uint16_t word) {
        return word != SmeLexer::Var && word != SmeLexer::Const && word != SmeLexer::Instance;
    }

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

    bool beginsLine(std::size_t at, bool orFollowsEnd = true) const {
        std::uint16_t before = typeAt(at - 1);
        bool isEnd = before == SmeLexer::Semicolon || before == SmeLexer::RightBrace;
        if (orFollowsEnd && isEnd) return true;
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

std::optional<std::size_t> nextPiece(const std::vector<LexedToken>& tokens, std::string_view text,
                                     std::size_t start, std::size_t failed, PieceKind kind) {
    return Search(tokens, text, start).piece(failed, kind);
}

bool startsItem(const std::vector<LexedToken>& tokens, std::size_t at) {
    return Search(tokens, {}, at).startsItem(at);
}

}  // namespace smec::syntax
