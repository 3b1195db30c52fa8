#pragma once

#include <limits>
#include <memory>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "elab/elaborate.h"
#include "elab/entity.h"
#include "elab/integer_expr.h"
#include "elab/tuple_table.h"

/// The instance tree while it grows. Per instance there is one Node; what instances have in common
/// (port shapes, values of const parameters) is interned. Only what holds instances itself has a
/// Frame with names and scopes.
namespace smec::elab {

using NodeId = std::uint32_t;
constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();

/// A shape among the elements of an array, and what has it in the source.
struct SeenShape {
    hir::ShapeId shape;
    SourceRange range;
    std::string text;
};

/// A bus or an array of buses: consecutive, or listed where they are not.
struct View {
    hir::ShapeId shape;  ///< how the buses are seen: they may have more fields, in another order
    std::vector<SeenShape> mixed;           ///< all that the elements have, where they have several
    std::vector<std::uint64_t> dimensions;  ///< empty: a single bus
    hir::BusId first;
    std::vector<hir::BusId> list;  ///< empty: consecutive from `first`
    bool readOnly = false;         ///< an `in` port of a network: instances may not drive it

    std::uint64_t count() const {
        std::uint64_t product = 1;
        for (const std::uint64_t dimension : dimensions)
            product *= dimension;
        return product;
    }
    hir::BusId at(std::uint64_t element) const {
        if (!list.empty()) return list[element];
        return {first.index + static_cast<std::uint32_t>(element)};
    }
};

/// Each stage of an instance is done once, when first needed, so that instances may refer to one
/// another in any order.
enum class Stage : std::uint8_t {
    Constants,  ///< its const parameters have values
    Ports,      ///< its bus parameters are connected
    Open        ///< its buses exist and its instances are listed
};

/// What a stage came to: done, failed, or first a stage of another instance.
struct Outcome {
    bool failed = false;
    NodeId blocked = kNone;
    Stage stage = Stage::Open;
};
inline constexpr Outcome kStageFailed{true, kNone, Stage::Open};

struct Node {
    enum State : std::uint8_t { None, Busy, Done, Failed };

    const Entity* entity = nullptr;
    const ast::InstanceDecl* decl = nullptr;  ///< null for the top
    NodeId parent = kNone;
    std::uint32_t name = 0;        ///< Design::strings
    std::uint32_t firstIndex = 0;  ///< Design::indices
    std::uint32_t iteration = 0;  ///< where its declaration stands: Frame::iterations of the parent
    std::uint32_t firstArgument = 0;  ///< Tree::arguments: a bus per port, arrays flattened
    std::uint32_t ports = kNone;      ///< Tree::portTuples
    std::uint32_t constants = kNone;  ///< Tree::constantTuples
    std::uint32_t firstGroup = 0;     ///< Design::busGroups of Entity::buses
    std::uint32_t frame = kNone;      ///< Tree::frames
    std::uint8_t indexCount = 0;
    State states[3] = {None, None, None};
    bool visited = false;

    State& state(Stage stage) { return states[static_cast<std::size_t>(stage)]; }
    State state(Stage stage) const { return states[static_cast<std::size_t>(stage)]; }
};

/// What a port of an instance is connected to, up to the buses themselves.
struct PortShape {
    hir::ShapeId shape;
    bool isArray = false;
    std::span<const std::uint64_t> dimensions;
    std::span<const std::uint64_t> elementShapes;  ///< as in hir::Port
    std::uint64_t count() const {
        std::uint64_t product = 1;
        for (const std::uint64_t dimension : dimensions)
            product *= dimension;
        return product;
    }
};

/// The instances of one name in a network: s, or s[0], s[1], … from one generate or several.
struct NamedInstances {
    std::string_view name;
    std::uint32_t string = 0;  ///< Design::strings
    std::uint8_t indexCount = 0;
    bool failed = false;      ///< an error was reported, so that some may be missing
    bool isAscending = true;  ///< `nodes` are sorted by index
    std::vector<NodeId> nodes;
    std::vector<NodeId> slots;  ///< where not ascending: open addressing by index, kNone where free
    SourceRange range;          ///< of the first declaration
};

/// A declared bus, resolved: what its group needs.
struct BusTemplate {
    hir::ShapeId shape;
    std::uint32_t defaults = 0;  ///< Design::defaultSets
    std::vector<std::uint64_t> dimensions;
};

/// A bus argument: a declared bus, a port of the network, elements of these, a list, or a choice.
struct CompiledBus {
    enum class Kind : std::uint8_t {
        General,  ///< is not compiled: goes the general way where it is chosen
        Bus,
        View,
        List,
        Choice
    } kind = Kind::General;
    const sema::Symbol* bus = nullptr;      ///< Bus
    const View* view = nullptr;             ///< View
    std::vector<std::uint64_t> dimensions;  ///< Bus, View
    std::vector<IntegerExpr> indices;       ///< Bus, View; Choice: its conditions
    std::vector<CompiledBus> parts;         ///< List; Choice: one for each condition, one for none
};

/// An instance declaration or a generate in the body of another generate, compiled for what is
/// evaluated in every round.
struct CompiledDecl {
    struct Constant {
        std::optional<IntegerExpr> expr;  ///< empty: `fixed`
        std::uint64_t fixed = 0;          ///< as in Tree::constantTuples
        std::int64_t low = 0;             ///< of the parameter's type
        std::int64_t high = 0;
        hir::TypeId type;  ///< kError: untyped, so kUint or kInt by sign
    };
    std::uint32_t seen = 0;   ///< rounds: the first goes the general way, few have no second
    bool hasIndices = false;  ///< `indices` are usable
    bool hasPorts = false;
    bool hasConstants = false;
    std::vector<IntegerExpr> indices;
    std::vector<CompiledBus> ports;
    std::vector<Constant> constants;
    std::vector<std::uint64_t> portTuple;  ///< of the instance before, with its number
    std::uint32_t portsId = kNone;
    std::vector<std::uint64_t> constantTuple;
    std::uint32_t constantsId = kNone;
    std::optional<IntegerExpr> condition;  ///< of a generate-if
    std::optional<IntegerExpr> from, to;   ///< of a generate

    bool isDue() const { return seen == 2; }
};

/// A generate body with names of its own: one scope serves all rounds in turn.
struct Block {
    const ast::GenerateFor* loop = nullptr;  ///< null: a branch of a generate-if
    const std::vector<ast::Decl>* decls = nullptr;
    Block* parent = nullptr;
    std::unique_ptr<sema::Scope> scope;
    sema::Symbol* index = nullptr;
    std::int64_t value = 0;
    std::uint32_t current = kNone;  ///< the iteration to which the scope is set
    bool isReusable = true;
    std::vector<const ast::BusDecl*> buses;
    std::vector<sema::Symbol*> busSymbols;
    std::vector<std::optional<BusTemplate>>
        fixedBuses;  ///< of buses that are the same in every round
    std::vector<sema::Symbol*> constants;
    std::unordered_map<const void*, CompiledDecl> compiled;
};

struct Iteration {
    std::uint32_t parent = kNone;
    Block* block = nullptr;  ///< null: the frame itself
    std::int64_t value = 0;
    std::uint32_t firstGroup = kNone;  ///< of Block::buses; kNone: not declared yet
};

/// The inside of a network, or of a process that holds instances.
struct Frame {
    NodeId node = kNone;
    std::unique_ptr<sema::Scope> scope;  ///< dropped when everything inside is connected
    std::vector<View> ports;
    std::vector<Iteration> iterations;
    std::unordered_map<const void*, std::unique_ptr<Block>> blocks;
    std::vector<std::unique_ptr<sema::Scope>> retired;
    NodeId firstChild = 0;
    std::uint32_t childCount = 0;
    std::vector<NamedInstances> names;
    std::unordered_map<std::string_view, std::uint32_t> nameIndex;
    /// How many instances of an entity there are, and one of them: for `p.bus` with an entity name.
    std::unordered_map<const Entity*, std::pair<std::uint32_t, NodeId>> byEntity;
};

/// A round of the generates inside of an instance, in which a declaration is looked at.
struct Round {
    Frame& frame;
    std::uint32_t iteration;
};

/// What elab knows about a declared bus beyond hir::BusGroup; parallel to Design::busGroups.
struct GroupInfo {
    const ast::BusDecl* decl = nullptr;  ///< null for a port of the top
    sema::ModuleId module;
    hir::ShapeId shape;
    bool isDelayed = false;
};

/// The growing tree and what belongs to all of it.
struct Tree {
    Tree(sema::Context& contextOf, const SourceManager& sourcesOf, const Options& optionsOf)
        : context(contextOf),
          design(contextOf.design()),
          diagnostics(contextOf.diagnostics()),
          sources(sourcesOf),
          options(optionsOf),
          entities(contextOf.program()) {}

    sema::Context& context;
    hir::Design& design;
    Diagnostics& diagnostics;
    const SourceManager& sources;
    const Options& options;
    EntityTable entities;

    std::vector<Node> nodes;
    std::vector<std::unique_ptr<Frame>> frames;
    std::vector<hir::BusId> arguments;
    TupleTable portTuples;  ///< per port: shape, 2 * number of dimensions + isArray, the dimensions
    TupleTable constantTuples;  ///< per const parameter: value << 32 | type
    std::vector<GroupInfo> groups;
    bool isFull = false;  ///< the limit of instances or buses was reached: give up

    const ast::Module& module(sema::ModuleId id) const {
        return context.program().modules[id.index].ast;
    }
    sema::ModuleId moduleOf(const Frame& frame) const { return nodes[frame.node].entity->module; }
    const ast::Expr& expr(sema::ExprRef ref) const { return context.expr(ref); }
    Frame* frameOf(NodeId node) {
        return nodes[node].frame == kNone ? nullptr : frames[nodes[node].frame].get();
    }

    std::vector<PortShape> portsOf(const Node& node) const;
    /// What portsOf reads from an entry of portTuples.
    static void appendPort(std::vector<std::uint64_t>& tuple, const PortShape& port);
    sema::TypedValue constantOf(const Node& node, std::size_t index) const;
    /// A number for a value and its type, as in constantTuples.
    std::uint64_t packed(const hir::Value& value, hir::TypeId type);
    std::uint64_t packed(std::int64_t value, hir::TypeId type);
    /// "outer.s[3]", for messages; the top's own name for the top.
    std::string pathOf(NodeId node) const;
    std::string nameOf(NodeId node) const;

private:
    std::unordered_map<std::int64_t, std::uint32_t> smallValues_;
};

/// "s[3][4]"
std::string withIndices(std::string_view name, std::span<const std::uint64_t> indices);
/// "; did you mean 'x'?", or nothing.
std::string suggestion(std::string_view name, const std::vector<std::string>& candidates);
/// Whether a near name is worth the search: beyond a hundred errors it is not.
inline bool mayAdvise(const Tree& tree) { return tree.diagnostics.errorCount() < 100; }
/// The same among the names visible in a scope.
std::string suggestion(const Tree& tree, std::string_view name, const sema::Scope& scope);
/// "1 argument", "3 arguments"
std::string counted(std::uint64_t count, std::string_view noun);

}  // namespace smec::elab
