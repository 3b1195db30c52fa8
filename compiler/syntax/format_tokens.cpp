#include "syntax/format_tokens.h"

#include <algorithm>

// Which token a comment belongs to:
//
//     a = 1;  // after `;`
//     // before `b`
//     b = /* before `2` */ 2;

namespace smec::syntax {

namespace {

class Attach {
public:
    explicit Attach(FormatTokens& result) : result_(result) {}

    void run() {
        std::size_t next = 0;
        for (std::size_t i = 0; i < result_.tokens.size(); ++i) {
            const std::size_t first = next;
            const std::uint32_t begin = result_.tokens[i].begin;
            while (next < result_.comments.size() && result_.comments[next].begin < begin)
                ++next;
            placeGap(i, first, next);
        }
    }

private:
    /// The comments [first, last) stand between token i - 1 and token i.
    void placeGap(std::size_t i, std::size_t first, std::size_t last) {
        FormatToken& token = result_.tokens[i];
        std::uint32_t previous = i == 0 ? 0 : result_.tokens[i - 1].end;
        token.startsLine = i == 0 || hasNewline(previous, token.begin);
        for (std::size_t k = first; k < last; ++k) {
            FormatComment& comment = result_.comments[k];
            const std::uint32_t next = k + 1 < last ? result_.comments[k + 1].begin : token.begin;
            comment.startsLine = previous == 0 || hasNewline(previous, comment.begin);
            comment.endsLine = next == result_.text.size() || hasNewline(comment.end, next);
            previous = comment.end;
        }
        bool nothingAfter = false;
        for (std::size_t k = last; k > first; --k) {
            FormatComment& comment = result_.comments[k - 1];
            nothingAfter = comment.endsLine || nothingAfter;
            comment.isAlone = comment.startsLine && nothingAfter;
            nothingAfter = nothingAfter && !comment.startsLine;
        }
        const std::size_t split = i == 0 ? first : endOfLine(first, last);
        const std::span<const FormatComment> gap(result_.comments.data() + first, last - first);
        if (i > 0) result_.tokens[i - 1].after = gap.first(split - first);
        token.before = gap.subspan(split - first);
    }

    /// After the comments that end the line of the token before; `first` where there are none.
    std::size_t endOfLine(std::size_t first, std::size_t last) const {
        for (std::size_t k = first; k < last && !result_.comments[k].startsLine; ++k) {
            if (result_.comments[k].endsLine) return k + 1;
        }
        return first;
    }

    bool hasNewline(std::uint32_t from, std::uint32_t to) const {
        return result_.text.substr(from, to - from).find('\n') != std::string_view::npos;
    }

    FormatTokens& result_;
};

}  // namespace

bool FormatToken::breaksBefore() const {
    return std::any_of(before.begin(), before.end(), [](const FormatComment& comment) {
        return comment.isAlone || comment.endsLine || comment.isLine();
    });
}

std::uint32_t characters(std::string_view text) {
    return static_cast<std::uint32_t>(std::count_if(text.begin(), text.end(), [](char c) {
        return (static_cast<unsigned char>(c) & 0xC0) != 0x80;
    }));
}

FormatTokens formatTokens(std::string_view text, const Lexed& lexed) {
    FormatTokens result;
    result.text = text;
    for (const ast::Comment& comment : lexed.comments) {
        const auto [file, begin, end] = comment.range;
        result.comments.push_back({text.substr(begin, end - begin), begin, end});
    }
    for (const LexedToken& token : lexed.tokens) {
        FormatToken& added = result.tokens.emplace_back();
        added.type = token.type;
        added.text = text.substr(token.begin, token.end - token.begin);
        added.begin = token.begin;
        added.end = token.end;
        added.width = characters(added.text);
    }
    Attach(result).run();
    decideSpaces(result.tokens);
    return result;
}

}  // namespace smec::syntax
