#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "hdl/module_builder.h"

namespace smec::hdl {

/// Ports, as all kinds of processes have them.
Signal inputPort(const ir::Input& input);
Signal outputPort(const ir::Design& design, const ir::Output& output);

/// The signals that stand for the ports and variables of a process whose body is straight.
class Registers {
public:
    /// `values`: intervals of the body's expressions. `sameAs[i]`: the output that input i reads
    /// back, or -1. All of the others outlive it.
    Registers(const ir::Design& design, const ir::Class& cls,
              const std::vector<ir::Interval>& values, const std::vector<std::int64_t>& sameAs,
              ModuleBuilder& builder);

    /// Adds the signals to the module.
    void declare();

    /// By number in the class.
    const std::vector<SignalId>& inputs() const { return inputs_; }
    const std::vector<SignalId>& outputs() const { return outputs_; }
    /// What the body reads and sets for a local; that of a loop's counter is its loop's.
    SignalId& local(ir::LocalId id) { return locals_[id.index]; }
    /// What keeps a variable or an output; invalid for others.
    SignalId keptIn(ir::LocalId id) const { return registers_[id.index]; }
    /// Memories that stay memories though they are read after places that set them.
    const std::vector<ir::LocalId>& bypassed() const { return bypassed_; }
    /// Parameters with the initial values of a plane.
    const std::vector<std::pair<SignalId, ir::PlaneId>>& initials() const { return initials_; }

    /// A local that is 0 where an activation has not set it yet.
    void startsAtZero(SignalId local) { zeroed_.push_back(local); }
    /// What an activation does in front of the body and after it.
    Block begin();
    Block end();
    /// Finds registers that no statement of the module sets, apart from `alsoSet`.
    void findFixed(SignalId alsoSet);

private:
    void declarePorts();
    bool isOutput(const std::string& name) const;
    void setInitial(Signal& signal, ir::PlaneId id);
    std::vector<bool> counters() const;
    void declare(ir::LocalId id);
    SignalId variable(ir::LocalId id, Signal signal);
    ExprId initialOf(SignalId id);
    Stmt transfer(SignalId to, SignalId from);

    const ir::Design& design_;
    const ir::Class& cls_;
    const ir::Body& body_;
    const std::vector<std::int64_t>& sameAs_;
    ModuleBuilder& builder_;
    Module& module_;
    std::vector<bool> isReadBack_, isConditional_, isSetInLongLoop_;  ///< by LocalId
    bool setsMemory_;
    std::vector<SignalId> inputs_, outputs_;
    std::vector<SignalId> locals_, registers_;
    std::vector<SignalId> zeroed_;
    std::vector<ir::LocalId> bypassed_;
    std::vector<std::pair<SignalId, ir::PlaneId>> initials_;
};

}  // namespace smec::hdl
