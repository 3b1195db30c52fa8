#pragma once

#include "elab/bus_groups.h"
#include "elab/connections.h"

namespace smec::elab {

/// The network to start from: Options::top, or the only one of the main file that nobody
/// instantiates. Null after an error, and (without a report) for a file without a network, or under
/// Options::checkOnly one whose networks all need arguments: a library.
Entity* chooseTop(Tree& tree);

/// Adds the top to the tree, gives its const parameters their values (-G, defaults) and its ports
/// exposed buses.
std::optional<NodeId> addTop(Tree& tree, BusGroups& groups, Connections& connections,
                             Entity& entity);

/// The value of a -G parameter: an integer, true, false, a float or an enum member; kError as type:
/// whichever it looks like.
std::optional<sema::TypedValue> parseParameter(const hir::TypeTable& types, hir::TypeId type,
                                               std::string_view text);

/// The entity that an instance declaration names, without a report when there is none.
const sema::EntitySymbol* entityNamed(const Tree& tree, sema::ModuleId module, ast::ExprId expr);

}  // namespace smec::elab
