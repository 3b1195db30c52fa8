#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "elab/elements.h"

namespace smec::elab {

struct PathStep {
    enum class Kind : std::uint8_t { Member, Index, Star } kind;
    std::string_view name;    ///< Member
    std::uint64_t index = 0;  ///< Index
    SourceRange range;        ///< of the path up to here
};

/// A path with its indices evaluated: `o.i[3].ticks`, `s[*].status`.
struct Path {
    std::string_view root;
    SourceRange range;  ///< of the root
    sema::ModuleId module;
    std::vector<PathStep> steps;
};

/// What an index, a star or a member belongs to; invalid for anything else.
ast::ExprId baseOf(const ast::Expr& expr);

/// Where a path leads: a view; or to what must be done first; or nowhere (which was reported).
struct Resolution {
    std::optional<View> view;
    NodeId blocked = kNone;
    Stage stage = Stage::Open;
};

/// Follows paths from a network to the buses in it and in its instances.
class PathFinder {
public:
    PathFinder(Tree& tree, bool quiet, const PortParam* port = nullptr,
               const Entity* entity = nullptr)
        : tree_(tree), quiet_(quiet), port_(port), entity_(entity) {}

    /// The name at the start of a path; empty when the expression is none.
    std::string_view rootOf(sema::ExprRef expr) const;
    /// Evaluates the indices in `scope`.
    std::optional<Path> parse(sema::ExprRef expr, const sema::Scope& scope);
    /// Goes on with the index, star or member at the end of `step`; false after an error.
    bool addStep(Path& path, sema::ExprRef step, const sema::Scope& scope);

    /// A path in the structure of `frame`: its buses, ports and instances, or the only instance of
    /// an entity.
    Resolution inStructure(Frame& frame, const Path& path, const sema::Scope& scope);
    /// A path whose root is an instance in `frame`; nothing (and no report) when there is none of
    /// that name.
    std::optional<Resolution> fromInstance(Frame& frame, const Path& path);
    /// A path whose root is an entity that `frame` holds one instance of; nothing when the root is
    /// no entity.
    std::optional<Resolution> fromEntity(Frame& frame, const Path& path, const sema::Scope& scope);

    /// All elements of a declared bus.
    View viewOf(std::uint32_t group) const;
    Resolution select(View view, const Path& path, std::size_t step);
    Resolution notABus(SourceRange range);

private:
    template <typename... Args>
    Resolution fail(DiagId id, SourceRange range, const Args&... args) {
        if (!quiet_) tree_.diagnostics.report(id, range, args...);
        return {};
    }
    Resolution instances(NamedInstances& named, const Path& path, std::size_t step);
    Resolution collect(const NamedInstances& named, const std::vector<NodeId>& nodes,
                       const Path& path, std::size_t step);
    Resolution member(NodeId node, const Path& path, std::size_t step);
    Resolution single(const NamedInstances& named, const Path& path, std::size_t step);
    Resolution unknown(const Path& path, const sema::Scope& scope);
    std::vector<NodeId> matching(const NamedInstances& named, const Path& path,
                                 std::size_t step) const;
    std::vector<std::uint64_t> starDimensions(const NamedInstances& named,
                                              const std::vector<NodeId>& nodes, const Path& path,
                                              std::size_t step) const;
    void scatter(View& view, const Path& path, std::size_t step, std::size_t count);
    std::vector<std::string> namesIn(NodeId node) const;

    Tree& tree_;
    bool quiet_;
    const PortParam* port_;  ///< what is connected, for messages; may be null
    const Entity* entity_;
};

}  // namespace smec::elab
