#include "driver/hardware/estimate_table.h"

#include <algorithm>
#include <optional>

#include <fmt/format.h>

// class             instances  LUT  FF  levels  all LUT  all FF
// fir (fir.sme:3)           4  5-7   8       2       23      32
//   sum                        3-5   8       2
// together                  4                        23      32
// in one piece                               3       21      30
//
// Yosys has a module for each set of values of a class's parameters; here they are one row.

namespace smec::driver {
namespace {

constexpr std::array<const char*, kCellKinds> kTitles{"LUT",    "FF",  "carry",
                                                      "LUTRAM", "RAM", "multiplier"};

/// Smallest and largest.
struct Range {
    std::uint64_t low = UINT64_MAX, high = 0;
    void add(std::uint64_t value) {
        low = std::min(low, value);
        high = std::max(high, value);
    }
    std::string text() const {
        return low >= high ? std::to_string(high) : fmt::format("{}-{}", low, high);
    }
};

struct RegisterRow {
    Range flipFlops, luts, levels;
};

struct ClassRow {
    const hdl::Module* module = nullptr;
    std::uint64_t instances = 0;
    std::array<Range, kCellKinds> one{};
    CellCounts all{};
    Range levels;
    std::vector<std::pair<const hdl::Signal*, RegisterRow>> registers{};

    std::uint64_t weight() const {
        return all[static_cast<std::size_t>(CellKind::Lut)]
               + all[static_cast<std::size_t>(CellKind::FlipFlop)]
               + all[static_cast<std::size_t>(CellKind::LutRam)];
    }
    bool hasCells() const {
        return std::any_of(all.begin(), all.end(), [](std::uint64_t n) { return n != 0; });
    }
};

class Table {
public:
    Table(const Synthesis& synthesis, const hdl::Design& design, const SourceManager& sources,
          bool registers)
        : synthesis_(synthesis), design_(design), sources_(sources) {
        count();
        for (const hdl::Module& module : design.modules)
            if (ClassRow row = rowOf(module, registers); row.hasCells())
                rows_.push_back(std::move(row));
        std::stable_sort(rows_.begin(), rows_.end(), [](const ClassRow& a, const ClassRow& b) {
            return a.weight() > b.weight();
        });
        for (const ClassRow& row : rows_)
            for (std::size_t kind = 0; kind < kCellKinds; ++kind)
                sum_[kind] += row.all[kind];
        for (const auto& [name, module] : synthesis.whole)
            whole_ = &module;
    }

    std::string run() {
        for (std::size_t kind = 0; kind < kCellKinds; ++kind)
            if (kind < 2 || sum_[kind] != 0 || whole_->cells[kind] != 0) shown_.push_back(kind);
        head();
        for (const ClassRow& row : rows_)
            add(row);
        std::vector<std::string> together{"together", ""};
        std::vector<std::string> whole{"in one piece", ""};
        together.resize(3 + shown_.size());
        whole.resize(2 + shown_.size());
        whole.push_back(std::to_string(whole_->levels));
        for (const std::size_t kind : shown_) {
            together.push_back(std::to_string(sum_[kind]));
            whole.push_back(std::to_string(whole_->cells[kind]));
        }
        lines_.push_back(std::move(together));
        lines_.push_back(std::move(whole));
        return print();
    }

private:
    /// How often each module stands in the design.
    void count() {
        std::map<std::string, std::vector<std::string>> variants;
        for (const auto& [name, module] : synthesis_.classes)
            variants[sourceName(name)].push_back(name);
        instances_[design_.modules.back().name] = 1;
        for (auto module = design_.modules.rbegin(); module != design_.modules.rend(); ++module)
            for (const std::string& name : variants[module->name])
                for (const auto& [inner, number] : synthesis_.classes.at(name).instances)
                    instances_[inner] += instances_[name] * number;
        variants_ = std::move(variants);
    }

    ClassRow rowOf(const hdl::Module& module, bool registers) {
        ClassRow row;
        row.module = &module;
        std::map<std::string, RegisterRow> found;
        for (const std::string& name : variants_[module.name]) {
            const NetlistModule& netlist = synthesis_.classes.at(name);
            const std::uint64_t number = instances_[name];
            row.instances += number;
            row.levels.add(netlist.levels);
            for (std::size_t kind = 0; kind < kCellKinds; ++kind) {
                row.one[kind].add(netlist.cells[kind]);
                row.all[kind] += number * netlist.cells[kind];
            }
            for (const auto& [signal, cost] : netlist.registers) {
                RegisterRow& own = found[signal];
                own.flipFlops.add(cost.flipFlops);
                own.luts.add(cost.luts);
                own.levels.add(cost.levels);
            }
        }
        if (!registers) return row;
        for (const hdl::Signal& signal : module.signals)
            if (const auto at = found.find(signal.name); signal.isRegister && at != found.end())
                row.registers.emplace_back(&signal, at->second);
        return row;
    }

    std::string placeOf(SourceRange range) const {
        if (!range.valid()) return {};
        const std::string& path = sources_.path(range.file);
        return fmt::format(" ({}:{})", path.substr(path.find_last_of('/') + 1),
                           sources_.lineNumber(range.file, range.begin));
    }

    void head() {
        std::vector<std::string> line{"class", "instances"};
        for (const std::size_t kind : shown_)
            line.emplace_back(kTitles[kind]);
        line.emplace_back("levels");
        for (const std::size_t kind : shown_)
            line.push_back(fmt::format("all {}", kTitles[kind]));
        lines_.push_back(std::move(line));
    }

    void add(const ClassRow& row) {
        std::vector<std::string> line{row.module->name + placeOf(row.module->range),
                                      std::to_string(row.instances)};
        for (const std::size_t kind : shown_)
            line.push_back(row.one[kind].text());
        line.push_back(row.levels.text());
        for (const std::size_t kind : shown_)
            line.push_back(std::to_string(row.all[kind]));
        lines_.push_back(std::move(line));
        for (const auto& [signal, cost] : row.registers) {
            std::vector<std::string> inner{"  " + signal->source + placeOf(signal->range), "",
                                           cost.luts.text(), cost.flipFlops.text()};
            inner.resize(2 + shown_.size());
            inner.push_back(cost.levels.text());
            lines_.push_back(std::move(inner));
        }
    }

    /// Names to the left, numbers to the right.
    std::string print() const {
        std::vector<std::size_t> widths(lines_.front().size(), 0);
        for (const auto& line : lines_)
            for (std::size_t i = 0; i < line.size(); ++i)
                widths[i] = std::max(widths[i], line[i].size());
        std::string text;
        for (const auto& line : lines_) {
            std::string row = fmt::format("{:<{}}", line.front(), widths.front());
            for (std::size_t i = 1; i < line.size(); ++i)
                row += fmt::format("  {:>{}}", line[i], widths[i]);
            row.erase(row.find_last_not_of(' ') + 1);
            text += row + '\n';
        }
        return text;
    }

    const Synthesis& synthesis_;
    const hdl::Design& design_;
    const SourceManager& sources_;
    std::map<std::string, std::vector<std::string>> variants_;  ///< of each module of the design
    std::map<std::string, std::uint64_t> instances_;            ///< of each of Yosys's modules
    std::vector<ClassRow> rows_;
    CellCounts sum_{};
    const NetlistModule* whole_ = nullptr;
    std::vector<std::size_t> shown_;  ///< kinds of cells
    std::vector<std::vector<std::string>> lines_;
};

}  // namespace

std::string estimateTable(const Synthesis& synthesis, const hdl::Design& design,
                          const SourceManager& sources, bool registers) {
    return Table(synthesis, design, sources, registers).run();
}

}  // namespace smec::driver
