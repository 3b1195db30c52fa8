#include <charconv>
#include <cstring>
#include <unordered_set>

#include <fmt/format.h>

#include "driver/diff/trace_reader.h"
#include "formats/line_reader.h"
#include "interp/csv.h"
#include "interp/options.h"
#include "source/output_file.h"

namespace smec::driver {
namespace {

class CsvTraceReader final : public TraceReader {
public:
    explicit CsvTraceReader(const std::string& path) : path_(path), lines_(path) {
        if (!readLine()) throw BadTrace(path_, 1, "the file is empty");
        std::unordered_set<std::string_view> names;
        for (const std::string_view name : cells_)
            signals_.push_back({std::string(name), Spelling::Text, 0});
        if (signals_.empty() || signals_.front().name != "cycle")
            throw BadTrace(path_, 1,
                           line_.find(';') != std::string_view::npos
                               ? "columns are separated by commas, and the first one is 'cycle'"
                               : "the first column of a trace is 'cycle'");
        signals_.erase(signals_.begin());
        for (const TracedSignal& signal : signals_)
            if (!names.insert(signal.name).second)
                throw BadTrace(path_, 1, fmt::format("two columns are called '{}'", signal.name));
        values_.resize(signals_.size());
    }

    bool next() override {
        changed_.clear();
        if (!readLine()) return false;
        if (cells_.size() != signals_.size() + 1)
            throw BadTrace(path_, lines_.line(),
                           fmt::format("{} cells where the first line has {}", cells_.size(),
                                       signals_.size() + 1));
        readCycle(cells_.front());
        for (std::size_t i = 0; i < signals_.size(); ++i) {
            if (!isFirst_ && values_[i] == cells_[i + 1]) continue;
            values_[i] = cells_[i + 1];
            changed_.push_back(i);
        }
        isFirst_ = false;
        return true;
    }

private:
    void readCycle(std::string_view cell) {
        std::uint64_t cycle = 0;
        const auto [end, error] = std::from_chars(cell.data(), cell.data() + cell.size(), cycle);
        if (error != std::errc() || end != cell.data() + cell.size())
            throw BadTrace(path_, lines_.line(), fmt::format("'{}' is no cycle", cell));
        if (!isFirst_ && cycle < end_)
            throw BadTrace(path_, lines_.line(),
                           fmt::format("cycle {} after cycle {}", cycle, end_ - 1));
        cycle_ = cycle;
        end_ = cycle + 1;
    }

    /// The next line that is not empty, as cells.
    bool readLine() {
        do {
            if (!nextLine()) return false;
        } while (line_.empty());
        cells_.clear();
        if (line_.find_first_of("\" \t") != std::string::npos) return splitQuoted();
        for (std::size_t from = 0;;) {
            const std::size_t comma = line_.find(',', from);
            cells_.push_back(line_.substr(from, comma - from));
            if (comma == std::string::npos) return true;
            from = comma + 1;
        }
    }

    bool nextLine() {
        using Next = sme::LineReader::Next;
        const Next found = lines_.next(line_);
        if (found == Next::TooLong)
            throw BadTrace(
                path_, lines_.line(),
                fmt::format("a line of more than {} MiB", sme::LineReader::kLongestLine >> 20));
        if (found == Next::Failed)
            throw FileError{
                fmt::format("cannot read '{}': {}", path_, std::strerror(lines_.problem()))};
        return found == Next::Line;
    }

    bool splitQuoted() {
        try {
            quoted_ = interp::splitCsvLine(std::string(line_),
                                           fmt::format("{}:{}", path_, lines_.line()));
        } catch (const interp::RunError& error) {
            throw BadTrace(error.message);
        }
        for (const interp::CsvCell& cell : quoted_)
            cells_.push_back(cell.text);
        return true;
    }

    const std::string path_;
    sme::LineReader lines_;
    std::string_view line_;
    std::vector<interp::CsvCell> quoted_;
    std::vector<std::string_view> cells_;  ///< of line_ or quoted_
    bool isFirst_ = true;
};

}  // namespace

std::unique_ptr<TraceReader> openCsv(const std::string& path) {
    return std::make_unique<CsvTraceReader>(path);
}

}  // namespace smec::driver
