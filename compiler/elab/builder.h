#pragma once

#include <map>

#include "elab/calls.h"
#include "elab/paths.h"
#include "elab/scopes.h"
#include "elab/tree.h"

namespace smec::elab {

/// Makes the instance tree below a top whose constants and ports are given. Errors leave parts out;
/// the rest is complete.
///
/// An instance goes through its stages on demand: what a path needs of another instance is done
/// first, on an explicit stack, so that neither the depth of the tree nor a chain of references can
/// exhaust ours.
class Builder {
public:
    explicit Builder(Tree& tree) : tree_(tree), calls_(tree) {}
    Builder(const Builder&) = delete;
    Builder& operator=(const Builder&) = delete;

    NodeId addTop(const Entity& entity);
    /// Everything below; the stages Constants and Ports of the top are done.
    void build(NodeId top);
    /// Adds a bus with one group; nothing after an error.
    std::optional<std::uint32_t> addGroup(const std::string& name, SourceRange range, NodeId owner,
                                          const BusTemplate& bus, const GroupInfo& info,
                                          bool exposed, std::vector<std::uint64_t> generateIndices);
    void commitPorts(NodeId node, const std::vector<View>& views);
    BusTemplate templateOf(const sema::ResolvedBus& bus, std::vector<std::uint64_t> dimensions);

private:
    /// What a stage came to: done, failed, or first something else.
    struct Outcome {
        bool failed = false;
        NodeId blocked = kNone;
        Stage stage = Stage::Open;
    };
    static constexpr Outcome kFailed{true, kNone, Stage::Open};

    // builder.cpp: order
    void require(NodeId node, Stage stage);
    Outcome advance(NodeId node, Stage stage);
    std::optional<Outcome> needs(NodeId node, Stage stage) const;
    void reportCycle(NodeId node);
    void close(NodeId node);

    // open.cpp: buses and the inside
    Outcome open(NodeId node);
    bool openLeaf(NodeId node);
    bool openFrame(NodeId node);
    std::optional<BusTemplate> resolve(const ast::BusDecl& bus, const sema::Scope& scope);
    bool declareOwn(NodeId node, sema::Scope& scope);
    std::optional<std::uint32_t> declareBus(const ast::BusDecl& bus, NodeId owner,
                                            const BusTemplate& resolved, sema::ModuleId module,
                                            std::vector<std::uint64_t> generateIndices);
    std::vector<View> viewsOf(NodeId node) const;

    // generate.cpp: repeating declarations
    void walk(Frame& frame, const std::vector<ast::Decl>& decls, std::uint32_t iteration);
    void generate(Frame& frame, const ast::GenerateFor& loop, std::uint32_t iteration);
    void choose(Frame& frame, const ast::GenerateIf& choice, std::uint32_t iteration);
    void repeat(Frame& frame, Block& block, std::uint32_t iteration, std::int64_t value);
    std::optional<hir::Integer> bound(Frame& frame, ArgumentPlan* plan, bool isFrom,
                                      ast::ExprId expr, std::uint32_t iteration);
    sema::Scope& enter(Frame& frame, std::uint32_t iteration);
    void setBlock(Frame& frame, Block& block, std::uint32_t iteration, const sema::Scope& outer);
    void declareInBlock(Frame& frame, Block& block, std::uint32_t iteration);
    Block& blockOf(Frame& frame, const void* key, const ast::GenerateFor* loop,
                   const std::vector<ast::Decl>& decls, std::uint32_t outer);
    ArgumentPlan* planOf(Frame& frame, const void* decl, std::uint32_t iteration);
    std::vector<std::uint64_t> generateIndices(const Frame& frame, std::uint32_t iteration) const;
    sema::ModuleId moduleOf(const Frame& frame) const {
        return tree_.nodes[frame.node].entity->module;
    }

    // instances.cpp: one instance declaration
    void addInstance(Frame& frame, const ast::InstanceDecl& decl, std::uint32_t iteration);
    bool isCycle(const Frame& frame, const ast::InstanceDecl& decl, const Entity& entity);
    bool evaluateIndices(Frame& frame, const ast::InstanceDecl& decl, std::uint32_t iteration,
                         const ArgumentPlan* plan);
    NamedInstances& named(Frame& frame, const ast::InstanceDecl& decl);
    bool enlist(Frame& frame, NamedInstances& named, NodeId node, const ast::InstanceDecl& decl);
    void nameAnonymous(Frame& frame);
    bool overLimit(const hir::Integer& count, SourceRange range);

    // arguments.cpp: any argument
    Outcome constants(NodeId node);
    std::optional<sema::TypedValue> constantValue(NodeId node, ConstParam& param,
                                                  ast::ExprId argument, const sema::Scope* outer,
                                                  const sema::Scope* inner);
    void resolveParam(const Entity& entity, ConstParam& param);
    Outcome ports(NodeId node);
    bool portsDepend(const Entity& entity) const;

    // bus_arguments.cpp: any bus argument
    struct Place;
    std::optional<View> portView(NodeId node, std::size_t port, Outcome& outcome);
    std::optional<View> argument(const Place& place, ast::ExprId expr, Outcome& outcome);
    std::optional<View> list(const Place& place, const ast::ArrayLiteral& node, Outcome& outcome);
    std::optional<View> path(const Place& place, ast::ExprId expr,
                             std::span<const ast::ExprId> steps, Outcome& outcome);
    ast::ExprId chosenFrom(sema::ExprRef expr, std::vector<ast::ExprId>& steps) const;
    std::optional<ast::ExprId> elementOf(const Place& place, const ast::ArrayLiteral& list,
                                         SourceRange range, ast::ExprId step);

    // port_checks.cpp: whether a port takes what is connected, and how it sees it
    struct PortCheck {
        const Entity& entity;
        const PortParam& param;
        const sema::Scope* inner;  ///< of the instance, where the port depends on it
        SourceRange range;         ///< of the argument
        std::string_view text;
        bool isQuiet = false;
    };
    bool checkPort(const PortCheck& check, View& view);
    bool checkArray(const PortCheck& check, const std::vector<std::uint64_t>& dimensions);
    bool checkFields(const PortCheck& check, hir::ShapeId shape);
    bool checkMixed(const PortCheck& check, View& view);
    PortShape commitPort(const View& view, std::vector<std::uint64_t>& shapes);
    const sema::ResolvedBus* portType(const PortCheck& check);
    hir::ShapeId narrowed(hir::ShapeId shape, hir::ShapeId wanted);
    hir::ShapeId withProperties(hir::ShapeId seen, hir::ShapeId bus);
    void mapFields(hir::ShapeId seen, hir::ShapeId bus);

    // plans.cpp: arguments in generate bodies
    void makePlan(Frame& frame, const ast::InstanceDecl& decl, const Call& call,
                  std::uint32_t iteration, ArgumentPlan& plan);
    bool planPorts(Frame& frame, const Call& call, std::uint32_t iteration, ArgumentPlan& plan);
    PlannedBus planBus(Frame& frame, const PortParam& param, ast::ExprId argument,
                       std::span<const ast::ExprId> behind, std::uint32_t iteration);
    PlannedBus planPath(Frame& frame, const PortParam& param, ast::ExprId argument,
                        std::span<const ast::ExprId> behind, std::uint32_t iteration);
    bool planConstants(Frame& frame, const Call& call, std::uint32_t iteration, ArgumentPlan& plan);
    bool planConstant(Frame& frame, const Entity& entity, ConstParam& param, ast::ExprId argument,
                      std::uint32_t iteration, ArgumentPlan::Constant& constant);
    std::optional<IntegerExpr> compile(Frame& frame, ast::ExprId expr, std::uint32_t iteration);
    Leaf leafOf(Frame& frame, ast::ExprId name, std::uint32_t iteration);
    void followPlan(NodeId node, const Call& call, ArgumentPlan& plan);
    bool followPorts(Node& node, const Call& call, ArgumentPlan& plan);
    bool follow(const PlannedBus& bus, std::vector<std::uint64_t>& dimensions);
    bool followList(const PlannedBus& bus, std::vector<std::uint64_t>& dimensions);
    bool followPath(const PlannedBus& bus, std::vector<std::uint64_t>& dimensions);
    bool isTaken(const Call& call);
    bool followConstants(Node& node, ArgumentPlan& plan);

    Tree& tree_;
    Calls calls_;
    std::uint64_t rounds_ = 0;  ///< of generates, so far
    std::uint64_t fieldCount_ = 0;
    TupleTable defaultSets_;  ///< value ids; parallel to Design::defaultSets
    std::unordered_map<const Entity*, std::vector<BusTemplate>>
        ownBuses_;  ///< of processes whose buses do not depend on the instance
    std::unordered_map<const ast::Param*, std::optional<sema::ResolvedBus>> portTypes_;
    std::optional<sema::ResolvedBus> instanceType_;  ///< of the port at hand, where it depends
    std::map<std::pair<std::uint32_t, std::uint32_t>, hir::ShapeId>
        propertied_;                   ///< by shape as seen and shape of the bus
    std::vector<PortShape> followed_;  ///< ports of the instance being followed
    std::vector<std::vector<std::uint64_t>> followedDimensions_;
    std::vector<std::uint64_t> indices_;  ///< of the instance being added
    std::vector<std::uint64_t> tuple_;
    std::vector<std::pair<NodeId, const Entity*>> anonymous_;  ///< of the frame being opened
};

}  // namespace smec::elab
