#pragma once

#include <set>

#include "rtl/body.h"

namespace smec::rtl {

/// Width and sign of what buses carry.
using WireTypes = std::set<std::pair<std::uint32_t, bool>>;

/// Writes a module as declarations: its combinational processes, and what holds them together: a
/// clocked process where there are registers, else a network.
class ModuleWriter {
public:
    /// `names` are those of the file, `wires` what the file needs bus types for.
    ModuleWriter(ast::Module& module, ModulePlan& plan, const Interfaces& children,
                 const Interface& own, Names& names, WireTypes& wires)
        : tree_(module),
          module_(module),
          plan_(plan),
          children_(children),
          own_(own),
          names_(names),
          wires_(wires) {}

    void write();

private:
    struct Group {
        std::string name;
        std::vector<SignalId> reads;  ///< over buses, in the order of signals
        std::vector<SignalId> drives;
        std::vector<const netlist::Cell*> memories;
    };

    void nameBuses();
    Group writeGroup(std::uint32_t number);
    Group namedGroup(std::uint32_t number);
    ast::Block groupBody(std::uint32_t number);
    void writeWhole(const std::vector<Group>& groups);
    std::vector<ast::Param> params();
    ast::Param param(ast::ParamKind kind, const std::string& name, std::uint32_t width,
                     bool isSigned);
    std::vector<ast::Decl> buses();
    std::vector<ast::Decl> memories();
    std::vector<ast::Decl> registers();
    std::vector<ast::Decl> groupInstances(const std::vector<Group>& groups);
    std::vector<ast::Decl> childInstances();
    ast::Decl bus(const std::string& name, std::uint32_t width, bool isSigned,
                  const ast::Integer& initial);
    ast::ExprId initialWords(const netlist::Cell& cell);
    std::string busOf(SignalId id) const;

    Tree tree_;
    ast::Module& module_;
    ModulePlan& plan_;
    const Interfaces& children_;
    const Interface& own_;
    Names& names_;
    WireTypes& wires_;
    ModuleNames inner_;
    std::vector<ast::Decl> unconnected_;  ///< buses of arguments that are no signal
};

}  // namespace smec::rtl
