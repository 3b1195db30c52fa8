#include "driver/hardware/netlist.h"

#include <algorithm>
#include <optional>
#include <set>
#include <unordered_map>

#include <nlohmann/json.hpp>

// Paths run through cells that compute (LUTs, carry chains, wide multiplexers, memories in LUTs)
// and end at flip-flops, block RAM and instances of other modules:
//
//   a, b -> LUT -> carry -> carry -> LUT -> flip-flop      2 levels

namespace smec::driver {
namespace {

using YosysJson = nlohmann::json;

struct CellType {
    std::string_view name;  ///< or how it begins, with a `*` after
    CellKind kind;
    std::uint32_t size = 1;   ///< in the unit of its kind
    bool isComputed = false;  ///< outputs follow inputs at once
    unsigned levels = 0;
};

// The first that fits. LUTs of a memory: those of a slice of Xilinx that it takes (UG474, UG574).
constexpr CellType kCellTypes[] = {
    {"SB_LUT4", CellKind::Lut, 1, true, 1},
    {"SB_CARRY", CellKind::Carry, 1, true},
    {"SB_DFF*", CellKind::FlipFlop},
    {"SB_RAM40_4K*", CellKind::BlockRam},
    {"SB_SPRAM256KA", CellKind::BlockRam, 64},
    {"SB_MAC16", CellKind::Multiplier},
    {"LUT*", CellKind::Lut, 1, true, 1},
    {"INV", CellKind::Lut, 1, true, 1},
    {"CARRY4", CellKind::Carry, 1, true},
    {"MUXF*", CellKind::Other, 1, true},
    {"FD*", CellKind::FlipFlop},
    {"SRL*", CellKind::LutRam},
    {"RAM16X1D", CellKind::LutRam, 2, true, 1},
    {"RAM32X1S", CellKind::LutRam, 1, true, 1},
    {"RAM32X1D", CellKind::LutRam, 2, true, 1},
    {"RAM32M16", CellKind::LutRam, 8, true, 1},
    {"RAM32M", CellKind::LutRam, 4, true, 1},
    {"RAM64X1S", CellKind::LutRam, 1, true, 1},
    {"RAM64X1D", CellKind::LutRam, 2, true, 1},
    {"RAM64M8", CellKind::LutRam, 8, true, 1},
    {"RAM64M", CellKind::LutRam, 4, true, 1},
    {"RAM128X1S", CellKind::LutRam, 2, true, 1},
    {"RAM128X1D", CellKind::LutRam, 4, true, 1},
    {"RAM256X1S", CellKind::LutRam, 4, true, 1},
    {"RAM256X1D", CellKind::LutRam, 8, true, 1},
    {"RAM512X1S", CellKind::LutRam, 8, true, 1},
    {"RAMB18E1", CellKind::BlockRam, 1},
    {"RAMB36E1", CellKind::BlockRam, 2},
    {"DSP48E1", CellKind::Multiplier},
};

const CellType* typeOf(std::string_view name) {
    for (const CellType& type : kCellTypes) {
        const bool isPrefix = type.name.ends_with('*');
        if (isPrefix ? name.starts_with(type.name.substr(0, type.name.size() - 1))
                     : name == type.name)
            return &type;
    }
    return nullptr;
}

/// Whether what a memory in LUTs gives follows this input at once: addresses do, data do not.
bool isPathThrough(const CellType& type, std::string_view port) {
    if (type.kind != CellKind::LutRam) return true;
    return port.starts_with("A") || port.starts_with("DPRA");
}

struct Cell {
    const CellType* type;
    std::vector<std::uint32_t> inputs;  ///< bits; those on paths through it where it computes
    std::optional<unsigned> depth;      ///< levels of the longest path that ends at its outputs
};

class ModuleReader {
public:
    ModuleReader(const YosysJson& module, const std::set<std::string>& others) {
        for (const YosysJson& cell : module["cells"])
            read(cell, others);
        for (std::uint32_t i = 0; i < cells_.size(); ++i)
            if (cells_[i].type->isComputed) result_.levels = std::max(result_.levels, depthOf(i));
        for (const auto& [name, net] : module["netnames"].items())
            if (net["hide_name"] == 0) nameRegister(name, net["bits"]);
    }

    NetlistModule take() { return std::move(result_); }

private:
    void read(const YosysJson& cell, const std::set<std::string>& others) {
        const std::string& name = cell["type"].get_ref<const std::string&>();
        if (others.contains(name)) {
            ++result_.instances[name];
            return;
        }
        const CellType* type = typeOf(name);
        if (!type) return;
        if (type->kind != CellKind::Other)
            result_.cells[static_cast<std::size_t>(type->kind)] += type->size;
        const auto number = static_cast<std::uint32_t>(cells_.size());
        Cell made{type, {}, {}};
        for (const auto& [port, bits] : cell["connections"].items()) {
            const bool isOutput = cell["port_directions"][port] == "output";
            for (const YosysJson& bit : bits) {
                if (!bit.is_number()) continue;
                const std::uint32_t wire = bit.get<std::uint32_t>();
                if (isOutput && type->isComputed) drivers_[wire] = number;
                if (isOutput && type->kind == CellKind::FlipFlop) flipFlops_[wire] = number;
                if (!isOutput && (!type->isComputed || isPathThrough(*type, port)))
                    made.inputs.push_back(wire);
            }
        }
        cells_.push_back(std::move(made));
    }

    /// Of what lies in front of a bit: its cell, where that computes.
    const std::uint32_t* driverOf(std::uint32_t wire) const {
        const auto at = drivers_.find(wire);
        return at == drivers_.end() ? nullptr : &at->second;
    }

    /// Without recursion: a ripple through thousands of carries is as deep.
    unsigned depthOf(std::uint32_t first) {
        std::vector<std::pair<std::uint32_t, std::size_t>> path{{first, 0}};
        while (!path.empty()) {
            auto& [number, next] = path.back();
            Cell& cell = cells_[number];
            if (next == 0 && cell.depth) {
                path.pop_back();
                continue;
            }
            if (next == 0) cell.depth = 0;  // seen: a cycle ends here
            const std::uint32_t* inner = nullptr;
            while (next < cell.inputs.size() && !inner) {
                inner = driverOf(cell.inputs[next++]);
                if (inner && cells_[*inner].depth) inner = nullptr;
            }
            if (inner) {
                path.emplace_back(*inner, 0);
                continue;
            }
            cell.depth = cell.type->levels + deepest(cell);
            path.pop_back();
        }
        return *cells_[first].depth;
    }

    unsigned deepest(const Cell& cell) const {
        unsigned most = 0;
        for (const std::uint32_t wire : cell.inputs)
            if (const std::uint32_t* inner = driverOf(wire))
                most = std::max(most, cells_[*inner].depth.value_or(0));
        return most;
    }

    void nameRegister(std::string name, const YosysJson& bits) {
        std::vector<std::uint32_t> own;
        for (const YosysJson& bit : bits) {
            if (!bit.is_number()) continue;
            const auto at = flipFlops_.find(bit.get<std::uint32_t>());
            if (at != flipFlops_.end()) own.push_back(at->second);
        }
        if (own.empty()) return;
        if (const std::size_t bracket = name.find('['); bracket != std::string::npos)
            name.erase(bracket);
        RegisterCost& cost = result_.registers[name];
        cost.flipFlops += own.size();
        std::set<std::uint32_t>& cone = cones_[name];
        for (const std::uint32_t flipFlop : own) {
            cost.levels = std::max(cost.levels, deepest(cells_[flipFlop]));
            cost.luts += widen(cone, flipFlop);
        }
    }

    /// Adds what lies in front of a flip-flop; the number of LUTs that came to it.
    std::uint64_t widen(std::set<std::uint32_t>& cone, std::uint32_t flipFlop) const {
        std::uint64_t luts = 0;
        std::vector<std::uint32_t> todo{flipFlop};
        while (!todo.empty()) {
            const Cell& cell = cells_[todo.back()];
            todo.pop_back();
            for (const std::uint32_t wire : cell.inputs) {
                const std::uint32_t* inner = driverOf(wire);
                if (!inner || !cone.insert(*inner).second) continue;
                luts += cells_[*inner].type->kind == CellKind::Lut ? 1 : 0;
                todo.push_back(*inner);
            }
        }
        return luts;
    }

    NetlistModule result_;
    std::vector<Cell> cells_;
    std::unordered_map<std::uint32_t, std::uint32_t> drivers_;    ///< of what is computed
    std::unordered_map<std::uint32_t, std::uint32_t> flipFlops_;  ///< by their output
    std::map<std::string, std::set<std::uint32_t>> cones_;        ///< by register
};

bool isLibrary(const YosysJson& module) {
    const YosysJson& attributes = module["attributes"];
    return attributes.contains("blackbox") || attributes.contains("whitebox");
}

}  // namespace

Netlist readNetlist(std::string_view json) {
    const YosysJson all = YosysJson::parse(json);
    std::set<std::string> names;
    for (const auto& [name, module] : all["modules"].items())
        if (!isLibrary(module)) names.insert(name);
    Netlist result;
    for (const std::string& name : names)
        result[name] = ModuleReader(all["modules"][name], names).take();
    return result;
}

// $paramod\adder\width=s32'1…   $paramod$4a2f…\adder
std::string sourceName(const std::string& module) {
    if (!module.starts_with("$paramod")) return module;
    const std::size_t from = module.find('\\');
    if (from == std::string::npos) return module;
    return module.substr(from + 1, module.find('\\', from + 1) - from - 1);
}

}  // namespace smec::driver
