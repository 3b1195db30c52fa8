#pragma once

#include <cstddef>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

namespace smec::driver {

/// The words of a value change dump, which blanks and line ends part. Throws BadDump where one, or a
/// section of them, is longer than any that is meant: a file may be a disk's worth of zeros.
class VcdTokens {
public:
    explicit VcdTokens(const std::string& path) : file_(path, std::ios::binary) {}

    /// False at the end. The word is valid until the next call.
    bool next(std::string_view& word);
    /// The words up to `$end`, which is taken too. False when there is none.
    bool section(std::vector<std::string>& words);
    std::size_t line() const { return line_; }  ///< of the last word

private:
    static constexpr std::size_t kLongestWord = std::size_t{4} << 20;
    static constexpr std::size_t kLongestSection = std::size_t{32} << 20;

    bool readMore();

    std::ifstream file_;
    std::string buffer_;
    std::size_t at_ = 0;
    std::size_t line_ = 1;
};

}  // namespace smec::driver
