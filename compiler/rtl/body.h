#pragma once

#include <map>
#include <set>

#include "rtl/cells.h"
#include "rtl/module_plan.h"

namespace smec::rtl {

/// What the parts of a module's text agree on.
struct ModuleNames {
    std::map<SignalId, std::string> buses;  ///< of registers that others read
    std::map<const netlist::Cell*, std::string> memories;
};

/// Writes the body of one process: what it computes as temporaries or, where it is read once,
/// within the expression that reads it.
class Body {
public:
    Body(Tree& tree, ModulePlan& plan, const ModuleNames& names, std::uint32_t process);

    /// `read` counts for what may stand within others; before anything is written.
    void willRead(const netlist::Bits& bits);
    /// Temporaries for `signals`, which come in order.
    void compute(const std::vector<SignalId>& signals);
    /// Bits as one value.
    Term read(const netlist::Bits& bits);
    /// The same where low bits alone count, for they are stored.
    Term readToStore(const netlist::Bits& bits);
    Term of(SignalId id);
    /// The words of a memory, and whether an address is one of a word.
    ast::ExprId memory(const netlist::Cell& cell);

    /// A memory's word at an address; 0 beyond the end.
    Term word(const netlist::Cell& cell, const Term& address);
    /// The index of a word, with what has to hold for it to be one; invalid: it always is. A
    /// literal that is none has no index.
    struct Place {
        ast::ExprId index;
        ast::ExprId condition;
    };
    Place placeOf(const netlist::Cell& cell, const Term& address);

    std::vector<ast::Stmt> statements;
    /// Registers that were read since it was emptied, also from within other signals.
    std::set<SignalId> touched;
    Terms& terms() { return terms_; }
    Tree& tree() { return tree_; }

private:
    Term make(SignalId id);
    void define(SignalId id);
    bool isWithin(SignalId id);

    Tree& tree_;
    Terms terms_;
    ModulePlan& plan_;
    const ModuleNames& names_;
    const std::uint32_t process_;
    Cells cells_;
    std::map<SignalId, Term> known_;
    std::vector<std::uint32_t> uses_;
    std::vector<bool> isCut_;          ///< bits of it are read, which needs a name
    std::vector<std::uint32_t> size_;  ///< operators of what stands within others
};

}  // namespace smec::rtl
