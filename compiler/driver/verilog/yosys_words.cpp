#include "driver/verilog/yosys_words.h"

#include <algorithm>
#include <cctype>

#include "source/output_file.h"

namespace smec::driver {
namespace {

bool isPlain(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0; }

}  // namespace

bool YosysWord::fits(std::string_view text) {
    constexpr std::string_view kFirst = "_.$/", kLater = "_.$/=:+'[],@-";
    if (text.empty() || (!isPlain(text[0]) && kFirst.find(text[0]) == std::string_view::npos))
        return false;
    return std::ranges::all_of(
        text, [&](char c) { return isPlain(c) || kLater.find(c) != std::string_view::npos; });
}

YosysWord::YosysWord(std::string text) : text_(std::move(text)) {
    if (!fits(text_))
        throw FileError{fmt::format("'{}' cannot be told to Yosys; it takes names of letters, "
                                    "digits, '_' and '$'",
                                    text_),
                        true};
}

}  // namespace smec::driver
