#include "rtl/placing.h"

#include <algorithm>
#include <map>

#include <fmt/format.h>

namespace smec::rtl {
namespace {

/// Orders the computed signals of a module, finds who needs them, and gives them to processes.
class Placing {
public:
    Placing(ModulePlan& plan, const Interfaces& children)
        : plan_(plan), signals_(plan.signals), children_(children) {
        const std::size_t count = signals_.all.size();
        inputs_.resize(count);
        for (SignalId id = 0; id < count; ++id) {
            std::vector<SignalId>& list = inputs_[id];
            signals_.forEachInput(id, [&](const netlist::Bits& bits) {
                for (const Run& run : signals_.runs(bits)) {
                    if (run.signal != kConstant) list.push_back(run.signal);
                }
            });
            std::ranges::sort(list);
            list.erase(std::ranges::unique(list).begin(), list.end());
        }
        plan_.process.assign(count, kNowhere);
        plan_.isOnBus.assign(count, false);
    }

    void run() {
        sort();
        findDepended();
        gather();
        findClocked();
        shareAcross();
    }

private:
    // ------------------------------------------------------------ order

    /// Depth first, without recursion: chains may be long.
    void sort() {
        enum class Mark : std::uint8_t { New, Open, Done };
        std::vector<Mark> marks(signals_.all.size(), Mark::New);
        std::vector<std::pair<SignalId, std::size_t>> path;
        for (SignalId root = 0; root < marks.size(); ++root) {
            if (marks[root] != Mark::New) continue;
            path.emplace_back(root, 0);
            marks[root] = Mark::Open;
            while (!path.empty()) {
                auto& [id, next] = path.back();
                if (next == inputs_[id].size()) {
                    marks[id] = Mark::Done;
                    if (signals_[id].isComputed()) order_.push_back(id);
                    path.pop_back();
                    continue;
                }
                const SignalId input = inputs_[id][next++];
                if (marks[input] == Mark::Open) refuseLoop(input);
                if (marks[input] != Mark::New) continue;
                marks[input] = Mark::Open;
                path.emplace_back(input, 0);
            }
        }
    }

    [[noreturn]] void refuseLoop(SignalId id) const {
        const Signal& signal = signals_[id];
        throw Problem{
            fmt::format("a combinational loop through '{}'; put a register into it", signal.name),
            signal.cell ? signal.cell->attributes : plan_.module.attributes};
    }

    // ------------------------------------------------------------ combinational processes

    void need(std::vector<SignalId> roots, std::vector<bool>& isNeeded) const {
        while (!roots.empty()) {
            const SignalId id = roots.back();
            roots.pop_back();
            if (!signals_[id].isComputed() || isNeeded[id]) continue;
            isNeeded[id] = true;
            roots.insert(roots.end(), inputs_[id].begin(), inputs_[id].end());
        }
    }

    std::vector<SignalId> outsideRoots() const {
        std::vector<SignalId> roots;
        for (const Output& output : plan_.outputs) {
            if (output.signal != kConstant) roots.push_back(output.signal);
        }
        for (const Instance& instance : plan_.instances) {
            for (const Argument& argument : instance.arguments) {
                if (argument.signal != kConstant) roots.push_back(argument.signal);
            }
        }
        return roots;
    }

    /// Which inputs of the module and outputs of instances each signal depends on that others than
    /// the clocked body need.
    void findDepended() {
        isOutside_.assign(signals_.all.size(), false);
        need(outsideRoots(), isOutside_);
        atoms_.resize(signals_.all.size());
        for (SignalId id = 0; id < signals_.all.size(); ++id) {
            const Signal& signal = signals_[id];
            if (signal.origin == Origin::Input
                || (signal.origin == Origin::Child && !isRegistered(signal)))
                atoms_[id] = {id};
        }
        for (const SignalId id : order_) {
            if (!isOutside_[id]) continue;
            for (const SignalId input : inputs_[id]) {
                std::vector<SignalId> both;
                std::ranges::set_union(atoms_[id], atoms_[input], std::back_inserter(both));
                atoms_[id] = std::move(both);
            }
        }
    }

    bool isRegistered(const Signal& signal) const {
        return children_.find(signal.cell->type)->second.registered.contains(signal.port);
    }

    /// A process computes what depends on just its inputs, and what nobody else reads of the rest:
    /// that depends on fewer, so that no cycle comes of it.
    void gather() {
        std::map<std::vector<SignalId>, std::uint32_t> numbers;
        std::vector<std::uint32_t> reader(signals_.all.size(), kNowhere);
        for (const SignalId root : outsideRoots())
            reader[root] = kClocked;  // several, so to say
        for (auto id = order_.rbegin(); id != order_.rend(); ++id) {
            if (!isOutside_[*id]) continue;
            std::uint32_t process = reader[*id];
            if (process == kClocked || process == kNowhere)
                process =
                    numbers.try_emplace(atoms_[*id], static_cast<std::uint32_t>(numbers.size()))
                        .first->second;
            plan_.process[*id] = process;
            for (const SignalId input : inputs_[*id])
                reader[input] =
                    reader[input] == kNowhere || reader[input] == process ? process : kClocked;
        }
        // numbered as they come in the order of evaluation
        std::vector<std::uint32_t> renumbered(numbers.size(), kNowhere);
        for (const SignalId id : order_) {
            if (!isOutside_[id]) continue;
            std::uint32_t& number = renumbered[plan_.process[id]];
            if (number == kNowhere) {
                number = static_cast<std::uint32_t>(plan_.groups.size());
                plan_.groups.emplace_back();
            }
            plan_.process[id] = number;
            plan_.groups[number].push_back(id);
        }
        for (const Output& output : plan_.outputs) {
            if (output.isRegistered || isFree(output.signal))
                plan_.registeredOutputs.insert(output.port->name);
        }
    }

    bool isFree(SignalId id) const {
        return signals_[id].isComputed()
                   ? atoms_[id].empty()
                   : signals_[id].origin == Origin::Child && atoms_[id].empty();
    }

    // ------------------------------------------------------------ the clocked body

    std::vector<SignalId> clockedRoots() const {
        std::vector<SignalId> roots;
        const auto add = [&](const netlist::Bits& bits) {
            for (const Run& run : signals_.runs(bits)) {
                if (run.signal != kConstant) roots.push_back(run.signal);
            }
        };
        for (const auto* cells : {&plan_.registers, &plan_.memories, &plan_.checks}) {
            for (const netlist::Cell* cell : *cells)
                forEachClockedInput(*cell, add);
        }
        return roots;
    }

    void findClocked() {
        std::vector<SignalId> todo = clockedRoots();
        while (!todo.empty()) {
            const SignalId id = todo.back();
            todo.pop_back();
            if (!signals_[id].isComputed()) continue;
            if (plan_.process[id] == kNowhere) {
                plan_.process[id] = kClocked;
                todo.insert(todo.end(), inputs_[id].begin(), inputs_[id].end());
            } else if (plan_.process[id] != kClocked) {
                plan_.isOnBus[id] = true;
            }
        }
        for (const SignalId id : order_) {
            if (plan_.process[id] == kClocked) plan_.clocked.push_back(id);
        }
    }

    // ------------------------------------------------------------ what goes over buses

    void shareAcross() {
        for (const SignalId root : outsideRoots())
            plan_.isOnBus[root] = true;
        for (SignalId id = 0; id < signals_.all.size(); ++id) {
            if (!signals_[id].isComputed() && signals_[id].origin != Origin::Register)
                plan_.isOnBus[id] = true;
        }
        for (const std::vector<SignalId>& group : plan_.groups) {
            for (const SignalId id : group) {
                if (signals_[id].origin == Origin::ReadPort)
                    plan_.sharedMemories.insert(signals_[id].cell);
                for (const SignalId input : inputs_[id]) {
                    if (plan_.process[input] != plan_.process[id]) plan_.isOnBus[input] = true;
                }
            }
        }
    }

    ModulePlan& plan_;
    const Signals& signals_;
    const Interfaces& children_;
    std::vector<std::vector<SignalId>> inputs_;
    std::vector<SignalId> order_;  ///< computed signals, after those they read
    std::vector<bool> isOutside_;
    std::vector<std::vector<SignalId>> atoms_;
};

}  // namespace

void place(ModulePlan& plan, const Interfaces& children) { Placing(plan, children).run(); }

}  // namespace smec::rtl
