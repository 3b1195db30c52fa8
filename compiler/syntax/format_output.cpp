#include "syntax/format_output.h"

#include <algorithm>

// Comments at line ends: those of neighbouring lines that begin in one column in the source are a
// block, and stay one; the block stands where it stood, or two spaces after its longest line. One
// alone that follows its code closely goes on doing so.

namespace smec::syntax {

namespace {

constexpr std::uint32_t kTab = 4;

std::string_view trimmed(std::string_view text) {
    while (!text.empty() && (text.back() == ' ' || text.back() == '\t' || text.back() == '\r'))
        text.remove_suffix(1);
    return text;
}

std::uint32_t advanced(std::uint32_t column, char c) {
    if (c == '\t') return column + kTab - column % kTab;
    return (static_cast<unsigned char>(c) & 0xC0) == 0x80 ? column : column + 1;
}

bool isWhite(char c) { return c == ' ' || c == '\t' || c == '\r'; }

/// Calls use(line) for each line of the text, without its end.
template <typename Use>
void eachLine(std::string_view text, Use use) {
    while (true) {
        const std::size_t end = text.find('\n');
        use(trimmed(text.substr(0, end)));
        if (end == std::string_view::npos) return;
        text.remove_prefix(end + 1);
    }
}

}  // namespace

void FormatOutput::startLine(std::uint32_t indent, bool isMoved) {
    Line& line = lines_.emplace_back();
    line.code.assign(indent, ' ');
    line.indent = indent;
    line.isMoved = isMoved;
}

void FormatOutput::blank() {
    if (!lines_.empty() && !lines_.back().isEmpty()) lines_.emplace_back();
}

void FormatOutput::insertBlank(std::size_t line) {
    lines_.insert(lines_.begin() + static_cast<std::ptrdiff_t>(line), Line{});
}

bool FormatOutput::atLineStart() const {
    return lines_.empty() || lines_.back().code.find_first_not_of(' ') == std::string::npos;
}

std::uint32_t FormatOutput::column() const {
    const std::string& code = lines_.back().code;
    const std::size_t newline = code.rfind('\n');
    return characters(
        std::string_view(code).substr(newline == std::string::npos ? 0 : newline + 1));
}

std::uint32_t FormatOutput::sourceColumn(std::uint32_t offset) const {
    const std::size_t newline =
        offset == 0 ? std::string_view::npos : source_.rfind('\n', offset - 1);
    std::uint32_t column = 0;
    for (std::size_t i = newline == std::string_view::npos ? 0 : newline + 1; i < offset; ++i)
        column = advanced(column, source_[i]);
    return column;
}

std::uint32_t FormatOutput::sourceIndent(std::uint32_t offset) const {
    const std::size_t newline =
        offset == 0 ? std::string_view::npos : source_.rfind('\n', offset - 1);
    std::uint32_t column = 0;
    for (std::size_t i = newline == std::string_view::npos ? 0 : newline + 1;
         i < offset && isWhite(source_[i]); ++i)
        column = advanced(column, source_[i]);
    return column;
}

std::string FormatOutput::moved(const FormatComment& comment, std::uint32_t column) const {
    const std::uint32_t old = sourceColumn(comment.begin);
    std::string text;
    eachLine(comment.text, [&](std::string_view line) {
        if (text.empty()) {
            text = line;
            return;
        }
        std::uint32_t indent = 0;
        while (!line.empty() && isWhite(line.front())) {
            indent = advanced(indent, line.front());
            line.remove_prefix(1);
        }
        indent = indent + column > old ? indent + column - old : 0;
        text.append("\n").append(line.empty() ? 0 : indent, ' ').append(line);
    });
    return text;
}

void FormatOutput::putComment(const FormatComment& comment) {
    const bool moves = comment.startsLine && atLineStart();
    put(moved(comment, moves ? column() : sourceColumn(comment.begin)));
}

void FormatOutput::trail(const FormatComment& comment) {
    Line& line = lines_.back();
    const std::string text = moved(comment, sourceColumn(comment.begin));
    if (!line.comment.empty()) {
        line.comment += ' ' + text;
        return;
    }
    line.comment = text;
    if (line.isMoved) return;  // its column means nothing here
    const std::uint32_t indent = sourceIndent(comment.begin);
    const std::uint32_t column = sourceColumn(comment.begin) + line.indent;
    line.column = column > indent ? column - indent : 0;
    line.isClose = comment.begin < 2 || source_.substr(comment.begin - 2, 2) != "  ";
}

void FormatOutput::alignComments() {
    const auto inBlock = [&](std::size_t line, std::uint32_t column) {
        return line < lines_.size() && !lines_[line].comment.empty()
               && lines_[line].column == column;
    };
    for (std::size_t first = 0; first < lines_.size();) {
        std::uint32_t column = lines_[first].column;
        std::size_t last = first;
        for (; inBlock(last, lines_[first].column); ++last) {
            const std::string& code = lines_[last].code;
            const std::size_t newline = code.rfind('\n');
            const std::size_t begin = newline == std::string::npos ? 0 : newline + 1;
            if (last == first && lines_[first].isClose && !inBlock(first + 1, column)) column = 0;
            column = std::max(column, characters(std::string_view(code).substr(begin)) + 2);
        }
        for (std::size_t i = first; i < last; ++i)
            lines_[i].column = column;
        first = std::max(last, first + 1);
    }
}

std::string FormatOutput::finish() {
    alignComments();
    std::string text;
    for (const Line& line : lines_) {
        text += line.comment.empty() ? trimmed(line.code) : std::string_view(line.code);
        if (!line.comment.empty()) {
            const std::size_t newline = line.code.rfind('\n');
            const std::size_t begin = newline == std::string::npos ? 0 : newline + 1;
            text.append(line.column - characters(std::string_view(line.code).substr(begin)), ' ');
            text += line.comment;
        }
        text += '\n';
    }
    return text;
}

}  // namespace smec::syntax
