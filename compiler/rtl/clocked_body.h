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

private:
    void check(const netlist::Cell& cell);
    void writeMemory(const netlist::Cell& cell);
    static std::uint32_t wordsInARow(const netlist::Cell& cell, std::uint32_t first);
    void writeWords(const netlist::Cell& cell, std::uint32_t port, std::uint32_t count);
    void writePort(const netlist::Cell& cell, std::uint32_t port);
    void update();
    void publish();
    SignalId registerOf(const netlist::Cell& cell) const;

    Body& body_;
    ModulePlan& plan_;
    const ModuleNames& names_;
};

}  // namespace smec::rtl
