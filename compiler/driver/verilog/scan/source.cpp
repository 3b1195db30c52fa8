#include <algorithm>

#include "driver/verilog/scan/model.h"

namespace smec::driver::scan {
namespace {

char closerOf(const Token& t) {
    if (t.kind != TokenKind::Sign || t.text.size() != 1) return '\0';
    switch (t.text[0]) {
    case '(': return ')';
    case '[': return ']';
    case '{': return '}';
    default: return '\0';
    }
}

}  // namespace

Source::Source(Tokens list) : tokens(std::move(list)), closing(tokens.size()) {
    std::vector<std::pair<std::uint32_t, char>> open;
    for (std::uint32_t i = 0; i < tokens.size(); ++i) {
        closing[i] = i + 1;
        if (const char closer = closerOf(tokens[i]); closer != '\0') {
            open.emplace_back(i, closer);
        } else if (tokens[i].is(")") || tokens[i].is("]") || tokens[i].is("}")) {
            if (open.empty() || open.back().second != tokens[i].text[0]) continue;
            closing[open.back().first] = i + 1;
            open.pop_back();
        } else if (tokens[i].is("endmodule") || tokens[i].is("module")) {
            open.clear();
        }
    }
}

std::uint32_t Source::find(Span span, std::initializer_list<std::string_view> signs) const {
    for (std::uint32_t i = span.begin; i < span.end; i = after(i, span.end)) {
        const Token& t = tokens[i];
        if (t.kind != TokenKind::Text && std::ranges::find(signs, t.text) != signs.end()) return i;
    }
    return span.end;
}

std::vector<Span> Source::list(Span span) const {
    std::vector<Span> parts;
    for (std::uint32_t begin = span.begin; begin < span.end;) {
        const std::uint32_t end = find({begin, span.end}, {","});
        parts.push_back({begin, end});
        begin = end + 1;
    }
    return parts;
}

}  // namespace smec::driver::scan
