#include "driver/hardware/trace.h"

#include <fstream>
#include <unordered_map>

#include <fmt/format.h>

// Traces are as long as runs: lines are read one by one, and cells are made of those only that
// differ as text.

namespace smec::driver {

std::vector<std::string> csvCells(const std::string& line) {
    std::vector<std::string> result(1);
    bool quoted = false;
    for (const char c : line) {
        if (c == '"')
            quoted = !quoted;
        else if (c == ',' && !quoted)
            result.emplace_back();
        else
            result.back() += c;
    }
    return result;
}

namespace {

class TraceComparer {
public:
    TraceComparer(const std::filesystem::path& expected, const std::filesystem::path& got,
                  std::size_t most)
        : expected_(expected), got_(got), most_(most) {}

    TraceComparison run() {
        std::string wanted, found;
        if (!std::getline(expected_, wanted)) return problem("the reference has no trace");
        if (!std::getline(got_, found)) return problem("no trace");
        names_ = csvCells(wanted);
        result_.fields = names_.size() - 1;  // the first is the cycle
        if (wanted != found && !match(csvCells(found))) return result_;
        while (result_.different == 0) {
            const bool isWanted = static_cast<bool>(std::getline(expected_, wanted)),
                       isFound = static_cast<bool>(std::getline(got_, found));
            if (!isWanted && !isFound) break;
            if (isWanted != isFound)
                add({result_.cycles, "the run", isWanted ? "goes on" : "ends",
                     isWanted ? "ends" : "goes on"});
            else if (wanted != found || !columns_.empty())
                compareRows(csvCells(wanted), csvCells(found));
            if (isWanted && isFound) ++result_.cycles;
        }
        return result_;
    }

private:
    TraceComparison problem(const char* text) {
        result_.problem = text;
        return result_;
    }

    /// Finds the columns where they stand in another order.
    bool match(const std::vector<std::string>& found) {
        std::unordered_map<std::string, std::size_t> places;
        for (std::size_t i = 0; i < found.size(); ++i)
            places.emplace(found[i], i);
        for (const std::string& name : names_) {
            const auto place = places.find(name);
            if (place == places.end()) {
                result_.problem = fmt::format("'{}' is not in its trace", name);
                return false;
            }
            columns_.push_back(place->second);
        }
        return true;
    }

    void compareRows(const std::vector<std::string>& wanted,
                     const std::vector<std::string>& found) {
        for (std::size_t i = 0; i < names_.size() && i < wanted.size(); ++i) {
            const std::size_t column = columns_.empty() ? i : columns_[i];
            const std::string& value = column < found.size() ? found[column] : std::string();
            if (value != wanted[i]) add({result_.cycles, names_[i], wanted[i], value});
        }
    }

    void add(Difference difference) {
        ++result_.different;
        if (result_.first.size() < most_) result_.first.push_back(std::move(difference));
    }

    std::ifstream expected_;
    std::ifstream got_;
    const std::size_t most_;
    std::vector<std::string> names_;
    std::vector<std::size_t> columns_;  ///< of the names in the other; empty: the same
    TraceComparison result_;
};

}  // namespace

TraceComparison compareTraces(const std::filesystem::path& expected,
                              const std::filesystem::path& got, std::size_t most) {
    return TraceComparer(expected, got, most).run();
}

}  // namespace smec::driver
