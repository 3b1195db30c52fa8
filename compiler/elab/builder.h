#pragma once

#include "elab/bus_arguments.h"
#include "elab/generates.h"

namespace smec::elab {

/// Makes the instance tree below a top whose constants and ports are given. Errors leave parts out;
/// the rest is complete.
///
/// An instance goes through its stages on demand: what a path needs of another instance is done
/// first, on an explicit stack, so that neither the depth of the tree nor a chain of references can
/// exhaust ours.
class Builder {
public:
    Builder(Tree& tree, BusGroups& groups, Connections& connections);
    Builder(const Builder&) = delete;
    Builder& operator=(const Builder&) = delete;

    /// Everything below; the stages Constants and Ports of the top are done.
    void build(NodeId top);

private:
    void require(NodeId node, Stage stage);
    Outcome advance(NodeId node, Stage stage);
    std::optional<Outcome> needs(NodeId node, Stage stage) const;
    void reportCycle(NodeId node);
    Outcome open(NodeId node);
    bool openFrame(NodeId node);
    void close(NodeId node);

    Tree& tree_;
    Connections& connections_;
    Calls calls_;
    OwnBuses ownBuses_;
    Rounds rounds_;
    PortChecks portChecks_;
    ConstArguments constArguments_;
    BusArguments busArguments_;
    ArgumentCompiler compiler_;
    CompiledArguments compiledArguments_;
    Instances instances_;
    Generates generates_;
};

}  // namespace smec::elab
