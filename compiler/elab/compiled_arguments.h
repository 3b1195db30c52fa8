#pragma once

#include "elab/calls.h"
#include "elab/own_buses.h"
#include "elab/port_checks.h"

namespace smec::elab {

/// Evaluates compiled arguments for one instance after the other. What fails goes the general way,
/// which also reports what is wrong.
class CompiledArguments {
public:
    CompiledArguments(Tree& tree, PortChecks& checks, OwnBuses& buses)
        : tree_(tree), checks_(checks), buses_(buses) {}

    /// Does the stages of the instance that it can.
    void evaluate(NodeId node, const Call& call, CompiledDecl& compiled);

private:
    bool evaluateConstants(Node& node, CompiledDecl& compiled);
    bool evaluatePorts(Node& node, const Call& call, CompiledDecl& compiled);
    bool isTaken(const Call& call);
    bool append(const CompiledBus& bus, std::vector<std::uint64_t>& dimensions);
    bool appendList(const CompiledBus& bus, std::vector<std::uint64_t>& dimensions);
    bool appendPath(const CompiledBus& bus, std::vector<std::uint64_t>& dimensions);
    bool appendBuses(const CompiledBus& bus, std::uint64_t first, std::uint64_t count);

    Tree& tree_;
    PortChecks& checks_;
    OwnBuses& buses_;
    // of the instance at hand; members, so that no round allocates
    std::vector<std::uint64_t> tuple_;
    std::vector<PortShape> ports_;
    std::vector<std::vector<std::uint64_t>> dimensions_;
};

}  // namespace smec::elab
