#pragma once

#include <cstdio>
#include <string>

namespace sme {

/// What printf would print, up to 400 bytes.
template <typename... Values>
std::string printfText(const char* pattern, Values... values) {
    char text[400];
    std::snprintf(text, sizeof text, pattern, values...);
    return text;
}

}  // namespace sme
