#include "syntax/open_bracket.h"

#include <SmeParser.h>

// Where a '}' is missing, those after it close the wrong braces, and the one that stays open is
// the outermost. Who indents tells which was meant:
//
//     {
//         if (a) {          closed by the last '}', which stands further left
//             n = 1;
//     }

namespace smec::syntax {

namespace {

using P = grammar::SmeParser;

/// White space in front of the line of a place.
std::string_view indentation(std::string_view text, std::size_t at) {
    const std::size_t begin = text.rfind('\n', at) + 1;
    return text.substr(begin, text.find_first_not_of(" \t", begin) - begin);
}

bool isFurtherLeft(std::string_view text, const LexedToken& closing, const LexedToken& opening) {
    const std::string_view left = indentation(text, closing.begin);
    const std::string_view right = indentation(text, opening.begin);
    const bool isFirst = left.data() + left.size() == text.data() + closing.begin;
    return isFirst && left.size() < right.size() && right.starts_with(left);
}

}  // namespace

std::optional<OpenBracket> openBrace(const std::vector<LexedToken>& tokens, std::string_view text,
                                     std::size_t start, std::size_t end) {
    std::vector<std::size_t> open;
    std::optional<OpenBracket> guess;
    for (std::size_t i = start; i < end; ++i) {
        if (tokens[i].type == P::LeftBrace) open.push_back(i);
        if (tokens[i].type != P::RightBrace || open.empty()) continue;
        if (!guess && isFurtherLeft(text, tokens[i], tokens[open.back()]))
            guess = {open.back(), true};
        open.pop_back();
    }
    if (open.empty()) return std::nullopt;
    return guess ? guess : OpenBracket{open.back()};
}

}  // namespace smec::syntax
