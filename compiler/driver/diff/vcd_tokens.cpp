#include "driver/diff/vcd_tokens.h"

#include <fmt/format.h>

#include "driver/diff/dump_reader.h"

namespace smec::driver {
namespace {

constexpr std::size_t kChunk = std::size_t{1} << 16;

bool isBlank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

}  // namespace

/// Keeps what is after at_.
bool VcdTokens::readMore() {
    buffer_.erase(0, at_);
    at_ = 0;
    const std::size_t kept = buffer_.size();
    buffer_.resize(kept + kChunk);
    file_.read(buffer_.data() + kept, kChunk);
    buffer_.resize(kept + static_cast<std::size_t>(file_.gcount()));
    return buffer_.size() > kept;
}

bool VcdTokens::next(std::string_view& word) {
    for (;;) {
        while (at_ < buffer_.size() && isBlank(buffer_[at_]))
            line_ += buffer_[at_++] == '\n';
        if (at_ < buffer_.size()) break;
        if (!readMore()) return false;
    }
    std::size_t length = 0;
    for (;; ++length) {
        if (at_ + length == buffer_.size() && !readMore()) break;
        if (isBlank(buffer_[at_ + length])) break;
        if (length == kLongestWord)
            throw BadDump(fmt::format("a word of more than {} MiB", kLongestWord >> 20));
    }
    word = std::string_view(buffer_).substr(at_, length);
    at_ += length;
    return true;
}

bool VcdTokens::section(std::vector<std::string>& words) {
    words.clear();
    std::size_t size = 0;
    for (std::string_view word; next(word);) {
        if (word == "$end") return true;
        size += word.size() + sizeof(std::string);
        if (size > kLongestSection)
            throw BadDump(fmt::format("a section of more than {} MiB", kLongestSection >> 20));
        words.emplace_back(word);
    }
    return false;
}

}  // namespace smec::driver
