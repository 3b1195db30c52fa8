#include <charconv>
#include <cstring>
#include <memory>
#include <system_error>

#include <fmt/format.h>

#include "driver/diff/dump_reader.h"
#include "formats/fst_reader.h"
#include "source/output_file.h"

namespace smec::driver {
namespace {

constexpr std::size_t kLongestTable = std::size_t{1} << 20;

/// The signals of a file, by the numbers that it gives them.
class Entries final : public sme::FstEntries {
public:
    Entries(const sme::FstReader& file, std::uint64_t fileSize)
        : file_(file), dump_(fileSize), variables_(file.signals().size()) {}

    void enter(std::string_view scope) override { dump_.enter(scope); }
    void leave() override { dump_.leave(); }
    void enumTable(std::uint64_t number, std::string_view text) override {
        if (text.size() > kLongestTable) throw BadDump("an enum of more text than readers take");
        std::vector<std::string> words;
        for (std::size_t at = 0; at < text.size();) {
            const std::size_t end = std::min(text.find(' ', at), text.size());
            if (end > at) words.emplace_back(text.substr(at, end - at));
            at = end + 1;
        }
        if (words.size() < 2 || words.size() % 2 != 0) return;
        words.erase(words.begin(), words.begin() + 2);  // its name, how many
        dump_.enumTable(std::to_string(number), words);
    }
    void enumOf(std::uint64_t number) override { dump_.enumOf(std::to_string(number)); }
    void variable(std::string_view name, std::size_t signal) override {
        using Form = sme::FstReader::Form;
        const auto& its = file_.signals()[signal];
        const Spelling spelling = its.form == Form::Bits   ? Spelling::Bits
                                  : its.form == Form::Real ? Spelling::Real
                                                           : Spelling::Text;
        variables_[signal].push_back(static_cast<std::uint32_t>(dump_.count()));
        dump_.add(name.substr(0, name.find(' ')), spelling, its.width);  // a range may follow
    }

    DumpSignals takeDump() { return std::move(dump_); }
    std::vector<std::vector<std::uint32_t>> takeVariables() { return std::move(variables_); }

private:
    const sme::FstReader& file_;
    DumpSignals dump_;
    std::vector<std::vector<std::uint32_t>> variables_;
};

class FstTraceReader final : public DumpReader {
public:
    FstTraceReader(const std::string& path, std::uint64_t period) : path_(path) {
        guarded([&] {
            file_ = sme::openFst(path);
            if (!file_)
                throw FileError{
                    fmt::format("cannot read '{}': smec was built without zlib and lz4", path)};
            Entries entries(*file_, sizeOfFile(path));
            file_->visit(entries);
            variables_ = entries.takeVariables();
            begin(entries.takeDump(), period, unit());
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
        } catch (const sme::DamagedFile& damaged) {
            fail(damaged.offset(), damaged.what());
        } catch (const BadDump& bad) {
            fail(file_ ? file_->offset() : 0, bad.what());
        } catch (const std::system_error& error) {
            throw FileError{
                fmt::format("cannot read '{}': {}", path_, std::strerror(error.code().value()))};
        }
    }
    [[noreturn]] void fail(std::uint64_t offset, const std::string& why) const {
        throw BadTrace(fmt::format("{}: error: at byte {}: {}", path_, offset, why));
    }

    /// In femtoseconds.
    std::uint64_t unit() const {
        constexpr int kFemto = -15, kMost = 3;
        if (file_->timescale() < kFemto || file_->timescale() > kMost)
            throw BadDump(fmt::format("a unit of time of 10^{} s", file_->timescale()));
        std::uint64_t unit = 1;
        for (int i = kFemto; i < file_->timescale(); ++i)
            unit *= 10;
        return unit;
    }

    bool readCycle() {
        startCycle();
        for (;;) {
            if (!holdsTime_ && !file_->next()) return finish();
            if (!holdsTime_ && takeTime(file_->time())) return holdsTime_ = true;
            holdsTime_ = false;
            file_->changes([this](std::size_t signal, std::string_view value) {
                for (const std::uint32_t variable : variables_[signal])
                    set(variable, shownReal(signal, value));
            });
        }
    }

    std::string_view shownReal(std::size_t signal, std::string_view value) {
        if (file_->signals()[signal].form != sme::FstReader::Form::Real) return value;
        double real = 0;
        std::memcpy(&real, value.data(), sizeof real);
        real_ = fmt::format("{}", real);
        return real_;
    }

    const std::string path_;
    std::unique_ptr<sme::FstReader> file_;
    std::vector<std::vector<std::uint32_t>> variables_;  ///< by signal
    std::string real_;
    bool holdsTime_ = false;  ///< a time was read that belongs to the next cycle
};

}  // namespace

std::unique_ptr<TraceReader> openFstTrace(const std::string& path, std::uint64_t period) {
    return std::make_unique<FstTraceReader>(path, period);
}

}  // namespace smec::driver
