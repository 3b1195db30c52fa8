#pragma once

#include "elab/tree.h"

namespace smec::elab {

/// Numbers the instances depth first, checks every specialisation of a process once and fills the
/// instances of the design with their buses, constants and initial values. `nodes[i]` is the node
/// of instance i afterwards. Instances with errors stay without a specialisation.
std::vector<NodeId> fillInstances(Tree& tree, NodeId top);

}  // namespace smec::elab
