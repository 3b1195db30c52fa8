#include <algorithm>
#include <cctype>

#include <SmeLexer.h>

#include "syntax/format_printer.h"

// instance a of filter(input, output, gain: 3,         commas fill the lines of a bracket
//                      taps: first + second
//                            + third);                 operators stand at the starts of lines

namespace smec::syntax {

namespace {

using L = grammar::SmeLexer;

/// After this column what is assigned starts a line of its own where it has to be broken.
constexpr std::uint32_t kFarRight = 50;
/// Lining up with a column beyond this one wins nothing.
constexpr std::uint32_t kTooFarRight = 90;

bool isClosing(std::uint16_t type) {
    return type == L::RightParen || type == L::RightBracket || type == L::Comma
           || type == L::Semicolon;
}

/// Brackets after a name: the arguments of a call or an instance, parameters.
bool isCall(const FormatTokens& file, const FormatGroup& group) {
    if (group.keepsRows || group.open == 0 || file.tokens[group.open].spaceBefore) return false;
    const char before = file.tokens[group.open - 1].text.back();
    return before == '_' || std::isalnum(static_cast<unsigned char>(before)) != 0;
}

bool isCommaRun(const FormatTokens& file, const FormatRun& run, std::size_t from, std::size_t to) {
    return std::any_of(
        run.begin() + static_cast<std::ptrdiff_t>(from),
        run.begin() + static_cast<std::ptrdiff_t>(to),
        [&](const FormatElement& element) { return file.tokens[element.token].type == L::Comma; });
}

}  // namespace

// ---------------------------------------------------------------- tokens and comments

std::uint32_t FormatRuns::nextColumn(std::uint32_t token) const {
    return out_.column() + (at(token).spaceBefore && !out_.atLineStart() ? 1 : 0);
}

bool FormatRuns::isGapBlank(std::uint32_t begin) const {
    const std::string_view gap = file_.text.substr(end_, begin - end_);
    return std::count(gap.begin(), gap.end(), '\n') >= 2;
}

void FormatRuns::startLine(std::uint32_t column, bool isMoved) {
    out_.startLine(column, isMoved);
    breaks_ = false;
}

void FormatRuns::inlineComment(const FormatComment& comment) {
    if (breaks_ || (comment.isAlone && !out_.atLineStart())) startLine(align_);
    const bool opened = out_.endsWith('(') || out_.endsWith('[');
    if (!out_.atLineStart() && !opened) out_.put(" ");
    out_.putComment(comment);
    end_ = comment.end;
    breaks_ = comment.endsLine || comment.isLine();
}

void FormatRuns::token(std::uint32_t index) {
    const FormatToken& token = at(index);
    bool space = token.spaceBefore;
    if (index != printed_) {
        for (const FormatComment& comment : token.before) {
            inlineComment(comment);
            space = !isClosing(token.type);
        }
    }
    if (breaks_) startLine(align_);
    if (space && !out_.atLineStart() && !out_.endsWith(' ')) out_.put(" ");
    out_.put(token.text);
    end_ = token.end;
    for (const FormatComment& comment : token.after) {
        out_.trail(comment);
        end_ = comment.end;
        breaks_ = true;
    }
}

void FormatRuns::flat(std::uint32_t first, std::uint32_t last) {
    for (std::uint32_t i = first; i <= last; ++i)
        token(i);
}

void FormatRuns::ownLineComments(std::uint32_t index, std::uint32_t indent, bool isFirst) {
    for (const FormatComment& comment : at(index).before) {
        if (!isFirst && isGapBlank(comment.begin)) out_.blank();
        startLine(indent);
        out_.putComment(comment);
        end_ = comment.end;
        isFirst = false;
    }
    printed_ = index;
}

void FormatRuns::startTokenLine(std::uint32_t index, std::uint32_t indent, bool isFirst) {
    bool startsLine = true;
    for (const FormatComment& comment : at(index).before) {
        if (startsLine) {
            if (!isFirst && isGapBlank(comment.begin)) out_.blank();
            startLine(indent);
        } else {
            out_.put(" ");
        }
        out_.putComment(comment);
        end_ = comment.end;
        startsLine = comment.endsLine || comment.isLine();
        isFirst = false;
    }
    if (startsLine) {
        if (!isFirst && isGapBlank(at(index).begin)) out_.blank();
        startLine(indent, at(index).before.empty() && !at(index).startsLine);
    } else {
        out_.put(" ");
    }
    printed_ = index;
}

// ---------------------------------------------------------------- runs

std::uint32_t FormatRuns::width(const FormatRun& run, std::size_t from, std::size_t to,
                                Rows rows) const {
    return runWidth(file_, run, from, to, printed_, last_, rows);
}

bool FormatRuns::fits(const FormatRun& run, std::size_t from, std::size_t to,
                      std::uint32_t rest) const {
    return nextColumn(run[from].token) + width(run, from, to) + rest <= kFormatWidth;
}

void FormatRuns::run(const FormatRun& run, std::uint32_t indent, std::uint32_t rest) {
    if (run.empty()) return;
    indent_ = indent;
    align_ = indent + kFormatIndent;
    last_ = lastToken(run.back());
    for (std::size_t i = 0; i + 1 < run.size(); ++i) {
        if (!at(run[i].token).isAssign || fits(run, 0, run.size(), rest)) continue;
        if (fits(run, 0, i + 1, 0)) {
            flat(run.front().token, run[i].token);
        } else {
            sequence(run, 0, i + 1, 0);
        }
        assigned(run, i + 1, indent, rest);
        last_ = UINT32_MAX;
        return;
    }
    item(run, 0, run.size(), rest);
    last_ = UINT32_MAX;
}

void FormatRuns::assigned(const FormatRun& run, std::size_t from, std::uint32_t indent,
                          std::uint32_t rest) {
    const bool isList = !run[from].group.empty();
    if (!isList && out_.column() > kFarRight && !fits(run, from, run.size(), rest))
        startLine(indent + kFormatIndent);
    item(run, from, run.size(), rest);
}

void FormatRuns::item(const FormatRun& run, std::size_t from, std::size_t to, std::uint32_t rest) {
    if (fits(run, from, to, rest)) return flat(run[from].token, lastToken(run[to - 1]));
    if (isCommaRun(file_, run, from, to)) return commas(run, from, to, rest);
    if (from + 2 < to && at(run[from + 1].token).isPlainColon) {
        flat(run[from].token, run[from + 1].token);
        return item(run, from + 2, to, rest);
    }
    const Binding binding = loosest(run, from, to);
    if (binding != Binding::None) return operators(run, from, to, rest, binding);
    sequence(run, from, to, rest);
}

Binding FormatRuns::loosest(const FormatRun& run, std::size_t from, std::size_t to) const {
    Binding result = Binding::None;
    for (std::size_t i = from; i < to; ++i) {
        const Binding binding = at(run[i].token).binding;
        if (binding == Binding::None) continue;
        if (result == Binding::None || binding < result) result = binding;
    }
    return result;
}

void FormatRuns::commas(const FormatRun& run, std::size_t from, std::size_t to,
                        std::uint32_t rest) {
    const std::uint32_t align = align_;
    for (std::size_t first = from; first < to;) {
        std::size_t end = first;
        while (end + 1 < to && at(run[end].token).type != L::Comma)
            ++end;
        const bool hasComma = at(run[end].token).type == L::Comma;
        ++end;
        align_ = align;
        if (first > from && !fits(run, first, end, end == to ? rest : 0)) startLine(align);
        item(run, first, hasComma ? end - 1 : end, end == to ? rest : 1);
        if (hasComma) token(run[end - 1].token);
        first = end;
    }
    align_ = align;
}

void FormatRuns::operators(const FormatRun& run, std::size_t from, std::size_t to,
                           std::uint32_t rest, Binding loosest) {
    const std::uint32_t outer = align_;
    const std::uint32_t align = nextColumn(run[from].token);
    const auto isColon = [&](std::size_t i) {
        const FormatToken& token = at(run[i].token);
        return token.type == L::Colon && token.binding == Binding::Conditional;
    };
    bool onlyColons = false;  // of a conditional: `c ? a` stays together if it can
    for (std::size_t i = from + 1; i < to && loosest == Binding::Conditional; ++i)
        onlyColons |= isColon(i);
    const auto endOf = [&](std::size_t i) {
        while (i < to && (at(run[i].token).binding != loosest || (onlyColons && !isColon(i))))
            ++i;
        return i;
    };
    std::size_t end = endOf(from);
    align_ = align;
    item(run, from, end, end == to ? rest : 0);
    while (end < to) {
        const std::size_t first = end;
        end = endOf(first + 1);
        align_ = align;
        const bool helps = align < kTooFarRight;
        if (helps && !fits(run, first, end, end == to ? rest : 0)) startLine(align);
        token(run[first].token);
        item(run, first + 1, end, end == to ? rest : 0);
    }
    align_ = outer;
}

void FormatRuns::sequence(const FormatRun& run, std::size_t from, std::size_t to,
                          std::uint32_t rest) {
    for (std::size_t i = from; i < to; ++i) {
        if (run[i].group.empty()) {
            token(run[i].token);
            continue;
        }
        const std::uint32_t after = i + 1 < to ? width(run, i + 1, to, Rows::Ignored) + rest : rest;
        group(run[i].group.front(), std::min(after, kFormatWidth / 2));
    }
}

// ---------------------------------------------------------------- brackets

void FormatRuns::group(const FormatGroup& group, std::uint32_t rest) {
    const bool forced = group.open != printed_ && at(group.open).breaksBefore();
    if (!forced && nextColumn(group.open) + group.width + rest <= kFormatWidth)
        return flat(group.open, group.close);
    const std::uint32_t outer = align_;
    token(group.open);
    const bool isIndented = !group.entries.empty() && group.keepsRows
                            && at(group.entries.front().run.front().token).startsLine;
    const std::uint32_t align = entries(group, rest, isIndented);
    align_ = align;
    if (isIndented && at(group.close).startsLine) {
        ownLineComments(group.close, align, true);
        startLine(indent_);
    }
    token(group.close);
    align_ = outer;
}

/// Returns the column in which lines go on.
std::uint32_t FormatRuns::entries(const FormatGroup& group, std::uint32_t rest, bool isIndented) {
    if (group.entries.empty()) return align_;
    const std::uint32_t column = nextColumn(group.entries.front().run.front().token);
    const bool isNarrow =
        isCall(file_, group) && column > indent_ + 2 * kFormatIndent
        && std::any_of(
            group.entries.begin(), group.entries.end(), [&](const FormatGroup::Entry& entry) {
                const std::uint32_t wide = width(entry.run, 0, entry.run.size(), Rows::Ignored);
                return wide < kUnbounded && column + wide + 1 > kFormatWidth;
            });
    const std::uint32_t align = isIndented ? indent_ + kFormatIndent
                                : isNarrow ? indent_ + 2 * kFormatIndent
                                           : column;
    const FormatToken& close = at(group.close);
    const bool closesAlone = isIndented && close.startsLine;
    const std::uint32_t closing = closesAlone ? 0 : rest + (close.spaceBefore ? 2 : 1);
    for (std::size_t k = 0; k < group.entries.size(); ++k) {
        const FormatGroup::Entry& entry = group.entries[k];
        const FormatToken& first = at(entry.run.front().token);
        const bool isLast = k + 1 == group.entries.size();
        const std::uint32_t after = isLast ? closing : 1;
        align_ = align;
        const bool ownRow = group.keepsRows && first.startsLine && (k > 0 || isIndented);
        const bool tooLong = k > 0 && !fits(entry.run, 0, entry.run.size(), after);
        if (ownRow || tooLong || (k == 0 && isNarrow)) {
            const std::uint32_t begin =
                first.before.empty() ? first.begin : first.before.front().begin;
            if (k > 0 && group.keepsRows && isGapBlank(begin)) out_.blank();
            startLine(align);
        }
        item(entry.run, 0, entry.run.size(), after);
        if (entry.comma != 0) token(entry.comma);
    }
    return align;
}

}  // namespace smec::syntax
