#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "syntax/format_tokens.h"

namespace smec::syntax {

/// Lines under construction. Comments at the ends of lines are kept apart until all are known.
class FormatOutput {
public:
    explicit FormatOutput(std::string_view source) : source_(source) {}

    /// `isMoved`: in the source something else stands in front of it on its line.
    void startLine(std::uint32_t indent, bool isMoved = false);
    /// An empty line, unless one is there or nothing has been written.
    void blank();
    void insertBlank(std::size_t line);
    void put(std::string_view text) { lines_.back().code += text; }
    /// A comment in running text. One that starts its line may have its further lines moved along.
    void putComment(const FormatComment& comment);
    /// A comment at the end of the current line. It keeps its column where there is room.
    void trail(const FormatComment& comment);

    bool atLineStart() const;
    bool endsWith(char c) const { return !lines_.empty() && lines_.back().code.ends_with(c); }
    std::uint32_t column() const;
    std::size_t lineCount() const { return lines_.size(); }
    bool isBlank(std::size_t line) const { return lines_[line].isEmpty(); }

    std::string finish();

private:
    struct Line {
        std::string code;
        std::string comment;
        std::uint32_t indent = 0;
        std::uint32_t column = 0;  ///< of the comment
        bool isMoved = false;
        bool isClose = false;  ///< in the source, less than two spaces are in front of it
        bool isEmpty() const { return code.empty() && comment.empty(); }
    };

    std::uint32_t sourceColumn(std::uint32_t offset) const;
    std::uint32_t sourceIndent(std::uint32_t offset) const;
    std::string moved(const FormatComment& comment, std::uint32_t column) const;
    void alignComments();

    std::string_view source_;
    std::vector<Line> lines_;
};

}  // namespace smec::syntax
