#pragma once

#include <algorithm>
#include <cstring>
#include <string_view>
#include <vector>

#include "formats/text_sink.h"

namespace sme {

/// Text on its way to a sink. Whoever adds to it says how long that can get, and then writes without
/// looking at ends:
///
///     char* at = text.room(3); *at++ = '#'; text.endAt(at);
class TextRoom {
public:
    explicit TextRoom(TextSink& sink) : sink_(sink), text_(kPiece) {}

    /// A place for so many characters. What is there already may go to the sink first.
    char* room(std::size_t most) {
        if (text_.size() - used_ < most) makeRoom(most);
        return text_.data() + used_;
    }
    /// What room() gave is used up to there.
    void endAt(const char* end) { used_ = static_cast<std::size_t>(end - text_.data()); }
    void append(std::string_view part) {
        char* at = room(part.size());
        std::memcpy(at, part.data(), part.size());
        used_ += part.size();
    }
    /// Gives all to the sink.
    void write() {
        sink_.write({text_.data(), used_});
        used_ = 0;
    }

private:
    static constexpr std::size_t kPiece = 128 * 1024;  ///< as much as is given to the sink at once
    void makeRoom(std::size_t most) {
        write();
        text_.resize(std::max(text_.size(), most));
    }

    TextSink& sink_;
    std::vector<char> text_;
    std::size_t used_ = 0;
};

}  // namespace sme
