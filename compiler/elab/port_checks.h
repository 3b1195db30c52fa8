#pragma once

#include "elab/tree.h"

namespace smec::elab {

/// A port and what is connected to it, for the check and its messages.
struct PortCheck {
    const Entity& entity;
    const PortParam& param;
    const sema::Scope* inner;  ///< of the instance, where the port depends on it
    SourceRange range;         ///< of the argument
    std::string_view text;
    bool isQuiet = false;
};

/// Whether a port takes what is connected. Of an array whose elements have several shapes each needs
/// what the port asks for.
class PortChecks {
public:
    explicit PortChecks(Tree& tree) : tree_(tree) {}

    /// Elements of several shapes are seen as the first of them afterwards.
    bool check(const PortCheck& check, View& view);
    bool checkArray(const PortCheck& check, const std::vector<std::uint64_t>& dimensions);
    bool checkFields(const PortCheck& check, hir::ShapeId shape);

private:
    bool checkMixed(const PortCheck& check, View& view);
    bool checkField(const PortCheck& check, const hir::FieldShape& wanted,
                    const hir::BusShape& shape);
    std::optional<std::vector<std::uint64_t>>
    wantedSizes(const PortCheck& check, const std::vector<std::uint64_t>& dimensions);
    const sema::ResolvedBus* portType(const PortCheck& check);

    Tree& tree_;
    std::unordered_map<const ast::Param*, std::optional<sema::ResolvedBus>> portTypes_;
    std::optional<sema::ResolvedBus> instanceType_;  ///< of the port at hand, where it depends
};

}  // namespace smec::elab
