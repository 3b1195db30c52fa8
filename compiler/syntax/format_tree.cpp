#include "syntax/format_tree.h"

#include <algorithm>
#include <utility>

#include <SmeLexer.h>

// The file is known to parse, so that brackets match and a line ends at a semicolon or after a
// block that neither `;`, `else` nor `elif` follows.

namespace smec::syntax {

namespace {

using L = grammar::SmeLexer;

/// Width of one token with the comments on its line, those in front and those after where asked.
std::uint32_t tokenWidth(const FormatToken& token, bool before, bool after) {
    if ((before && token.breaksBefore()) || (after && !token.after.empty())) return kUnbounded;
    std::uint32_t width = token.width;
    if (!before) return width;
    for (const FormatComment& comment : token.before)
        width += characters(comment.text) + 1;
    return width;
}

class TreeBuilder {
public:
    explicit TreeBuilder(const FormatTokens& file) : file_(file), tokens_(file.tokens) {}

    std::vector<FormatLine> file() {
        atModule_ = true;
        return lines();
    }

private:
    std::uint16_t type() const { return tokens_[at_].type; }
    bool isEnd() const { return type() == kEndOfFile || type() == L::RightBrace; }

    std::vector<FormatLine> lines() {
        std::vector<FormatLine> result;
        while (!isEnd())
            result.push_back(line());
        return result;
    }

    FormatLine line() {
        FormatLine result;
        result.first = at_;
        const bool atModule = std::exchange(atModule_, false);
        if (atModule && isProcess()) {
            unit(result, LineKind::DeclarationsFirst);
        } else if (atModule && type() == L::Network) {
            unit(result, LineKind::Unit);
        } else {
            plain(result);
        }
        atModule_ = atModule;
        result.last = at_ - 1;
        result.isOneLine = isOnOneLine(result.first, result.last);
        return result;
    }

    bool isProcess() const {
        const std::uint16_t next = tokens_[std::min<std::size_t>(at_ + 1, tokens_.size() - 1)].type;
        return type() == L::Proc || type() == L::Sync || type() == L::Async
               || (type() == L::Sim && next == L::Proc);
    }

    void unit(FormatLine& result, LineKind kind) {
        result.kind = kind;
        FormatPart& part = result.parts.emplace_back();
        while (type() != L::LeftParen)
            part.run.push_back(element());
        part.run.push_back(element());
        body(result);
    }

    /// Declarations where they stand in front of the brace, and the block.
    void body(FormatLine& result) {
        while (type() != L::LeftBrace)
            result.declarations.push_back(line());
        result.parts.back().block.push_back(block());
        if (type() == L::Semicolon) result.parts.emplace_back().run.push_back(element());
    }

    void plain(FormatLine& result) {
        const std::uint16_t word = type();
        result.parts.emplace_back();
        while (!isEnd()) {
            FormatPart& part = result.parts.back();
            if (word == L::Func && type() == L::Var) {
                result.kind = LineKind::DeclarationsFirst;
                return body(result);
            }
            if (type() == L::LeftBrace && word != L::Enum) {
                part.block.push_back(block());
                if (!continues()) return;
                result.parts.emplace_back();
                continue;
            }
            const bool ends = type() == L::Semicolon;
            const bool isEnum = type() == L::LeftBrace;
            part.run.push_back(element());
            if (ends || (isEnum && type() != L::Semicolon)) return;
        }
    }

    bool continues() const {
        return type() == L::Semicolon || type() == L::Else || type() == L::Elif;
    }

    FormatBlock block() {
        FormatBlock result;
        result.open = at_++;
        const bool atModule = std::exchange(atModule_, false);
        result.lines = lines();
        atModule_ = atModule;
        result.close = at_++;
        const bool isEmpty = result.lines.empty() && tokens_[result.open].after.empty()
                             && tokens_[result.close].before.empty();
        result.isOneLine = isEmpty || isOnOneLine(result.open, result.close);
        return result;
    }

    FormatElement element() {
        FormatElement result;
        result.token = at_;
        switch (type()) {
        case L::LeftParen:
        case L::LeftBracket:
        case L::LeftBrace: result.group.push_back(group()); break;
        default: ++at_;
        }
        return result;
    }

    FormatGroup group() {
        FormatGroup result;
        result.open = at_;
        result.keepsRows = type() == L::LeftBrace || isArrayLiteral();
        ++at_;
        while (!isClosing()) {
            FormatGroup::Entry& entry = result.entries.emplace_back();
            while (!isClosing() && type() != L::Comma)
                entry.run.push_back(element());
            if (type() == L::Comma) entry.comma = at_++;
        }
        result.close = at_++;
        measure(result);
        return result;
    }

    bool isClosing() const {
        return type() == L::RightParen || type() == L::RightBracket || type() == L::RightBrace;
    }

    bool isArrayLiteral() const {
        return type() == L::LeftBracket && (at_ == 0 || tokens_[at_].spaceBefore || isInBrackets());
    }
    bool isInBrackets() const {
        const std::uint16_t before = tokens_[at_ - 1].type;
        return before == L::LeftBracket || before == L::LeftParen;
    }

    void measure(FormatGroup& group) const {
        group.width = measured(group, Rows::Matter);
        group.rowless = measured(group, Rows::Ignored);
    }

    std::uint32_t measured(const FormatGroup& group, Rows rows) const {
        std::uint64_t width = 0;
        for (const FormatGroup::Entry& entry : group.entries) {
            const FormatToken& first = tokens_[entry.run.front().token];
            width +=
                (first.spaceBefore ? 1 : 0)
                + runWidth(file_, entry.run, 0, entry.run.size(), UINT32_MAX, UINT32_MAX, rows);
            if (entry.comma != 0) width += tokenWidth(tokens_[entry.comma], true, true);
            if (rows == Rows::Matter && group.keepsRows && first.startsLine) width = kUnbounded;
        }
        const FormatToken& close = tokens_[group.close];
        width += tokenWidth(tokens_[group.open], false, true);
        width += (close.spaceBefore ? 1 : 0) + tokenWidth(close, true, false);
        return static_cast<std::uint32_t>(std::min<std::uint64_t>(width, kUnbounded));
    }

    bool isOnOneLine(std::uint32_t first, std::uint32_t last) const {
        const std::string_view text =
            file_.text.substr(tokens_[first].begin, tokens_[last].end - tokens_[first].begin);
        return text.find('\n') == std::string_view::npos;
    }

    const FormatTokens& file_;
    const std::vector<FormatToken>& tokens_;
    std::uint32_t at_ = 0;
    bool atModule_ = false;
};

}  // namespace

std::uint32_t lastToken(const FormatElement& element) {
    return element.group.empty() ? element.token : element.group.front().close;
}

std::uint32_t runWidth(const FormatTokens& file, const FormatRun& run, std::size_t from,
                       std::size_t to, std::uint32_t printed, std::uint32_t last, Rows rows) {
    std::uint64_t width = 0;
    for (std::size_t i = from; i < to && width < kUnbounded; ++i) {
        const FormatToken& token = file.tokens[run[i].token];
        const bool before = run[i].token != printed;
        if (i > from && token.spaceBefore) ++width;
        if (run[i].group.empty()) {
            width += tokenWidth(token, before, run[i].token != last);
            continue;
        }
        // The group's width has the brackets; the comments around them come on top.
        const FormatGroup& group = run[i].group.front();
        const FormatToken& close = file.tokens[group.close];
        width += (rows == Rows::Matter ? group.width : group.rowless)
                 + tokenWidth(token, before, false) - token.width;
        if (group.close != last && !close.after.empty()) width = kUnbounded;
    }
    return static_cast<std::uint32_t>(std::min<std::uint64_t>(width, kUnbounded));
}

std::vector<FormatLine> formatTree(const FormatTokens& tokens) {
    return TreeBuilder(tokens).file();
}

}  // namespace smec::syntax
