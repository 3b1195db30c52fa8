#pragma once

#include "rtl/body.h"

namespace smec::rtl {

/// Writes what happens at the clock's edge: checks, writes to memories, then registers. All of them
/// see what was before the edge: a value that would be read after its register has changed is taken
/// before.
class ClockedBody {
public:
    ClockedBody(Body& body, ModulePlan& plan, const ModuleNames& names)
        : body_(body), plan_(plan), names_(names) {}

    void write();

private:
    void check(const netlist::Cell& cell);
    void writeMemory(const netlist::Cell& cell);
    void writePort(const netlist::Cell& cell, std::uint32_t port);
    void updateAll();
    ast::Block update(const std::vector<const netlist::Cell*>& cells, std::string_view port);
    void publish();

    /// A condition; polarity is a parameter of the cell.
    ast::ExprId condition(const netlist::Cell& cell, std::string_view port);
    /// What was read as it is before the edge: it stays so where its registers have changed.
    Term before(const Term& term, std::uint32_t width, std::string_view name);
    SignalId registerOf(const netlist::Cell& cell) const;

    Body& body_;
    ModulePlan& plan_;
    const ModuleNames& names_;
    std::set<SignalId> changed_;    ///< registers that have their new value where the text goes on
    std::vector<ast::Stmt> taken_;  ///< what was taken before
};

}  // namespace smec::rtl
