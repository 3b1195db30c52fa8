#include "elab/builder.h"

#include "elab/scopes.h"

// build: depth first; for each instance Constants, Ports, Open, then the instances inside.
// require: a stage, and before it whatever it turns out to need:
//     (s[0], Ports) is blocked by (s[1], Open), which is blocked by (s[1], Constants): done, back
//     to (s[1], Open), back to (s[0], Ports)

namespace smec::elab {

Builder::Builder(Tree& tree, BusGroups& groups, Connections& connections)
    : tree_(tree),
      connections_(connections),
      calls_(tree),
      ownBuses_(tree, groups),
      rounds_(tree, groups),
      portChecks_(tree),
      constArguments_(tree, calls_, rounds_),
      busArguments_(tree, calls_, rounds_, portChecks_, connections),
      compiler_(tree, rounds_, constArguments_),
      compiledArguments_(tree, portChecks_, ownBuses_),
      instances_(tree, calls_, rounds_, compiler_, compiledArguments_),
      generates_(tree, rounds_, instances_, compiler_) {}

void Builder::build(NodeId top) {
    struct Level {
        NodeId node;
        std::uint32_t next;
    };
    std::vector<Level> levels{{top, 0}};
    while (!levels.empty()) {
        const NodeId id = levels.back().node;
        if (!tree_.nodes[id].visited) {
            tree_.nodes[id].visited = true;
            require(id, Stage::Constants);
            require(id, Stage::Ports);
            require(id, Stage::Open);
        }
        const Frame* frame = tree_.frameOf(id);
        if (!frame || levels.back().next == frame->childCount || tree_.isFull) {
            close(id);
            levels.pop_back();
            continue;
        }
        const NodeId child = frame->firstChild + levels.back().next++;
        const Node& node = tree_.nodes[child];
        const bool isComplete = node.state(Stage::Ports) == Node::Done
                                && node.state(Stage::Constants) == Node::Done
                                && node.state(Stage::Open) == Node::Done && node.frame == kNone;
        if (!isComplete) levels.push_back({child, 0});
    }
}

/// What is not needed once everything inside is connected.
void Builder::close(NodeId node) {
    Frame* frame = tree_.frameOf(node);
    if (!frame) return;
    frame->blocks.clear();
    frame->retired.clear();
    frame->scope.reset();
    frame->iterations = {};
    frame->ports = {};
}

void Builder::require(NodeId node, Stage stage) {
    std::vector<std::pair<NodeId, Stage>> pending{{node, stage}};
    while (!pending.empty()) {
        const auto [id, next] = pending.back();
        const Node::State state = tree_.nodes[id].state(next);
        if (state == Node::Done || state == Node::Failed) {
            pending.pop_back();
            continue;
        }
        tree_.nodes[id].state(next) = Node::Busy;
        Outcome outcome = advance(id, next);
        if (outcome.blocked != kNone) {
            if (tree_.nodes[outcome.blocked].state(outcome.stage) != Node::Busy) {
                pending.emplace_back(outcome.blocked, outcome.stage);
                continue;
            }
            reportCycle(id);
            outcome.failed = true;
        }
        tree_.nodes[id].state(next) = outcome.failed ? Node::Failed : Node::Done;
        pending.pop_back();
    }
}

void Builder::reportCycle(NodeId node) {
    const Node& entry = tree_.nodes[node];
    const SourceRange range = entry.decl ? entry.decl->name.range : entry.entity->range;
    tree_.diagnostics.report(DiagId::StructureCycle, range, tree_.pathOf(node));
}

/// Nothing when the stage is settled and good; else what to answer.
std::optional<Outcome> Builder::needs(NodeId node, Stage stage) const {
    const Node::State state = tree_.nodes[node].state(stage);
    if (state == Node::Done) return std::nullopt;
    if (state == Node::Failed) return kStageFailed;
    return Outcome{false, node, stage};
}

Outcome Builder::advance(NodeId node, Stage stage) {
    const Entity& entity = *tree_.nodes[node].entity;
    switch (stage) {
    case Stage::Constants:
        if (entity.constantsNeedPorts) {
            if (const auto first = needs(node, Stage::Ports)) return *first;
        }
        return constArguments_.evaluate(node);
    case Stage::Ports:
        if (entity.portsDepend()) {
            if (const auto first = needs(node, Stage::Constants)) return *first;
        }
        return busArguments_.connect(node);
    case Stage::Open: break;
    }
    if (const auto first = needs(node, Stage::Constants)) return *first;
    if (entity.structureNeedsPorts) {
        if (const auto first = needs(node, Stage::Ports)) return *first;
    }
    return open(node);
}

Outcome Builder::open(NodeId node) {
    const bool isGood =
        tree_.nodes[node].entity->hasInterior ? openFrame(node) : ownBuses_.openLeaf(node);
    return isGood ? Outcome{} : kStageFailed;
}

bool Builder::openFrame(NodeId id) {
    const Entity& entity = *tree_.nodes[id].entity;
    tree_.nodes[id].frame = static_cast<std::uint32_t>(tree_.frames.size());
    Frame& frame = *tree_.frames.emplace_back(std::make_unique<Frame>());
    frame.node = id;
    frame.scope = makeScope(tree_, id);
    frame.iterations.push_back({});
    if (tree_.nodes[id].state(Stage::Ports) == Node::Done) frame.ports = connections_.viewsOf(id);
    const bool isGood = ownBuses_.declare(id, *frame.scope);
    if (!entity.isProcess()) tree_.context.checkDeclarations(*frame.scope, *entity.decls);
    frame.firstChild = static_cast<NodeId>(tree_.nodes.size());
    generates_.walk({frame, 0}, *entity.decls);
    instances_.nameAnonymous(frame);
    return isGood;
}

}  // namespace smec::elab
