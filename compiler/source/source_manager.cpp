#include "source/source_manager.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "source/one_line.h"

// Positions are byte offsets; lines are found by binary search in the offsets at which they start,
// columns by counting the characters of the line up to the offset. Only diagnostics ask, so nothing
// is cached.

namespace smec {

namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

std::vector<std::uint32_t> findLineStarts(std::string_view text) {
    std::vector<std::uint32_t> starts{0};
    for (std::size_t at = text.find('\n'); at != std::string_view::npos;
         at = text.find('\n', at + 1))
        starts.push_back(static_cast<std::uint32_t>(at + 1));
    return starts;
}

/// Bytes that do not go on with a character, eight at a time: thousands of messages may lie in one
/// long line.
std::size_t countCharacters(std::string_view text) {
    constexpr std::uint64_t kTopBits = 0x8080808080808080;
    std::size_t continuations = 0;
    std::size_t at = 0;
    for (; at + 8 <= text.size(); at += 8) {
        std::uint64_t bytes;
        std::memcpy(&bytes, text.data() + at, 8);
        // one in each byte that goes on with a character; their sum in the top byte of the product
        const std::uint64_t ones = (bytes & ~(bytes << 1) & kTopBits) >> 7;
        continuations += (ones * 0x0101010101010101) >> 56;
    }
    for (; at < text.size(); ++at)
        continuations += (static_cast<unsigned char>(text[at]) & 0xC0) == 0x80;
    return text.size() - continuations;
}

}  // namespace

SourceRange cover(SourceRange a, SourceRange b) {
    if (!a.valid()) return b;
    if (!b.valid() || a.file != b.file) return a;
    return {a.file, std::min(a.begin, b.begin), std::max(a.end, b.end)};
}

FileId SourceManager::add(std::string path, std::string text) {
    std::vector<std::uint32_t> lineStarts = findLineStarts(text);
    files_.push_back({onOneLine(path), std::move(text), std::move(lineStarts)});
    return {static_cast<std::uint32_t>(files_.size() - 1)};
}

std::string_view SourceManager::text(FileId file) const { return files_.at(file.index).text; }

std::string_view SourceManager::text(SourceRange range) const {
    std::string_view whole = text(range.file);
    std::size_t begin = std::min<std::size_t>(range.begin, whole.size());
    return whole.substr(begin, range.end > begin ? range.end - begin : 0);
}

const std::string& SourceManager::path(FileId file) const { return files_.at(file.index).path; }

std::uint32_t SourceManager::lineNumber(FileId file, std::uint32_t offset) const {
    const std::vector<std::uint32_t>& starts = files_.at(file.index).lineStarts;
    const auto next = std::upper_bound(starts.begin(), starts.end(), offset);
    return static_cast<std::uint32_t>(next - starts.begin());
}

LineColumn SourceManager::position(FileId file, std::uint32_t offset) const {
    const File& f = files_.at(file.index);
    offset = std::min(offset, static_cast<std::uint32_t>(f.text.size()));
    const std::uint32_t line = lineNumber(file, offset);
    const std::uint32_t start = f.lineStarts[line - 1];
    std::string_view before = std::string_view(f.text).substr(start, offset - start);
    if (line == 1 && before.starts_with(kByteOrderMark))
        before.remove_prefix(kByteOrderMark.size());
    return {line, static_cast<std::uint32_t>(countCharacters(before) + 1)};
}

std::string_view SourceManager::line(FileId file, std::uint32_t number) const {
    const File& f = files_.at(file.index);
    if (number == 0 || number > f.lineStarts.size()) return {};
    std::size_t begin = f.lineStarts[number - 1];
    std::size_t end = number < f.lineStarts.size() ? f.lineStarts[number] - 1 : f.text.size();
    std::string_view text = std::string_view(f.text).substr(begin, end - begin);
    if (text.ends_with('\r')) text.remove_suffix(1);
    if (number == 1 && text.starts_with(kByteOrderMark)) text.remove_prefix(kByteOrderMark.size());
    return text;
}

}  // namespace smec
