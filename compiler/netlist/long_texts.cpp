#include "netlist/long_texts.h"

#include <algorithm>
#include <charconv>
#include <utility>

#include <fmt/format.h>

namespace smec::netlist {
namespace {

/// Begins what stands for a text; Yosys writes no such character.
constexpr char kMark = '\1';

bool isDigit(char c) { return c == '0' || c == '1' || c == 'x' || c == 'z'; }

}  // namespace

void LongTexts::restore(std::string& text) {
    if (text.empty() || text[0] != kMark) return;
    std::size_t number = 0;
    std::from_chars(text.data() + 1, text.data() + text.size(), number);
    if (number < kept_.size()) text = std::exchange(kept_[number], {});
}

LongTexts::int_type LongTexts::underflow() {
    out_.clear();
    while (out_.empty()) {
        const std::streamsize count =
            source_.sgetn(block_.data(), static_cast<std::streamsize>(block_.size()));
        for (std::streamsize i = 0; i < count; ++i)
            read(block_[static_cast<std::size_t>(i)]);
        if (count == 0) {
            pass();
            break;
        }
    }
    if (out_.empty()) return traits_type::eof();
    setg(out_.data(), out_.data(), out_.data() + out_.size());
    return traits_type::to_int_type(out_[0]);
}

void LongTexts::read(char c) {
    if (state_ == State::Digits) {
        if (!isDigit(c)) return end(c);
        // a string that grows is there twice; this room is addresses alone until digits come
        if (digits_.size() == kLong) digits_.reserve(std::max(bytes_, 2 * kLong));
        digits_ += c;
        return;
    }
    out_ += c;
    if (state_ == State::Between) {
        if (c == '"') state_ = State::Digits;
    } else if (state_ == State::Escape) {
        state_ = State::Text;
    } else if (c == '\\') {
        state_ = State::Escape;
    } else if (c == '"') {
        state_ = State::Between;
    }
}

/// Of a text that was digits alone so far.
void LongTexts::end(char c) {
    if (c == '"' && digits_.size() > kLong) {
        const std::string mark = fmt::format("\\u{:04x}{}", int{kMark}, kept_.size());
        missing_ += digits_.size() - mark.size();
        out_ += mark;
        if (digits_.size() < digits_.capacity() / 2) digits_.shrink_to_fit();
        kept_.push_back(std::exchange(digits_, {}));
    }
    pass();
    state_ = State::Text;
    read(c);
}

void LongTexts::pass() {
    out_ += digits_;
    digits_.clear();
}

}  // namespace smec::netlist
