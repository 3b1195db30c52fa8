#pragma once

#include <array>
#include <cstddef>
#include <streambuf>
#include <string>
#include <vector>

namespace smec::netlist {

/// JSON whose long texts of binary digits are kept apart, once each: a parser has several copies of
/// a text that it reads, and what a memory holds at first may be millions of digits.
class LongTexts final : public std::streambuf {
public:
    static constexpr std::size_t kLong = std::size_t{1} << 16;  ///< digits

    /// `bytes`: of the source, about.
    LongTexts(std::streambuf& source, std::size_t bytes) : source_(source), bytes_(bytes) {}

    /// What stands in the JSON for a text that is kept apart becomes the text, once; others stay.
    void restore(std::string& text);
    /// Bytes of the source that are missing in what has been read.
    std::size_t missing() const { return missing_; }

private:
    enum class State : std::uint8_t { Between, Digits, Text, Escape };

    int_type underflow() override;
    void read(char c);
    void end(char c);
    void pass();

    std::streambuf& source_;
    std::size_t bytes_;
    State state_ = State::Between;
    std::string digits_;  ///< of the text at hand, as long as it has nothing else
    std::vector<std::string> kept_;
    std::size_t missing_ = 0;
    std::array<char, std::size_t{1} << 16> block_{};
    std::string out_;
};

}  // namespace smec::netlist
