#pragma once

#include <deque>
#include <map>
#include <set>
#include <string>

#include "driver/compile/verilog_input.h"
#include "driver/verilog/scan/token.h"

namespace smec::driver::scan {

/// What words for synthesis a file has, which a simulator does not read.
struct Notes {
    std::uint32_t conditions = 0;  ///< on SYNTHESIS or YOSYS
    std::uint32_t regions = 0;     ///< that are left out
    std::uint32_t cases = 0;       ///< full_case, parallel_case
    Token first{};
};

/// A file given, as it is read: included files stand in it, macros are what they stand for, and
/// what synthesis does not see is not there. Ends with a token of kind End.
struct Unit {
    Tokens tokens;
    std::map<std::uint16_t, Notes> notes;  ///< by file
    Tokens unread;                         ///< directives that Yosys does not know
    bool isWhole = true;                   ///< else macros made more of it than there may be
};

/// All texts, which tokens point into.
class Texts {
public:
    std::string_view keep(std::string text) { return kept_.emplace_back(std::move(text)); }
    /// The number of a file; its text is read once. A file that cannot be read is empty.
    std::uint16_t file(const std::string& path);
    std::string_view text(std::uint16_t file) const { return files_[file].text; }
    const std::string& path(std::uint16_t file) const { return files_[file].path; }
    std::size_t size() const { return files_.size(); }
    /// As if a file had it.
    std::uint16_t add(const std::string& path, std::string text);

private:
    struct File {
        std::string path;
        std::string_view text;
    };
    std::deque<std::string> kept_;
    std::deque<File> files_;
    std::map<std::string, std::uint16_t> numbers_;
};

/// O(what it becomes), which is bounded.
Unit preprocess(std::uint16_t file, const VerilogInput& input, Texts& texts);

}  // namespace smec::driver::scan
