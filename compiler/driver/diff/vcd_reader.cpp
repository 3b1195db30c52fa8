#include <charconv>

#include <fmt/format.h>

#include "driver/diff/dump_reader.h"
#include "driver/diff/vcd_header.h"

namespace smec::driver {
namespace {

class VcdTraceReader final : public DumpReader {
public:
    VcdTraceReader(const std::string& path, std::uint64_t period) : path_(path), tokens_(path) {
        guarded([&] {
            VcdHeader header = readVcdHeader(tokens_, sizeOfFile(path));
            signalsOf_ = std::move(header.signalsOf);
            begin(std::move(header.dump), period, header.unit);
        });
    }

    bool next() override {
        bool isThere = false;
        guarded([&] { isThere = readCycle(); });
        return isThere;
    }

private:
    template <typename Step>
    void guarded(const Step& step) {
        try {
            step();
        } catch (const BadDump& bad) {
            throw BadTrace(path_, tokens_.line(), bad.what());
        }
    }
    [[noreturn]] static void fail(const std::string& why) { throw BadDump(why); }

    bool readCycle() {
        startCycle();
        for (std::string_view word; tokens_.next(word);) {
            if (word[0] == '#') {
                if (takeTime(timeOf(word.substr(1)))) return true;
            } else if (word[0] == '$') {
                takeSection(word);
            } else {
                takeValue(word);
            }
        }
        return finish();
    }

    static std::uint64_t timeOf(std::string_view digits) {
        std::uint64_t time = 0;
        const auto [end, error] =
            std::from_chars(digits.data(), digits.data() + digits.size(), time);
        if (error != std::errc() || end != digits.data() + digits.size())
            fail(fmt::format("'#{}' is no time", digits));
        return time;
    }

    /// Values stand between $dumpvars and $end, too; comments do not.
    void takeSection(std::string_view keyword) {
        if (keyword != "$comment") return;
        for (std::string_view word; word != "$end";)
            if (!tokens_.next(word)) fail("a comment without '$end'");
    }

    void takeValue(std::string_view word) {
        const char kind = word[0];
        if (std::string_view("01xXzZ").find(kind) != std::string_view::npos)
            return setAll(word.substr(1), word.substr(0, 1));
        if (std::string_view("bBrRsS").find(kind) == std::string_view::npos)
            fail(fmt::format("'{}' is no value", word));
        const std::string value(word.substr(1));
        std::string_view identifier;
        if (!tokens_.next(identifier)) fail("a value without a signal");
        setAll(identifier, value);
    }

    void setAll(std::string_view identifier, std::string_view value) {
        const auto known = signalsOf_.find(std::string(identifier));
        if (known == signalsOf_.end()) fail(fmt::format("no signal '{}'", identifier));
        for (const std::size_t signal : known->second)
            set(signal, value);
    }

    const std::string path_;
    VcdTokens tokens_;
    std::unordered_map<std::string, std::vector<std::size_t>> signalsOf_;
};

}  // namespace

std::unique_ptr<TraceReader> openVcd(const std::string& path, std::uint64_t period) {
    return std::make_unique<VcdTraceReader>(path, period);
}

}  // namespace smec::driver
