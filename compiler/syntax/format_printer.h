#pragma once

#include "syntax/format_output.h"
#include "syntax/format_tree.h"

namespace smec::syntax {

constexpr std::uint32_t kFormatWidth = 100;
constexpr std::uint32_t kFormatIndent = 4;

/// Prints runs: what stands between the blocks. Long ones are broken at the commas of a bracket or
/// before the operators that bind loosest; what follows lines up with what was broken.
class FormatRuns {
public:
    FormatRuns(const FormatTokens& file, FormatOutput& out) : file_(file), out_(out) {}

    /// Prints a run of the line that starts at `indent`. `rest` characters follow on its last
    /// line.
    void run(const FormatRun& run, std::uint32_t indent, std::uint32_t rest);
    /// Prints the tokens [first, last] on one line.
    void flat(std::uint32_t first, std::uint32_t last);
    void token(std::uint32_t index);
    /// Where a line goes on that a comment ends.
    void setAlignment(std::uint32_t column) { align_ = column; }

    /// Comments in front of the first token of a line, or of a closing bracket, each on a line of
    /// its own; then starts the token's line, at `indent`. A blank line of the source stays unless
    /// `isFirst`.
    void startTokenLine(std::uint32_t index, std::uint32_t indent, bool isFirst);
    void ownLineComments(std::uint32_t index, std::uint32_t indent, bool isFirst);
    /// What follows starts a line by itself, so that a comment at the end of this one is no reason.
    void endLine() { breaks_ = false; }
    /// Starts a line if a comment ended this one.
    void settle(std::uint32_t indent) {
        if (breaks_) startLine(indent);
    }

    std::uint32_t printed() const { return printed_; }

private:
    void item(const FormatRun& run, std::size_t from, std::size_t to, std::uint32_t rest);
    void commas(const FormatRun& run, std::size_t from, std::size_t to, std::uint32_t rest);
    void operators(const FormatRun& run, std::size_t from, std::size_t to, std::uint32_t rest,
                   Binding loosest);
    void sequence(const FormatRun& run, std::size_t from, std::size_t to, std::uint32_t rest);
    void group(const FormatGroup& group, std::uint32_t rest);
    std::uint32_t entries(const FormatGroup& group, std::uint32_t rest, bool isIndented);
    void assigned(const FormatRun& run, std::size_t from, std::uint32_t indent, std::uint32_t rest);

    const FormatToken& at(std::uint32_t index) const { return file_.tokens[index]; }
    Binding loosest(const FormatRun& run, std::size_t from, std::size_t to) const;
    std::uint32_t width(const FormatRun& run, std::size_t from, std::size_t to,
                        Rows rows = Rows::Matter) const;
    bool fits(const FormatRun& run, std::size_t from, std::size_t to, std::uint32_t rest) const;
    std::uint32_t nextColumn(std::uint32_t token) const;
    bool isGapBlank(std::uint32_t begin) const;
    void startLine(std::uint32_t column, bool isMoved = false);
    void inlineComment(const FormatComment& comment);

    const FormatTokens& file_;
    FormatOutput& out_;
    std::uint32_t align_ = 0;
    std::uint32_t indent_ = 0;            // of the line
    std::uint32_t printed_ = UINT32_MAX;  // token whose comments in front are printed
    std::uint32_t last_ = UINT32_MAX;     // token at which the run ends
    std::uint32_t end_ = 0;               // offset after what was printed last
    bool breaks_ = false;                 // a comment ended the line
};

}  // namespace smec::syntax
