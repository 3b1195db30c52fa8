#pragma once

#include <deque>
#include <string>
#include <vector>

#include <antlr4-runtime.h>

#include "syntax/lexer.h"

namespace smec::syntax {

/// What ANTLR's parser handles as a token: a type, a place, and nothing else.
class SmeToken final : public antlr4::Token {
public:
    SmeToken(std::size_t index, const LexedToken& token, std::uint16_t type)
        : index_(static_cast<std::uint32_t>(index)),
          begin_(token.begin),
          end_(token.end),
          type_(type) {}

    std::uint32_t begin() const { return begin_; }
    std::uint32_t end() const { return end_; }

    std::size_t getType() const override {
        return type_ == kEndOfFile ? antlr4::Token::EOF : type_;
    }
    std::size_t getTokenIndex() const override { return index_; }
    std::size_t getStartIndex() const override { return begin_; }
    std::size_t getStopIndex() const override { return end_ - 1; }
    std::size_t getChannel() const override { return DEFAULT_CHANNEL; }
    std::size_t getLine() const override { return 0; }
    std::size_t getCharPositionInLine() const override { return 0; }
    std::string getText() const override { return {}; }
    antlr4::TokenSource* getTokenSource() const override { return nullptr; }
    antlr4::CharStream* getInputStream() const override { return nullptr; }
    std::string toString() const override { return {}; }

private:
    std::uint32_t index_;
    std::uint32_t begin_;
    std::uint32_t end_;
    std::uint16_t type_;
};

/// Presents the tokens of a file to the parser. Token objects are made as the parser comes to them
/// and live until the next call of startAt(), so that memory follows the largest piece, not the
/// file. After kMaxPieceTokens all are kTooLong.
class TokenWindow final : public antlr4::TokenStream {
public:
    /// `tokens` ends with kEndOfFile and outlives the window.
    explicit TokenWindow(const std::vector<LexedToken>& tokens) : tokens_(tokens) {}

    /// Drops all token objects and goes to the token at `index`.
    void startAt(std::size_t index);
    bool isTooLong(std::size_t index) const { return typeAt(index) == kTooLong; }

    void consume() override { ++at_; }
    std::size_t LA(ssize_t offset) override;
    antlr4::Token* LT(ssize_t offset) override;
    antlr4::Token* get(std::size_t index) const override { return objectAt(index); }
    ssize_t mark() override { return 0; }
    void release(ssize_t) override {}
    std::size_t index() override { return at_; }
    std::size_t index() const { return at_; }
    void seek(std::size_t index) override { at_ = index; }
    std::size_t size() override { return tokens_.size(); }
    std::string getSourceName() const override { return {}; }
    antlr4::TokenSource* getTokenSource() const override { return nullptr; }
    std::string getText(const antlr4::misc::Interval&) override { return {}; }
    std::string getText() override { return {}; }
    std::string getText(antlr4::RuleContext*) override { return {}; }
    std::string getText(antlr4::Token*, antlr4::Token*) override { return {}; }

private:
    SmeToken* objectAt(std::size_t index) const;
    std::uint16_t typeAt(std::size_t index) const {
        return index - base_ < kMaxPieceTokens ? tokens_[index].type : kTooLong;
    }

    const std::vector<LexedToken>& tokens_;
    std::size_t base_ = 0;  // index of the first object
    std::size_t at_ = 0;
    mutable std::deque<SmeToken> objects_;
};

}  // namespace smec::syntax
