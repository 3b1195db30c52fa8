// A row is what a dump has at the end of its cycle, so that neither a clock nor what hardware does
// within a cycle counts.

#include <charconv>

#include <fmt/format.h>

#include "driver/diff/trace_reader.h"
#include "driver/diff/vcd_header.h"

namespace smec::driver {
namespace {

constexpr std::uint64_t kFemtoseconds = 1'000'000;  // in a nanosecond

class VcdTraceReader final : public TraceReader {
public:
    VcdTraceReader(const std::string& path, const std::string& name, std::uint64_t period)
        : tokens_(path), name_(name), period_(period * kFemtoseconds) {
        header_ = readVcdHeader(tokens_, name_);
        signals_ = header_.signals;
        values_.resize(signals_.size());
        isChanged_.resize(signals_.size());
    }

    bool next() override {
        clearChanges();
        cycle_ = nextCycle_;
        for (std::string_view word; tokens_.next(word);) {
            if (word[0] == '#') {
                takeTime(word.substr(1));
                const bool isOver = nextCycle_ > cycle_;
                if (isOver && !changed_.empty()) return true;
                cycle_ = nextCycle_;
            } else if (word[0] == '$') {
                takeSection(word);
            } else {
                takeValue(word);
            }
        }
        end_ = sinceTime_ || time_ % period_ != 0 ? time_ / period_ + 1 : time_ / period_;
        return !changed_.empty();
    }

private:
    [[noreturn]] void fail(const std::string& why) const {
        throw BadTrace(name_, tokens_.line(), why);
    }

    void clearChanges() {
        for (const std::size_t signal : changed_)
            isChanged_[signal] = false;
        changed_.clear();
    }

    void takeTime(std::string_view digits) {
        std::uint64_t time = 0;
        const auto [end, error] =
            std::from_chars(digits.data(), digits.data() + digits.size(), time);
        if (error != std::errc() || end != digits.data() + digits.size()
            || time > ~std::uint64_t{0} / header_.unit)
            fail(fmt::format("'#{}' is no time", digits));
        time *= header_.unit;
        if (time < time_) fail(fmt::format("time #{} after a later one", digits));
        time_ = time;
        nextCycle_ = time / period_;
        sinceTime_ = false;
    }

    /// Values stand between $dumpvars and $end, too; comments do not.
    void takeSection(std::string_view keyword) {
        if (keyword != "$comment") return;
        std::vector<std::string> words;
        if (!tokens_.section(words)) fail("a comment without '$end'");
    }

    void takeValue(std::string_view word) {
        const char kind = word[0];
        if (std::string_view("01xXzZ").find(kind) != std::string_view::npos)
            return set(word.substr(1), word.substr(0, 1));
        if (std::string_view("bBrRsS").find(kind) == std::string_view::npos)
            fail(fmt::format("'{}' is no value", word));
        const std::string value(word.substr(1));
        std::string_view identifier;
        if (!tokens_.next(identifier)) fail("a value without a signal");
        set(identifier, value);
    }

    void set(std::string_view identifier, std::string_view value) {
        const auto known = header_.signalsOf.find(std::string(identifier));
        if (known == header_.signalsOf.end()) fail(fmt::format("no signal '{}'", identifier));
        for (const std::size_t signal : known->second) {
            values_[signal] = nameOf(signal, value);
            if (!isChanged_[signal]) changed_.push_back(signal);
            isChanged_[signal] = true;
        }
        sinceTime_ = true;
    }

    std::string_view nameOf(std::size_t signal, std::string_view value) const {
        const int table = header_.tableOf[signal];
        if (table < 0) return value;
        const auto& members = header_.tables[static_cast<std::size_t>(table)];
        std::string bits(value);
        const auto width = static_cast<std::size_t>(signals_[signal].width);
        if (bits.size() < width) bits.insert(0, width - bits.size(), '0');
        const auto known = members.find(bits);
        return known == members.end() ? value : std::string_view(known->second);
    }

    VcdTokens tokens_;
    const std::string name_;
    const std::uint64_t period_;  ///< in femtoseconds, as the times are kept
    VcdHeader header_;
    std::vector<bool> isChanged_;
    std::uint64_t time_ = 0;
    std::uint64_t nextCycle_ = 0;
    bool sinceTime_ = false;  ///< something changed since time_ was said
};

}  // namespace

std::unique_ptr<TraceReader> openVcd(const std::string& path, const std::string& name,
                                     std::uint64_t period) {
    return std::make_unique<VcdTraceReader>(path, name, period);
}

}  // namespace smec::driver
