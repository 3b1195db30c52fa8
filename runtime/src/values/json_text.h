#pragma once

#include <string>
#include <string_view>

#include "values/printf_text.h"

namespace sme {

/// A string of JSON, quotes included.
inline std::string jsonText(std::string_view text) {
    std::string result = "\"";
    for (const char c : text) {
        if (c == '"' || c == '\\') result += '\\';
        if (static_cast<unsigned char>(c) >= ' ')
            result += c;
        else
            result += printfText("\\u%04x", static_cast<unsigned>(c));
    }
    return result + '"';
}

}  // namespace sme
