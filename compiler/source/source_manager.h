#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

namespace smec {

struct FileId {
    std::uint32_t index = UINT32_MAX;
    bool valid() const { return index != UINT32_MAX; }
    bool operator==(const FileId&) const = default;
};

/// Half-open range of byte offsets in one file. Decoded to lines and columns only when printed.
struct SourceRange {
    FileId file;
    std::uint32_t begin = 0;
    std::uint32_t end = 0;
    bool valid() const { return file.valid(); }
    bool operator==(const SourceRange&) const = default;
};

/// The smallest range that covers both; `a`'s file wins where they differ.
SourceRange cover(SourceRange a, SourceRange b);

/// 1-based line; 1-based column counted in characters (UTF-8 code points).
struct LineColumn {
    std::uint32_t line = 0;
    std::uint32_t column = 0;
};

/// Owns the text of every file of one compilation. References to text stay valid for its lifetime.
/// Not thread-safe.
class SourceManager {
public:
    /// Adds a file under the path shown in diagnostics. Files over 4 GiB are the caller's error to
    /// refuse.
    FileId add(std::string path, std::string text);

    std::string_view text(FileId file) const;
    std::string_view text(SourceRange range) const;
    const std::string& path(FileId file) const;
    LineColumn position(FileId file, std::uint32_t offset) const;
    /// position().line, without the time to count the characters of a long line.
    std::uint32_t lineNumber(FileId file, std::uint32_t offset) const;
    /// The text of a 1-based line without its line ending.
    std::string_view line(FileId file, std::uint32_t number) const;
    std::size_t fileCount() const { return files_.size(); }

private:
    struct File {
        std::string path;
        std::string text;
        std::vector<std::uint32_t> lineStarts;
    };
    std::deque<File> files_;
};

}  // namespace smec
