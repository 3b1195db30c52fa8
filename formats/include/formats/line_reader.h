#pragma once

#include <sys/stat.h>

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace sme {

/// The lines of a file or a pipe in constant memory: each lasts until the next one is asked for.
/// They end in LF or CRLF; a byte order mark and blank lines at the end are none of them.
class LineReader {
public:
    static constexpr std::size_t kLongestLine = std::size_t{64} << 20;

    /// What happens while nothing comes; each may be empty.
    struct Waiting {
        std::function<void()> pause;    ///< called when a wait begins
        std::function<bool()> mustEnd;  ///< asked again and again: whether to wait no more
    };
    enum class Next : std::uint8_t { Line, End, TooLong, Failed, Interrupted };
    /// Of a line in a file.
    struct Place {
        std::uint64_t offset = 0;
        std::uint64_t line = 0;  ///< how many are before it
    };

    /// `-` is standard input.
    explicit LineReader(const std::string& path, Waiting waiting = {});
    ~LineReader();
    LineReader(const LineReader&) = delete;
    LineReader& operator=(const LineReader&) = delete;

    /// The next line, without its end. After Failed problem() says why; after Interrupted it may be
    /// asked again.
    Next next(std::string_view& line);
    std::uint64_t line() const { return line_; }  ///< the number of the line that came last, from 1
    int problem() const { return problem_; }      ///< errno
    void setWaiting(Waiting waiting) { waiting_ = std::move(waiting); }

    // Of files that can be read again: all but pipes, terminals and the like.
    bool isFile() const { return isFile_; }
    Place place() const { return {begin_ + at_, line_}; }  ///< after the line that came last
    void seek(Place place);
    /// Whether somebody has written it since it was opened.
    bool hasChanged() const;

private:
    Next readLine(std::string_view& line);
    Next fill();
    bool waitForInput() const;

    Waiting waiting_;
    int descriptor_ = -1;
    bool owned_ = false;
    bool isFile_ = false;
    bool isOver_ = false;
    int problem_ = 0;
    struct stat opened_ {};
    std::uint64_t line_ = 0;

    std::vector<char> buffer_;
    std::uint64_t begin_ = 0;  ///< of the buffer in the file
    std::size_t at_ = 0;       ///< what is read, in the buffer
    std::size_t end_ = 0;
    std::uint64_t blanks_ = 0;  ///< blank lines that are there if another one follows
    bool holds_ = false;        ///< it follows
    std::string_view held_;
};

}  // namespace sme
