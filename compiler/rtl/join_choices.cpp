#include "rtl/join_choices.h"

#include <algorithm>
#include <unordered_map>
#include <utility>

#include "rtl/cell_maker.h"

namespace smec::rtl {
namespace {

using netlist::Bit;
using netlist::Bits;
using netlist::Cell;

constexpr std::size_t kMostParts = 64;

class Joiner {
public:
    explicit Joiner(netlist::Module& module)
        : module_(module), next_(firstFree(module)), maker_(next_, cells_) {
        for (const netlist::Port& port : module.ports)
            count(port.bits);
        cells_ = std::move(module.cells);
        for (std::uint32_t i = 0; i < cells_.size(); ++i) {
            for (const auto& [port, bits] : cells_[i].connections)
                count(bits);
            noteOutputs(i);
        }
        isGone_.resize(cells_.size());
    }

    void run() {
        const std::size_t before = cells_.size();
        for (std::uint32_t i = 0; i < before; ++i) {
            if (cells_[i].type.ends_with("dff")) join(i, "D");
        }
        for (std::uint32_t i = 0; i < cells_.size(); ++i) {  // joined ones, too
            if (isGone_[i] || cells_[i].type != "$mux") continue;
            join(i, "A");
            join(i, "B");
        }
        std::uint32_t at = 0;
        std::erase_if(cells_, [&](const Cell&) { return isGone_[at++]; });
        module_.cells = std::move(cells_);
    }

private:
    struct Driver {
        std::uint32_t cell;
        std::uint32_t offset;
    };

    void count(const Bits& bits) {
        for (const Bit bit : bits)
            ++ends_[bit];
    }

    void noteOutputs(std::uint32_t number) {
        const Cell& cell = cells_[number];
        if (cell.type != "$mux" || !netlist::isNet(cell["S"][0])) return;
        for (std::uint32_t i = 0; i < cell["Y"].size(); ++i)
            drivers_[cell["Y"][i]] = {number, i};
    }

    /// The multiplexers that a word consists of, if it can be joined: with its constants nothing
    /// else, and nobody else reads them.
    std::vector<std::uint32_t> partsOf(const Bits& word) const {
        std::vector<std::uint32_t> parts;
        std::size_t bits = 0;
        for (const Bit bit : word) {
            if (!netlist::isNet(bit)) continue;
            const auto driver = drivers_.find(bit);
            if (driver == drivers_.end() || ends_.at(bit) != 2) return {};
            const std::uint32_t cell = driver->second.cell;
            ++bits;
            if (std::ranges::find(parts, cell) != parts.end()) continue;
            parts.push_back(cell);
            if (parts.size() > kMostParts || cells_[cell]["S"] != cells_[parts[0]]["S"]) return {};
        }
        std::size_t made = 0;
        for (const std::uint32_t part : parts)
            made += cells_[part]["Y"].size();
        if (parts.size() < 2 || made != bits) return {};
        return parts;
    }

    void join(std::uint32_t reader, const char* port) {
        const Bits word = cells_[reader][port];
        const std::vector<std::uint32_t> parts = partsOf(word);
        if (parts.empty()) return;
        const auto side = [&](const char* name) {
            Bits bits;
            for (const Bit bit : word) {
                const auto driver = drivers_.find(bit);
                bits.push_back(driver == drivers_.end()
                                   ? bit
                                   : cells_[driver->second.cell][name][driver->second.offset]);
            }
            return bits;
        };
        const Bits yes = side("B"), no = side("A"), select = cells_[parts[0]]["S"];
        maker_.replace(cells_[parts[0]]);
        const Bits joined = maker_.choice(select[0], yes, no);
        for (const std::uint32_t part : parts)
            isGone_[part] = true;
        isGone_.push_back(false);
        count(joined);
        count(joined);
        noteOutputs(static_cast<std::uint32_t>(cells_.size() - 1));
        cells_[reader].connections[port] = joined;
    }

    netlist::Module& module_;
    std::vector<Cell> cells_;
    std::vector<bool> isGone_;
    Bit next_;
    CellMaker maker_;
    std::unordered_map<Bit, std::uint32_t> ends_;  ///< where a net is connected
    std::unordered_map<Bit, Driver> drivers_;      ///< of nets that multiplexers drive
};

}  // namespace

void joinChoices(netlist::Module& module) { Joiner(module).run(); }

}  // namespace smec::rtl
