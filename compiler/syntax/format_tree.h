#pragma once

#include <cstdint>
#include <vector>

#include "syntax/format_tokens.h"

namespace smec::syntax {

struct FormatGroup;

/// A token, or a bracket with all that it holds.
struct FormatElement {
    std::uint32_t token = 0;         ///< the first one
    std::vector<FormatGroup> group;  ///< one entry or none
};

using FormatRun = std::vector<FormatElement>;

/// Brackets around entries that commas separate. The braces of an enum are one too.
struct FormatGroup {
    struct Entry {
        FormatRun run;
        std::uint32_t comma = 0;  ///< 0: the last one has none
    };
    std::uint32_t open = 0;
    std::uint32_t close = 0;
    std::vector<Entry> entries;
    bool keepsRows = false;     ///< lists of values: line breaks of the source stay
    std::uint32_t width = 0;    ///< on one line; kUnbounded where it cannot stand on one
    std::uint32_t rowless = 0;  ///< the same if its rows, and those inside, did not matter
};

constexpr std::uint32_t kUnbounded = 1U << 24;

struct FormatLine;

struct FormatBlock {
    std::uint32_t open = 0;
    std::uint32_t close = 0;
    std::vector<FormatLine> lines;
    bool isOneLine = false;  ///< in the source
};

/// A statement or declaration: runs and blocks in turn. `if (c)`, {…}, `else`, {…}, …
struct FormatPart {
    FormatRun run;
    std::vector<FormatBlock> block;  ///< one entry or none, after the run
};

enum class LineKind : std::uint8_t {
    Plain,
    Unit,              ///< a process, a network: its brace stands on a line of its own
    DeclarationsFirst  ///< the same, with declarations between head and brace
};

struct FormatLine {
    LineKind kind = LineKind::Plain;
    std::uint32_t first = 0;  ///< token
    std::uint32_t last = 0;
    std::vector<FormatPart> parts;
    std::vector<FormatLine> declarations;
    bool isOneLine = false;  ///< in the source
};

/// The lines of a file that parses. The recursion is bounded by kMaxNesting.
std::vector<FormatLine> formatTree(const FormatTokens& tokens);

/// Whether rows that a list of values keeps forbid one line. Where a choice would make rows that
/// were not there before, it must not look at them: formatting again would choose otherwise.
enum class Rows : std::uint8_t { Matter, Ignored };

/// Width of run[from, to) on one line, without the space in front; kUnbounded where a comment or
/// kept rows forbid it. Comments in front of the token `printed` do not count, nor those after
/// the token `last`.
std::uint32_t runWidth(const FormatTokens& file, const FormatRun& run, std::size_t from,
                       std::size_t to, std::uint32_t printed = UINT32_MAX,
                       std::uint32_t last = UINT32_MAX, Rows rows = Rows::Matter);

/// The token that ends the element.
std::uint32_t lastToken(const FormatElement& element);

}  // namespace smec::syntax
