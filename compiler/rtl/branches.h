#pragma once

#include <unordered_map>

#include "rtl/module_plan.h"

namespace smec::rtl {

/// Where a process computes what: multiplexers of one select become one branch, and what only one
/// of its sides needs stands in that side, so that it is computed when it is wanted.
///
///     y = s ? a + b : c          if (s) { y = a + b; z = d; } else { y = c; z = a * c; }
///     z = s ? d : a * c
///
/// Signals are placed from the last to the first, each in the innermost side that holds all of its
/// readers. A multiplexer joins a branch where nothing between the two reads it.
class Branches {
public:
    using ScopeId = std::uint32_t;
    using ChoiceId = std::uint32_t;
    static constexpr ScopeId kRoot = 0;

    enum class Kind : std::uint8_t {
        Compute,  ///< a signal
        Branch,   ///< a choice
        Give      ///< its value on this side to a signal of the choice around
    };
    struct Step {
        Kind kind;
        std::uint32_t id;
    };
    struct Choice {
        netlist::Bit select;
        ScopeId yes;
        ScopeId no;
        std::vector<SignalId> members;  ///< as they are computed
    };

    /// `signals` of a process in order; `roots` are read where all of them are known; `registers`
    /// by the signals that they become.
    Branches(const ModulePlan& plan, const std::vector<SignalId>& signals,
             const std::vector<netlist::Bits>& roots,
             const std::map<SignalId, SignalId>& registers);

    const std::vector<Step>& steps(ScopeId scope) const { return scopes_[scope].steps; }
    const Choice& operator[](ChoiceId id) const { return choices_[id]; }
    bool isYes(ScopeId scope) const { return choices_[scopes_[scope].choice].yes == scope; }
    /// What a member is on a side.
    const netlist::Bits& given(SignalId id, ScopeId side) const;
    /// Bits that are read, as often as they are.
    std::vector<netlist::Bits> reads() const;

private:
    using ItemId = std::uint32_t;
    struct Item {
        ScopeId scope;
        std::vector<ItemId> readers;  ///< of the same scope
    };
    struct Use {
        ScopeId scope;
        ItemId item;
    };
    struct Scope {
        ScopeId parent = kRoot;
        ChoiceId choice = 0;  ///< that it is a side of
        std::uint32_t depth = 0;
        std::vector<Step> steps;
    };
    struct Select {
        netlist::Bit bit;
        bool isInverted;
    };

    void place(SignalId id);
    void placeChoice(SignalId id, ScopeId scope);
    ChoiceId choiceFor(SignalId id, ScopeId scope, netlist::Bit select);
    bool mayJoin(SignalId id, ScopeId scope, ChoiceId choice) const;
    ScopeId scopeOf(SignalId id) const;
    ScopeId common(ScopeId a, ScopeId b) const;
    /// What stands in `scope` for a reader somewhere in it.
    ItemId itemIn(ScopeId scope, const Use& use) const;
    void link(SignalId id, ScopeId scope, ItemId item);
    void use(const netlist::Bits& bits, ScopeId scope, ItemId item);
    ScopeId addScope(ScopeId parent, ChoiceId choice);
    ItemId addItem(ScopeId scope);
    Select selectOf(SignalId id) const;
    bool isChoice(SignalId id) const;

    bool isWorthIt(const Choice& choice, std::uint32_t work) const;
    std::uint32_t dissolve(ScopeId scope);
    std::uint32_t work(SignalId id) const;
    void sort(ScopeId scope);
    void registersSetBy(const Step& step, std::vector<SignalId>& list) const;
    void readsOf(const Step& step, ScopeId scope, std::vector<netlist::Bits>& list) const;

    const ModulePlan& plan_;
    const Signals& signals_;
    std::vector<Scope> scopes_{1};
    std::vector<Choice> choices_;
    std::vector<ItemId> branch_;  ///< by choice
    std::vector<Item> items_;
    std::unordered_map<std::uint64_t, std::vector<ChoiceId>> known_;  ///< by scope and select
    std::vector<std::vector<Use>> uses_;
    std::map<SignalId, SignalId> next_;    ///< registers by what they become on a path
    std::vector<std::uint32_t> position_;  ///< by signal; kOther: others compute it
    static constexpr std::uint32_t kOther = UINT32_MAX;
    static constexpr ItemId kEnd = UINT32_MAX;  ///< reads behind all
};

}  // namespace smec::rtl
