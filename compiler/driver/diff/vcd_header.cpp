// Scopes are those of the instances, of which the outermost is the top network and belongs to no
// name; arrays and structs are scopes, too (docs/waveforms.md):
//
//   top / unit[2] / pixel / r / r[3]        unit[2].pixel.r[3]

#include "driver/diff/vcd_header.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <string_view>

#include <fmt/format.h>

#include "driver/diff/trace_reader.h"

namespace smec::driver {
namespace {

class HeaderReader {
public:
    HeaderReader(VcdTokens& tokens, const std::string& name) : tokens_(tokens), name_(name) {}

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
    [[noreturn]] void fail(const std::string& why) const {
        throw BadTrace(name_, tokens_.line(), why);
    }

    void take(const std::string& keyword) {
        if (keyword == "$timescale") takeUnit();
        if (keyword == "$scope") scopes_.push_back(bare(word(1)));
        if (keyword == "$upscope" && !scopes_.empty()) scopes_.pop_back();
        if (keyword == "$attrbegin") takeAttribute();
        if (keyword == "$var") takeSignal();
    }

    const std::string& word(std::size_t i) const {
        if (i >= words_.size()) fail("a section has too few words");
        return words_[i];
    }

    /// Verilog's backslash in front of names that are more than words.
    static std::string bare(const std::string& name) {
        return name.starts_with('\\') ? name.substr(1) : name;
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
            header_.unit = unit * number<std::uint64_t>(text.substr(0, digits));
            if (header_.unit > 0) return;
        }
        fail(fmt::format("'{}' is no unit of time", text));
    }

    /// `misc 07 NAME COUNT MEMBER... BITS... HANDLE` describes an enum, `misc 07 "" HANDLE` says
    /// that the next signal is one.
    void takeAttribute() {
        if (words_.size() < 4 || words_[0] != "misc" || words_[1] != "07") return;
        const std::string handle = words_.back();
        if (words_.size() == 4) {
            const auto known = tableOf_.find(handle);
            nextTable_ = known == tableOf_.end() ? -1 : known->second;
            return;
        }
        const auto count = number<std::size_t>(word(3));
        if (words_.size() != 5 + 2 * count) return;
        auto& table = header_.tables.emplace_back();
        for (std::size_t i = 0; i < count; ++i)
            table.emplace(words_[4 + count + i], words_[4 + i]);
        tableOf_[handle] = static_cast<int>(header_.tables.size() - 1);
    }

    void takeSignal() {
        const std::string& type = word(0);
        TracedSignal signal{path(bare(word(3))), Spelling::Bits, number<std::uint32_t>(word(1))};
        if (type == "real" || type == "realtime") signal.spelling = Spelling::Real;
        if (type == "string" || nextTable_ >= 0) signal.spelling = Spelling::Text;
        header_.signalsOf[word(2)].push_back(header_.signals.size());
        header_.signals.push_back(std::move(signal));
        header_.tableOf.push_back(std::exchange(nextTable_, -1));
    }

    std::string path(const std::string& leaf) const {
        std::string text;
        for (std::size_t i = 1; i <= scopes_.size(); ++i) {
            const std::string& part = i < scopes_.size() ? scopes_[i] : leaf;
            const bool isElement = i > 1 && part.starts_with(scopes_[i - 1] + "[");
            if (isElement) text.resize(text.size() - scopes_[i - 1].size());
            if (!isElement && !text.empty()) text += '.';
            text += part;
        }
        return text.empty() ? leaf : text;
    }

    VcdTokens& tokens_;
    const std::string& name_;
    VcdHeader header_;
    std::vector<std::string> words_;   ///< of the section at hand
    std::vector<std::string> scopes_;  ///< outermost first
    std::map<std::string, int> tableOf_;
    int nextTable_ = -1;
};

}  // namespace

VcdHeader readVcdHeader(VcdTokens& tokens, const std::string& name) {
    return HeaderReader(tokens, name).read();
}

}  // namespace smec::driver
