#pragma once

#include <optional>
#include <unordered_map>

#include "ast/expressions.h"
#include "rtl/interface.h"
#include "rtl/names.h"

namespace smec::rtl {

using SignalId = std::uint32_t;
inline constexpr SignalId kConstant = UINT32_MAX;

/// Neighbouring bits of one signal, or of a constant.
struct Run {
    SignalId signal = kConstant;
    std::uint32_t offset = 0;  ///< of the lowest
    std::uint32_t width = 0;
    ast::Integer value;  ///< of a constant
};

enum class Origin : std::uint8_t {
    Input,     ///< a port of the module
    Cell,      ///< output Y of a cell that computes
    ReadPort,  ///< a word of a memory
    Register,  ///< output Q of a register
    Child,     ///< an output of an instance
    Wire       ///< bits put together, for an output or for an argument of an instance
};

/// Bits that are driven together, as one value.
struct Signal {
    std::string name{};
    std::uint32_t width = 0;
    Origin origin = Origin::Wire;
    const netlist::Cell* cell = nullptr;
    std::string port{};          ///< of the module, or of the cell
    std::uint32_t readPort = 0;  ///< of a memory
    netlist::Bits bits{};        ///< Wire: what it is made of; else what it drives
    bool isPublic = false;       ///< it has a name in the source
    ast::Integer initial{};      ///< of a register
    bool isOutput = false;       ///< it is an output of the module, and has its name
    bool isSigned = false;       ///< its bus is; what is computed has no sign
    bool isComputed() const {
        return origin == Origin::Cell || origin == Origin::ReadPort || origin == Origin::Wire;
    }
};

/// The signals of a module, and who drives what.
class Signals {
public:
    /// Throws Problem: a port that is driven from both sides, a cell that is not known.
    Signals(const netlist::Module& module, const Interfaces& children, const Interface& own,
            Names& names);

    std::vector<Signal> all;
    std::map<std::string, std::string, std::less<>> ports;  ///< what each is called in `.sme`
    const Signal& operator[](SignalId id) const { return all[id]; }

    /// Lowest first; what nobody drives, and x, is 0.
    std::vector<Run> runs(const netlist::Bits& bits) const;
    /// The signal that these bits are, whole and in order.
    std::optional<SignalId> whole(const netlist::Bits& bits) const;
    /// Another one, of bits that are driven already.
    SignalId addWire(std::string name, const netlist::Bits& bits, const netlist::Cell* cell,
                     const std::string& port, bool isSigned);
    /// What a computed signal reads, each list of bits as the cell has it.
    template <typename Visit>
    void forEachInput(SignalId id, const Visit& visit) const {
        const Signal& signal = all[id];
        if (signal.origin == Origin::Wire) return visit(signal.bits);
        if (signal.origin == Origin::ReadPort) return visit(address(signal));
        if (signal.origin != Origin::Cell) return;
        for (const auto& [port, bits] : signal.cell->connections) {
            if (port != "Y") visit(bits);
        }
    }
    /// The address of a memory's read port.
    static netlist::Bits address(const Signal& signal);

private:
    struct Source {
        SignalId signal;
        std::uint32_t offset;
    };
    void drive(Signal signal);
    void addCell(const netlist::Module& module, const netlist::Cell& cell,
                 const Interfaces& children);
    void addReadPorts(const netlist::Cell& cell);
    void nameAfterOutputs(const netlist::Module& module);
    void name(const netlist::Module& module, Names& names);

    std::unordered_map<netlist::Bit, Source> drivers_;
};

}  // namespace smec::rtl
