#include "diag/excerpt.h"

#include <algorithm>

#include "source/utf8.h"

// A 10 MB line, the mark at byte 5,000,000:   ...80 bytes before^~~~80 bytes after...

namespace smec {

namespace {

constexpr std::size_t kLongestWholeLine = 160;  // bytes
constexpr std::size_t kContext = 80;  // bytes kept on either side of the start of the mark
constexpr std::size_t kTabStop = 4;   // cells
constexpr std::string_view kCut = "...";
constexpr std::string_view kReplacement = "\xEF\xBF\xBD";  // U+FFFD

bool isContinuation(char byte) { return (static_cast<unsigned char>(byte) & 0xC0) == 0x80; }

bool isControl(char byte) { return static_cast<unsigned char>(byte) < 0x20 || byte == 0x7F; }

struct Window {
    std::size_t begin;
    std::size_t end;
};

Window windowAround(std::string_view line, std::size_t mark) {
    if (line.size() <= kLongestWholeLine) return {0, line.size()};
    Window window{mark > kContext ? mark - kContext : 0, std::min(mark + kContext, line.size())};
    while (window.begin > 0 && window.begin < mark && isContinuation(line[window.begin]))
        ++window.begin;
    while (window.end < line.size() && window.end > mark && isContinuation(line[window.end]))
        --window.end;
    return window;
}

// Appends the character at `at` as it is shown; returns its bytes in `line` and adds its cells to
// `cells`.
std::size_t appendCharacter(std::string& out, std::size_t& cells, std::string_view line,
                            std::size_t at) {
    if (line[at] == '\t') {
        std::size_t width = kTabStop - cells % kTabStop;
        out.append(width, ' ');
        cells += width;
        return 1;
    }
    ++cells;
    std::size_t length = characterLength(line, at);
    if (length == 0 || isControl(line[at])) {
        out += kReplacement;
        return 1;
    }
    out += line.substr(at, length);
    return length;
}

}  // namespace

Excerpt makeExcerpt(const SourceManager& sources, SourceRange range) {
    std::string_view line = sources.line(range.file, sources.lineNumber(range.file, range.begin));
    std::size_t lineBegin = static_cast<std::size_t>(line.data() - sources.text(range.file).data());
    if (line.data() == nullptr) lineBegin = range.begin;
    std::size_t begin =
        std::min(range.begin > lineBegin ? range.begin - lineBegin : 0, line.size());
    std::size_t end =
        std::clamp(range.end > lineBegin ? range.end - lineBegin : 0, begin, line.size());
    Window window = windowAround(line, begin);

    Excerpt excerpt;
    std::size_t cells = 0;
    auto cut = [&](bool isCut) {
        if (!isCut) return;
        excerpt.text += kCut;
        cells += kCut.size();
    };
    cut(window.begin > 0);
    std::size_t stop = std::min(end, window.end);
    std::size_t stopCell = 0;
    excerpt.caret = cells;
    for (std::size_t at = window.begin; at < window.end;) {
        if (at <= begin) excerpt.caret = cells;
        at += appendCharacter(excerpt.text, cells, line, at);
        if (at <= stop) stopCell = cells;
    }
    if (begin >= window.end) excerpt.caret = cells;
    cut(window.end < line.size());
    if (stopCell > excerpt.caret) excerpt.width = stopCell - excerpt.caret;
    return excerpt;
}

}  // namespace smec
