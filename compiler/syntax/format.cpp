#include "syntax/format.h"

#include <algorithm>
#include <cctype>

#include <SmeLexer.h>

#include "source/internal_error.h"
#include "syntax/format_printer.h"
#include "syntax/parse.h"

// Works on tokens, not on the tree: the tree has lost how numbers were written (0x1F, 1_000), which
// brackets of a line belong together on one line in its author's eyes, and where comments stand
// between two tokens. That the tree does not change follows from the tokens not changing, which is
// checked before the text is handed out.
//
// Bodies that stand on one line stay on it while they fit; `else` starts a line where its author
// has put it on one after such a body. Rows of lists of values stay. All other line breaks
// within a statement are made anew.

namespace smec::syntax {

namespace {

using L = grammar::SmeLexer;

class Formatter {
public:
    explicit Formatter(const FormatTokens& file)
        : file_(file), out_(file.text), runs_(file, out_) {}

    std::string run() {
        lines(formatTree(file_), 0, true);
        const auto end = static_cast<std::uint32_t>(file_.tokens.size() - 1);
        runs_.ownLineComments(end, 0, out_.lineCount() == 0);
        return out_.finish();
    }

private:
    const FormatToken& at(std::uint32_t index) const { return file_.tokens[index]; }

    void lines(const std::vector<FormatLine>& list, std::uint32_t indent, bool atModule = false) {
        const FormatLine* longBefore = nullptr;
        for (std::size_t i = 0; i < list.size(); ++i) {
            const std::size_t start = out_.lineCount();
            runs_.startTokenLine(list[i].first, indent, i == 0);
            const std::size_t code = out_.lineCount();
            line(list[i], indent);
            runs_.endLine();
            if (!atModule) continue;
            const bool isLong = out_.lineCount() > code && !list[i].parts.front().block.empty();
            const bool apart = longBefore && isLong;
            const bool unit = (longBefore && list[i - 1].kind != LineKind::Plain)
                              || (isLong && list[i].kind != LineKind::Plain);
            if (i > 0 && (apart || unit) && !hasBlank(start, code)) out_.insertBlank(start);
            longBefore = isLong ? &list[i] : nullptr;
        }
    }

    bool hasBlank(std::size_t from, std::size_t to) const {
        for (std::size_t i = from; i < to; ++i) {
            if (out_.isBlank(i)) return true;
        }
        return false;
    }

    void line(const FormatLine& line, std::uint32_t indent) {
        runs_.setAlignment(indent + kFormatIndent);
        if (line.kind != LineKind::Plain) return unit(line, indent);
        std::vector<std::size_t> starts = chainStarts(line);
        if (isTooLong(line, starts)) starts = {0};
        starts.push_back(line.parts.size());
        for (std::size_t k = 0; k + 1 < starts.size(); ++k) {
            if (k > 0) runs_.startTokenLine(line.parts[starts[k]].run.front().token, indent, true);
            chain(line, starts[k], starts[k + 1], indent);
            if (k + 2 < starts.size()) runs_.endLine();
        }
    }

    /// The parts that start a line of their own: the first, and each `else` and `elif` that starts
    /// one in the source after bodies of one line.
    std::vector<std::size_t> chainStarts(const FormatLine& line) const {
        std::vector<std::size_t> starts{0};
        bool oneLine = true;
        for (std::size_t i = 0; i + 1 < line.parts.size(); ++i) {
            if (!line.parts[i].block.empty()) oneLine &= line.parts[i].block.front().isOneLine;
            const FormatToken& next = at(line.parts[i + 1].run.front().token);
            if (!oneLine || !next.startsLine || next.type == L::Semicolon) continue;
            starts.push_back(i + 1);
        }
        return starts;
    }

    static bool isOneLine(const FormatLine& line, std::size_t from, std::size_t to) {
        return std::all_of(line.parts.begin() + static_cast<std::ptrdiff_t>(from),
                           line.parts.begin() + static_cast<std::ptrdiff_t>(to),
                           [](const FormatPart& part) {
                               return part.block.empty() || part.block.front().isOneLine;
                           });
    }

    static std::uint32_t lastOf(const FormatPart& part) {
        return part.block.empty() ? lastToken(part.run.back()) : part.block.front().close;
    }
    static std::uint32_t firstOf(const FormatPart& part) {
        return part.run.empty() ? part.block.front().open : part.run.front().token;
    }

    /// Whether some chain that the source has on one line does not fit there.
    bool isTooLong(const FormatLine& line, const std::vector<std::size_t>& starts) const {
        for (std::size_t k = 0; k < starts.size(); ++k) {
            const std::size_t end = k + 1 < starts.size() ? starts[k + 1] : line.parts.size();
            if (isOneLine(line, starts[k], end) && hasBlock(line, starts[k], end)
                && !fits(line, starts[k], end))
                return true;
        }
        return false;
    }

    static bool hasBlock(const FormatLine& line, std::size_t from, std::size_t to) {
        for (std::size_t i = from; i < to; ++i) {
            if (!line.parts[i].block.empty()) return true;
        }
        return false;
    }

    /// Whether the parts fit on the line that starts with `from`.
    bool fits(const FormatLine& line, std::size_t from, std::size_t to) const {
        const std::uint32_t last = lastOf(line.parts[to - 1]);
        for (std::size_t i = from; i < to; ++i) {
            const FormatRun& run = line.parts[i].run;
            if (runWidth(file_, run, 0, run.size(), firstOf(line.parts[from]), last) >= kUnbounded)
                return false;
        }
        return out_.column() + flatWidth(firstOf(line.parts[from]), last) <= kFormatWidth;
    }

    /// Width of tokens on one line, as far as it matters.
    std::uint32_t flatWidth(std::uint32_t first, std::uint32_t last) const {
        std::uint32_t width = 0;
        for (std::uint32_t i = first; i <= last && width <= kFormatWidth; ++i) {
            const FormatToken& token = at(i);
            width += token.width;
            if (i > first) {
                width += token.spaceBefore ? 1 : 0;
                if (token.breaksBefore()) return kUnbounded;
                for (const FormatComment& comment : token.before)
                    width += characters(comment.text) + 1;
            }
            if (i < last && !token.after.empty()) return kUnbounded;
        }
        return width;
    }

    void chain(const FormatLine& line, std::size_t from, std::size_t to, std::uint32_t indent) {
        if (isOneLine(line, from, to) && fits(line, from, to)) {
            runs_.flat(firstOf(line.parts[from]), lastOf(line.parts[to - 1]));
            return;
        }
        for (std::size_t i = from; i < to; ++i) {
            const FormatPart& part = line.parts[i];
            runs_.settle(indent);
            runs_.run(part.run, indent, part.block.empty() ? 0 : 2);
            if (!part.block.empty()) block(part.block.front(), indent, false);
        }
    }

    void unit(const FormatLine& line, std::uint32_t indent) {
        if (line.isOneLine && out_.column() + flatWidth(line.first, line.last) <= kFormatWidth)
            return runs_.flat(line.first, line.last);
        const FormatPart& head = line.parts.front();
        const FormatBlock& body = head.block.front();
        runs_.run(head.run, indent, 0);
        runs_.endLine();
        lines(line.declarations, indent + kFormatIndent);
        runs_.ownLineComments(body.open, indent + kFormatIndent, line.declarations.empty());
        out_.startLine(indent);
        runs_.endLine();
        block(body, indent, true);
        if (line.parts.size() > 1) runs_.run(line.parts[1].run, indent, 0);
    }

    void block(const FormatBlock& block, std::uint32_t indent, bool ownLine) {
        runs_.setAlignment(indent);
        const bool isEmpty =
            block.lines.empty() && at(block.open).after.empty() && at(block.close).before.empty();
        if (isEmpty && !ownLine) return runs_.flat(block.open, block.close);
        runs_.token(block.open);
        runs_.endLine();
        lines(block.lines, indent + kFormatIndent);
        runs_.ownLineComments(block.close, indent + kFormatIndent, block.lines.empty());
        out_.startLine(indent);
        runs_.endLine();
        runs_.setAlignment(indent);
        runs_.token(block.close);
    }

    const FormatTokens& file_;
    FormatOutput out_;
    FormatRuns runs_;
};

/// A comment without what formatting may change: white space at the ends of its lines.
std::string essence(std::string_view comment) {
    std::string text;
    bool lineStart = true;
    for (const char c : comment) {
        const bool white = c == ' ' || c == '\t' || c == '\r';
        if (white && lineStart) continue;
        lineStart = c == '\n';
        if (lineStart) {
            while (!text.empty()
                   && (text.back() == ' ' || text.back() == '\t' || text.back() == '\r'))
                text.pop_back();
        }
        text += c;
    }
    while (!text.empty() && (text.back() == ' ' || text.back() == '\t' || text.back() == '\r'))
        text.pop_back();
    return text;
}

void requireSame(std::string_view before, const Lexed& old, const std::string& after) {
    SourceManager sources;
    Diagnostics diagnostics;
    const FileId file = sources.add("formatted", after);
    const Lexed now = lex(sources, file, diagnostics);
    bool same = !diagnostics.hasErrors() && old.tokens.size() == now.tokens.size()
                && old.comments.size() == now.comments.size();
    for (std::size_t i = 0; same && i < old.tokens.size(); ++i) {
        const LexedToken& a = old.tokens[i];
        const LexedToken& b = now.tokens[i];
        same = a.type == b.type
               && before.substr(a.begin, a.end - a.begin)
                      == std::string_view(after).substr(b.begin, b.end - b.begin);
    }
    for (std::size_t i = 0; same && i < old.comments.size(); ++i) {
        const SourceRange& a = old.comments[i].range;
        same = essence(before.substr(a.begin, a.end - a.begin))
               == essence(sources.text(now.comments[i].range));
    }
    require(same, "formatting changes a token or a comment");
}

}  // namespace

std::optional<std::string> format(const SourceManager& sources, FileId file,
                                  Diagnostics& diagnostics) {
    parse(sources, file, diagnostics);
    if (diagnostics.hasErrors()) return std::nullopt;
    Diagnostics repeated;  // what lexing reports is reported already
    const Lexed lexed = lex(sources, file, repeated);
    const std::string_view text = sources.text(file);
    std::string result = Formatter(formatTokens(text, lexed)).run();
    requireSame(text, lexed, result);
    return result;
}

}  // namespace smec::syntax
