#pragma once

#include <map>
#include <set>

#include "rtl/branches.h"
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

    /// What is read behind all that is computed; before anything is written.
    void willRead(const netlist::Bits& bits) { roots_.push_back(bits); }
    /// The signal is the register's next value: where it is computed as branches, these set it.
    void willBecome(SignalId signal, SignalId reg) { becomes_[signal] = reg; }
    /// Temporaries for `signals`, which come in order.
    void compute(const std::vector<SignalId>& signals);
    /// reg = value, from here on. Whoever reads the register afterwards means what it was before,
    /// until commit().
    void update(SignalId reg, ast::ExprId value);
    /// Registers that were read after their update were updated as variables of their own.
    void commit();
    /// Whether branches have computed the signal, and set the register to it.
    bool isSetBy(SignalId reg, SignalId signal) const {
        const auto found = becomes_.find(signal);
        return found != becomes_.end() && found->second == reg && target_.contains(signal);
    }
    /// Bits as one value.
    Term read(const netlist::Bits& bits);
    /// The same where low bits alone count, for they are stored.
    Term readToStore(const netlist::Bits& bits);
    Term of(SignalId id);
    /// bus.v = a value.
    ast::Stmt toBus(const std::string& bus, const Term& value, std::uint32_t width, bool isSigned);
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
    Terms& terms() { return terms_; }
    Tree& tree() { return tree_; }

private:
    Term make(SignalId id);
    void define(SignalId id);
    void publish(SignalId id, const std::string& variable);
    bool isWithin(SignalId id);
    void count(const netlist::Bits& bits);
    void write(const Branches& branches, Branches::ScopeId scope);
    void branch(const Branches& branches, const Branches::Choice& choice);
    ast::Block side(const Branches& branches, Branches::ScopeId scope);
    bool isOnlyNext(SignalId id) const;
    void become(SignalId id);
    void declare(SignalId id);
    void give(SignalId id, const netlist::Bits& bits);
    /// Whether the signal is nothing but the value of another one on a side of a branch.
    void findGiven(const Branches& branches, Branches::ScopeId scope);

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
    std::vector<netlist::Bits> roots_;
    std::map<SignalId, SignalId> becomes_;    ///< registers
    std::map<SignalId, SignalId> givenTo_;    ///< signals of the branch around
    std::map<SignalId, std::string> target_;  ///< what is assigned on both sides of a branch
    std::vector<bool> isUpdated_;             ///< registers, on the way to here
    std::vector<SignalId> updated_;           ///< the same in order
    std::set<SignalId> readLate_;             ///< registers read after their update
    std::vector<std::pair<SignalId, ast::ExprId>> targets_;  ///< names of registers that are set
};

}  // namespace smec::rtl
