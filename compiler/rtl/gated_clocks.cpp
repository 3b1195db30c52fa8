#include "rtl/gated_clocks.h"

#include <algorithm>

#include <fmt/format.h>

#include "rtl/cell_maker.h"
#include "rtl/clock_enable.h"
#include "rtl/clock_nets.h"

//     module gate(input clk, input en, output gclk);      module gate(input en, output gclk_enable);
//         always @* if (!clk) kept = en;                      wire kept = en;
//         assign gclk = clk & kept;                           assign gclk_enable = kept;
//
// Outputs that are gated clocks are found from the leaves up. The rest goes from the top down, since
// it is the instances of a module that say which of its clocks are gated.

namespace smec::rtl {
namespace {

using netlist::Bit;
using netlist::Bits;
using netlist::Cell;

/// A clock net, traced to where it comes from in its module.
struct Traced {
    Bit clock;
    std::vector<ClockGate> gates;
    std::vector<Bit> enables;  ///< from gates in modules below
    bool isPlain() const { return gates.empty() && enables.empty(); }
};

/// An output of a module that is one of its clocks.
struct GatedOutput {
    std::string clock;  ///< the input
    bool hasEnable;
};

class ClockGates {
public:
    explicit ClockGates(const std::vector<netlist::Module*>& modules) : nets_(modules) {}

    std::map<const netlist::Module*, Problem> run() {
        std::map<const netlist::Module*, Problem> problems;
        for (ClockedModule& one : nets_.all)
            findOutputs(one);
        for (auto one = nets_.all.rbegin(); one != nets_.all.rend(); ++one) {
            try {
                Opening(*this, *one).run();
            } catch (const Problem& problem) {
                problems.emplace(&one->module, problem);
            }
        }
        for (ClockedModule& one : nets_.all) {
            changes_[&one].apply(one.module);
            dropUnused(one);
        }
        return problems;
    }

private:
    /// Of a module's cells; made last, for instances are known by where they are.
    struct Changes {
        std::vector<Cell> added;
        std::set<const Cell*> gone;

        void apply(netlist::Module& module) {
            std::erase_if(module.cells, [&](const Cell& cell) { return gone.contains(&cell); });
            std::ranges::move(added, std::back_inserter(module.cells));
        }
    };

    Traced trace(ClockedModule& one, Bit bit) {
        Traced traced{bit, {}, {}};
        std::unordered_set<Bit> seen;
        while (seen.insert(traced.clock).second) {
            const BitDriver* driver = nets_.driverOf(one, traced.clock);
            if (!driver || !driver->cell) return traced;
            if (const ClockedModule* child = nets_.find(driver->cell->type)) {
                const auto& outputs = outputs_[child];
                const auto found = outputs.find(driver->port);
                if (found == outputs.end()) return traced;
                if (found->second.hasEnable) traced.enables.push_back(traced.clock);
                traced.clock = (*driver->cell)[found->second.clock][0];
            } else {
                const std::optional<ClockGate> gate = nets_.gateOf(one, traced.clock);
                if (!gate) return traced;
                traced.gates.push_back(*gate);
                traced.clock = gate->clock;
            }
        }
        return traced;  // a loop, which comes from no input
    }

    void findOutputs(ClockedModule& one) {
        for (const netlist::Port& port : one.module.ports) {
            if (port.bits.size() != 1 || !one.clockOutputs.contains(port.name)) continue;
            const Traced traced = trace(one, port.bits[0]);
            for (const ClockGate& gate : traced.gates)  // before latches elsewhere are opened
                isClosedByLevel_ |= gate.isAnd != nets_.isRising;
            const auto input = one.inputs.find(traced.clock);
            if (input == one.inputs.end() || one.module.port(input->second.port)->bits.size() != 1)
                continue;
            outputs_[&one][port.name] = {input->second.port, !traced.isPlain()};
        }
    }

    /// Clocks that a module took for its gates alone.
    static void dropUnused(ClockedModule& one) {
        if (one.uses.empty() || one.clocks.empty()) return;
        std::unordered_set<Bit> used;
        for (const Cell& cell : one.module.cells) {
            for (const auto& [port, bits] : cell.connections)
                used.insert(bits.begin(), bits.end());
        }
        for (const netlist::Port& port : one.module.ports) {
            if (port.direction != netlist::Direction::Input)
                used.insert(port.bits.begin(), port.bits.end());
        }
        std::erase_if(one.module.ports, [&](const netlist::Port& port) {
            const bool isUnused = port.direction == netlist::Direction::Input
                                  && port.bits.size() == 1 && one.clocks.contains(port.bits[0])
                                  && !used.contains(port.bits[0]);
            if (isUnused) {
                for (const ClockedModule::Use& use : one.uses)
                    use.cell->connections.erase(port.name);
            }
            return isUnused;
        });
    }

    /// Opens the gates of one module.
    class Opening {
    public:
        Opening(ClockGates& gates, ClockedModule& one)
            : all_(gates),
              nets_(gates.nets_),
              one_(one),
              changes_(gates.changes_[&one]),
              next_(firstFree(one.module)),
              maker_(next_, changes_.added) {}

        void run() {
            std::vector<Bit> moved;
            for (const Bit bit : one_.clocks) {
                const Traced traced = all_.trace(one_, bit);
                if (traced.clock != bit) moved.push_back(bit);
                for (const ClockGate& gate : traced.gates)
                    gateCells_.insert(gate.cell);
            }
            if (moved.empty() && all_.enables_[&one_].empty() && all_.outputs_[&one_].empty()
                && std::ranges::none_of(one_.module.cells, isPlainLatch))
                return;
            refuseValues({moved.begin(), moved.end()});
            addInputs();
            for (Cell& cell : one_.module.cells)
                open(cell);
            giveOutputs();
            for (const Cell* gate : gateCells_) {
                const auto isClock = [&](Bit bit) { return one_.clocks.contains(bit); };
                if (std::ranges::all_of((*gate)["Y"], isClock)) changes_.gone.insert(gate);
            }
        }

    private:
        void refuseValues(const std::unordered_set<Bit>& moved) const {
            const auto refuse = [](const netlist::Values& place) {
                throw Problem{"a gated clock as a value; only its edges count", place};
            };
            for (const Cell& cell : one_.module.cells) {
                if (gateCells_.contains(&cell)) continue;
                const ClockedModule* child = nets_.find(cell.type);
                const std::vector<std::string_view> pins = clockPins(cell);
                for (const auto& [port, bits] : cell.connections) {
                    if (port == "Y" || port == "Q" || std::ranges::count(pins, port) != 0) continue;
                    const netlist::Port* inner = child ? child->module.port(port) : nullptr;
                    if (inner
                        && (inner->direction != netlist::Direction::Input
                            || (inner->bits.size() == 1 && child->clocks.contains(inner->bits[0]))))
                        continue;
                    for (const Bit bit : bits) {
                        if (moved.contains(bit)) refuse(cell.attributes);
                    }
                }
            }
            for (const netlist::Port& port : one_.module.ports) {
                if (port.direction == netlist::Direction::Input
                    || one_.clockOutputs.contains(port.name))
                    continue;
                for (const Bit bit : port.bits) {
                    if (moved.contains(bit)) refuse(one_.module.attributes);
                }
            }
        }

        std::string enableName(const std::string& clock) const {
            std::string name = clock + "_enable";
            for (unsigned i = 2; one_.module.port(name); ++i)
                name = fmt::format("{}_enable_{}", clock, i);
            return name;
        }

        /// For clocks that are gated above.
        void addInputs() {
            for (const auto& [clock, enables] : all_.enables_[&one_]) {
                const std::string name = enableName(clock);
                const Bit bit = maker_.fresh(1)[0];
                inputEnables_[one_.module.port(clock)->bits[0]] = bit;
                one_.module.ports.push_back({name, netlist::Direction::Input, {bit}});
                for (const ClockedModule::Use& use : one_.uses) {
                    const auto given = enables.find(use.cell);
                    use.cell->connections[name] = {given == enables.end() ? netlist::kOne
                                                                          : given->second};
                }
            }
        }

        struct Opened {
            Bit clock;
            Bit enable;  ///< kOne: it always is
        };
        Opened opened(Bit bit) {
            const auto [known, isNew] = opened_.try_emplace(bit);
            if (!isNew) return known->second;
            const Traced traced = all_.trace(one_, bit);
            Bit enable = enableOf(traced);
            if (const auto input = inputEnables_.find(traced.clock); input != inputEnables_.end())
                enable = both(enable, input->second);
            return opened_[bit] = {traced.clock, enable};
        }

        Bit enableOf(const Traced& traced) {
            Bit enable = netlist::kOne;
            for (const ClockGate& gate : traced.gates) {
                refuseUnsteady(nets_, one_, gate, traced.clock);
                if (gate.isAnd != nets_.isRising) all_.isClosedByLevel_ = true;
                maker_.replace(*gate.cell);
                enable = both(enable, maker_.as(gate.enable, gate.isAnd));
            }
            for (const Bit bit : traced.enables)
                enable = both(enable, bit);
            return enable;
        }

        Bit both(Bit a, Bit b) {
            if (a == netlist::kOne) return b;
            return maker_.binary("$and", {a}, {b}, 1)[0];
        }

        void open(Cell& cell) {
            if (ClockedModule* child = nets_.find(cell.type)) return openInstance(cell, *child);
            if (isPlainLatch(cell)) return openLatch(cell);
            maker_.replace(cell);
            for (const std::string_view pin : clockPins(cell)) {
                Bits bits = cell[pin];
                for (std::uint32_t i = 0; i < bits.size(); ++i) {
                    if (!netlist::isNet(bits[i])) continue;
                    const Opened clock = opened(bits[i]);
                    bits[i] = clock.clock;
                    if (clock.enable != netlist::kOne)
                        addEnable(cell, pin, i, clock.enable, maker_);
                }
                cell.connections.find(pin)->second = std::move(bits);
            }
        }

        void openInstance(Cell& cell, ClockedModule& child) {
            for (const netlist::Port& port : child.module.ports) {
                const auto bits = cell.connections.find(port.name);
                const bool isClock = port.direction == netlist::Direction::Input
                                     && port.bits.size() == 1 && child.clocks.contains(port.bits[0])
                                     && bits != cell.connections.end() && !bits->second.empty();
                if (!isClock || !netlist::isNet(bits->second[0])) continue;
                const Opened clock = opened(bits->second[0]);
                bits->second = {clock.clock};
                if (clock.enable != netlist::kOne)
                    all_.enables_[&child][port.name][&cell] = clock.enable;
            }
        }

        /// One that is open until the edge that counts is a wire; a gated clock is at that level,
        /// too, unless it stands still at the other one.
        void openLatch(Cell& cell) {
            const bool isWord = cell.type == "$dlatch";
            const Bits& enable = cell[isWord ? "EN" : "E"];
            const bool isHigh = isWord ? cell.flag("EN_POLARITY") : cell.type == "$_DLATCH_P_";
            if (enable.size() != 1 || !one_.clocks.contains(enable[0])) return;
            const bool isGated = opened(enable[0]).enable != netlist::kOne;
            if (isHigh == nets_.isRising || (isGated && all_.isClosedByLevel_)) return;
            maker_.replace(cell);
            maker_.drive(cell["Q"], cell["D"]);
            changes_.gone.insert(&cell);
        }

        void giveOutputs() {
            const auto& outputs = all_.outputs_[&one_];
            std::map<std::string, std::string> names;  // before ports move
            for (const auto& [port, output] : outputs)
                names[port] = enableName(port);
            std::erase_if(one_.module.ports, [&](netlist::Port& port) {
                const auto found = outputs.find(port.name);
                if (found == outputs.end()) return false;
                const std::string& name = names[port.name];
                for (const ClockedModule::Use& use : one_.uses) {
                    if (found->second.hasEnable)
                        use.cell->connections.rename(port.name, name);
                    else
                        use.cell->connections.erase(port.name);
                }
                if (!found->second.hasEnable) return true;
                port.bits = {enableOf(all_.trace(one_, port.bits[0]))};
                port.name = std::string(name);
                return false;
            });
        }

        ClockGates& all_;
        ClockNets& nets_;
        ClockedModule& one_;
        Changes& changes_;
        Bit next_;
        CellMaker maker_;
        std::unordered_map<Bit, Bit> inputEnables_;  ///< by clock
        std::unordered_map<Bit, Opened> opened_;
        std::set<const Cell*> gateCells_;
    };

    bool isClosedByLevel_ = false;  ///< a gate holds its clock at the level after the edge
    using ByInstance = std::map<const Cell*, Bit>;
    ClockNets nets_;
    std::map<const ClockedModule*, Changes> changes_;
    std::map<const ClockedModule*, std::map<std::string, GatedOutput>> outputs_;
    /// What gates a module's clocks, by input.
    std::map<const ClockedModule*, std::map<std::string, ByInstance>> enables_;
};

}  // namespace

std::map<const netlist::Module*, Problem>
openClockGates(const std::vector<netlist::Module*>& modules) {
    return ClockGates(modules).run();
}

}  // namespace smec::rtl
