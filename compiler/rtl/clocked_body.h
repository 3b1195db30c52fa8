#pragma once

#include "rtl/body.h"

namespace smec::rtl {

/// Writes what happens at the clock's edge: registers that branches set, checks, writes to memories,
/// then the other registers. All of them see what was before the edge.
class ClockedBody {
public:
    ClockedBody(Body& body, ModulePlan& plan, const ModuleNames& names)
        : body_(body), plan_(plan), names_(names) {}

    void write();

    /// What one port of a memory writes.
    struct PortPins {
        netlist::Bits address;
        netlist::Bits data;
        netlist::Bits enables;
    };
    /// Some bits of a word.
    struct Part {
        std::uint32_t low;
        std::uint32_t count;
    };

private:
    void check(const netlist::Cell& cell);
    ast::Stmt checked(const netlist::Cell& cell);
    ast::Stmt printed(const netlist::Cell& cell);
    void writeMemory(const netlist::Cell& cell);
    static std::uint32_t wordsInARow(const netlist::Cell& cell, std::uint32_t first);
    void writeWords(const netlist::Cell& cell, std::uint32_t port, std::uint32_t count);
    void writePort(const netlist::Cell& cell, std::uint32_t port);
    ast::Stmt writePart(const netlist::Cell& cell, const PortPins& pins, const Part& part,
                        ast::ExprId index);
    void addWhere(netlist::Bit enable, ast::ExprId condition, ast::Stmt statement);
    void update();
    void publish();
    SignalId registerOf(const netlist::Cell& cell) const;

    Body& body_;
    ModulePlan& plan_;
    const ModuleNames& names_;
};

}  // namespace smec::rtl
