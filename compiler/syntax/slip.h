#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "syntax/failure.h"
#include "syntax/lexer.h"
#include "syntax/recovery.h"

namespace smec::syntax {

/// The tokens around the place where parsing failed.
class Slip {
public:
    /// `start` is the first token of the piece that failed.
    Slip(const std::vector<LexedToken>& tokens, std::string_view text, const Failure& failure,
         std::size_t start, PieceKind kind)
        : tokens_(tokens), text_(text), failure_(failure), kind_(kind), head_(findHead(start)) {}

    std::size_t failed() const { return failure_.token; }
    PieceKind kind() const { return kind_; }
    bool expects(std::size_t type) const { return failure_.expected.test(type); }

    /// Where the innermost statement or declaration seems to start: after the last `;`, `{` or
    /// `}`.
    std::size_t head() const { return head_; }

    std::uint16_t type(std::size_t at) const {
        return at < tokens_.size() ? tokens_[at].type : kEndOfFile;
    }
    std::string_view word(std::size_t at) const;
    /// A name, contextual words included.
    bool isName(std::size_t at) const;
    /// Whether nothing stands between this token and the one before.
    bool touches(std::size_t at) const;
    bool beginsLine(std::size_t at) const;
    std::uint32_t column(std::size_t at) const;

    /// The text of these tokens, both included, for a message: on one line and not too long.
    std::string source(std::size_t first, std::size_t last) const;
    bool isOperator(std::size_t at) const;
    /// The longest row of operators without spaces around this token: its first and last one.
    std::pair<std::size_t, std::size_t> operatorsAround(std::size_t at) const;

    /// After the bracket that closes the one at `open`; npos where none does.
    std::size_t afterBracket(std::size_t open) const;
    /// After the `end` of the block that the word at `begin` opens, with what belongs to it (`end
    /// if;`); `begin` where there is none.
    std::size_t afterEnd(std::size_t begin) const;
    /// The first of `words` from `from` on, within the same brackets; npos where none comes first.
    std::size_t find(std::size_t from, std::initializer_list<std::string_view> words) const;

    /// Whether a statement starts at head() with a name, after which parsing failed.
    bool isAfterFirstName() const;
    /// Whether parsing failed at the first token of a statement, a declaration or an item.
    bool isAtStart() const;
    bool isStatement() const;

    static constexpr std::size_t npos = SIZE_MAX;

private:
    std::size_t findHead(std::size_t start) const;

    const std::vector<LexedToken>& tokens_;
    std::string_view text_;
    const Failure& failure_;
    PieceKind kind_;
    std::size_t head_;
};

}  // namespace smec::syntax
