#include "driver/diff/vcd_header.h"

#include <algorithm>
#include <charconv>
#include <string_view>

#include <fmt/format.h>

namespace smec::driver {
namespace {

class HeaderReader {
public:
    HeaderReader(VcdTokens& tokens, std::uint64_t fileSize) : tokens_(tokens) {
        header_.dump = DumpSignals(fileSize);
    }

    VcdHeader read() {
        for (std::string_view word; tokens_.next(word);) {
            const std::string keyword(word);
            if (!keyword.starts_with('$'))
                fail(fmt::format("'{}' where a section starts with '$'", keyword));
            if (!tokens_.section(words_)) break;
            if (keyword == "$enddefinitions") return std::move(header_);
            take(keyword);
        }
        fail("the file ends before '$enddefinitions'");
    }

private:
    [[noreturn]] static void fail(const std::string& why) { throw BadDump(why); }

    void take(const std::string& keyword) {
        if (keyword == "$timescale") takeUnit();
        if (keyword == "$scope") header_.dump.enter(word(1));
        if (keyword == "$upscope") header_.dump.leave();
        if (keyword == "$attrbegin") takeAttribute();
        if (keyword == "$var") takeSignal();
    }

    const std::string& word(std::size_t i) const {
        if (i >= words_.size()) fail("a section has too few words");
        return words_[i];
    }

    template <typename T>
    T number(std::string_view text) const {
        T value{};
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
        if (error != std::errc() || end != text.data() + text.size())
            fail(fmt::format("'{}' is no number", text));
        return value;
    }

    void takeUnit() {
        static constexpr std::uint64_t kMostUnits = 1'000;
        static constexpr std::pair<std::string_view, std::uint64_t> kUnits[] = {
            {"fs", 1},
            {"ps", 1'000},
            {"ns", 1'000'000},
            {"us", 1'000'000'000},
            {"ms", 1'000'000'000'000},
            {"s", 1'000'000'000'000'000}};
        std::string text;
        for (const std::string& each : words_)
            text += each;
        const std::size_t digits = std::min(text.find_first_not_of("0123456789"), text.size());
        for (const auto& [name, unit] : kUnits) {
            if (text.substr(digits) != name) continue;
            const auto count = number<std::uint64_t>(text.substr(0, digits));
            if (count == 0 || count > kMostUnits) break;
            header_.unit = unit * count;
            return;
        }
        fail(fmt::format("'{}' is no unit of time", text));
    }

    /// `misc 07 NAME COUNT MEMBER... BITS... HANDLE` describes an enum, `misc 07 "" HANDLE` says
    /// that the next signal is one.
    void takeAttribute() {
        if (words_.size() < 4 || words_[0] != "misc" || words_[1] != "07") return;
        const std::string handle = words_.back();
        if (words_.size() == 4) return header_.dump.enumOf(handle);
        const auto count = number<std::size_t>(word(3));
        if (count > words_.size() || words_.size() != 5 + 2 * count) return;
        words_.pop_back();
        words_.erase(words_.begin(), words_.begin() + 4);
        header_.dump.enumTable(handle, words_);
    }

    void takeSignal() {
        const std::string& type = word(0);
        Spelling spelling = Spelling::Bits;
        if (type == "real" || type == "realtime") spelling = Spelling::Real;
        if (type == "string") spelling = Spelling::Text;
        header_.signalsOf[word(2)].push_back(header_.dump.count());
        header_.dump.add(word(3), spelling, number<std::uint32_t>(word(1)));
    }

    VcdTokens& tokens_;
    VcdHeader header_;
    std::vector<std::string> words_;  ///< of the section at hand
};

}  // namespace

VcdHeader readVcdHeader(VcdTokens& tokens, std::uint64_t fileSize) {
    return HeaderReader(tokens, fileSize).read();
}

}  // namespace smec::driver
