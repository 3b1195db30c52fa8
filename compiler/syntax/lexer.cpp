#include "syntax/lexer.h"

#include <cctype>
#include <string>
#include <string_view>

#include <SmeLexer.h>
#include <antlr4-runtime.h>

#include "source/utf8.h"
#include "syntax/foreign_text.h"
#include "syntax/text.h"

// ANTLR's automaton is driven directly, without its token objects: one call of match() a token, 12
// bytes a token.
//
// The automaton sees bytes, not characters. All that it need not tell apart (bytes above 0x7F,
// control characters) it sees as kOther: legal in comments and strings, no token elsewhere. Whether
// the bytes are good UTF-8 is checked beside it.

namespace smec::syntax {

namespace {

using grammar::SmeLexer;

constexpr std::size_t kOther = 0x1A;
constexpr std::size_t kMaxLexicalErrors = 20;
constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

bool isBadControl(char c) {
    auto byte = static_cast<unsigned char>(c);
    return (byte < 0x20 && c != '\t' && c != '\n' && c != '\r') || byte == 0x7F;
}

class ByteStream final : public antlr4::CharStream {
public:
    explicit ByteStream(std::string_view text) : text_(text) {}

    void consume() override { ++at_; }
    std::size_t LA(ssize_t offset) override {
        std::size_t i = at_ + static_cast<std::size_t>(offset) - 1;
        if (i >= text_.size()) return antlr4::IntStream::EOF;
        auto byte = static_cast<unsigned char>(text_[i]);
        return byte >= 0x80 || isBadControl(text_[i]) ? kOther : byte;
    }
    ssize_t mark() override { return -1; }
    void release(ssize_t) override {}
    std::size_t index() override { return at_; }
    void seek(std::size_t index) override { at_ = index; }
    std::size_t size() override { return text_.size(); }
    std::string getSourceName() const override { return {}; }
    std::string getText(const antlr4::misc::Interval&) override { return {}; }
    std::string toString() const override { return {}; }

private:
    std::string_view text_;
    std::size_t at_ = 0;
};

class Scan {
public:
    Scan(const SourceManager& sources, FileId file, Diagnostics& diagnostics)
        : text_(sources.text(file)), stream_(text_), file_(file), diagnostics_(diagnostics) {}

    Lexed run() {
        if (text_.starts_with(kByteOrderMark)) stream_.seek(kByteOrderMark.size());
        SmeLexer lexer(&stream_);
        auto* automaton = lexer.getInterpreter<antlr4::atn::LexerATNSimulator>();
        result_.tokens.reserve(text_.size() / 4 + 1);
        while (stream_.index() < text_.size() && !result_.gaveUp) {
            auto begin = static_cast<std::uint32_t>(stream_.index());
            std::size_t type = automaton->match(&stream_, SmeLexer::DEFAULT_MODE);
            add(type, begin, static_cast<std::uint32_t>(stream_.index()));
        }
        auto size = static_cast<std::uint32_t>(text_.size());
        result_.tokens.push_back({size, size, kEndOfFile});
        return std::move(result_);
    }

private:
    void add(std::size_t type, std::uint32_t begin, std::uint32_t end) {
        switch (type) {
        case SmeLexer::Space: return;
        case SmeLexer::UnterminatedComment:
            report(DiagId::UnclosedComment, begin, begin + 2);
            [[fallthrough]];
        case SmeLexer::LineComment:
        case SmeLexer::BlockComment: return addComment(begin, end);
        case SmeLexer::Junk: return reportJunk(begin);
        case SmeLexer::MalformedNumber:
            report(DiagId::MalformedNumber, begin, end, clip(text_.substr(begin, end - begin)),
                   numberHint(text_.substr(begin, end - begin)));
            type = SmeLexer::Undefined;
            break;
        case SmeLexer::MalformedCharacter:
            report(DiagId::MalformedCharacter, begin, end, clip(text_.substr(begin, end - begin)));
            type = SmeLexer::Undefined;
            break;
        case SmeLexer::UnterminatedString:
            report(DiagId::UnclosedString, begin, end);
            type = SmeLexer::String;
            break;
        default: break;
        }
        if (type == SmeLexer::String || type == SmeLexer::Character) checkBytes(begin, end);
        result_.tokens.push_back({begin, end, static_cast<std::uint16_t>(type)});
    }

    void addComment(std::uint32_t begin, std::uint32_t end) {
        if (text_[end - 1] == '\r' && text_[begin + 1] == '/') --end;
        checkBytes(begin, end);
        result_.comments.push_back({{file_, begin, end}});
    }

    // One error for a run of bad bytes: the first is enough to find it.
    void checkBytes(std::uint32_t begin, std::uint32_t end) {
        for (std::uint32_t at = begin; at < end;) {
            std::size_t length = characterLength(text_, at);
            if (length == 0 || isBadControl(text_[at])) return reportByte(at);
            at += static_cast<std::uint32_t>(length);
        }
    }

    void reportByte(std::uint32_t at) {
        unsigned byte = static_cast<unsigned char>(text_[at]);
        report(byte < 0x80 ? DiagId::ControlCharacter : DiagId::BadByte, at, at + 1, byte);
    }

    // The automaton hands over junk byte by byte; a character of several bytes is reported at its
    // first.
    void reportJunk(std::uint32_t at) {
        if (at < junkEnd_ || reportForeign(at)) return;
        std::size_t length = characterLength(text_, at);
        junkEnd_ = at + static_cast<std::uint32_t>(std::max<std::size_t>(length, 1));
        if (length == 0 || isBadControl(text_[at])) return reportByte(at);
        if (text_[at] == '\'') return reportOpenQuote(at);
        report(DiagId::BadCharacter, at, junkEnd_, text_.substr(at, length));
    }

    void reportOpenQuote(std::uint32_t at) {
        std::uint32_t end = at + 1;
        while (end < text_.size() && std::isalnum(static_cast<unsigned char>(text_[end])))
            ++end;
        report(DiagId::MalformedCharacter, at, end, clip(text_.substr(at, end - at)));
        result_.tokens.push_back({at, end, SmeLexer::Undefined});
        stream_.seek(end);
    }

    /// What another language writes at a character that is no token: taken as a whole.
    bool reportForeign(std::uint32_t at) {
        std::vector<LexedToken>& tokens = result_.tokens;
        const bool isAfter = !tokens.empty() && tokens.back().end == at;
        const auto found = foreignText(text_, at, isAfter ? tokens.back().begin : at);
        if (!found) return false;
        const auto end = static_cast<std::uint32_t>(found->end);
        report(DiagId::OtherLanguage, static_cast<std::uint32_t>(found->begin), end,
               found->message);
        if (found->isValue && found->begin == at) tokens.push_back({at, end, SmeLexer::Undefined});
        stream_.seek(end);
        return true;
    }

    template <typename... Args>
    void report(DiagId id, std::uint32_t begin, std::uint32_t end, const Args&... args) {
        auto token = static_cast<std::uint32_t>(result_.tokens.size());
        result_.errorTokens.push_back(token);
        diagnostics_.report(id, {file_, begin, end}, args...);
        result_.gaveUp = ++errors_ == kMaxLexicalErrors;
    }

    std::string_view text_;
    ByteStream stream_;
    FileId file_;
    Diagnostics& diagnostics_;
    Lexed result_;
    std::size_t errors_ = 0;
    std::uint32_t junkEnd_ = 0;
};

}  // namespace

Lexed lex(const SourceManager& sources, FileId file, Diagnostics& diagnostics) {
    return Scan(sources, file, diagnostics).run();
}

}  // namespace smec::syntax
