#include "elab/builder.h"

// build: depth first; for each instance Constants, Ports, Open, then the instances inside.
// require: a stage, and before it whatever it turns out to need:
//     (s[0], Ports) is blocked by (s[1], Open), which is blocked by (s[1], Constants): done, back
//     to (s[1], Open), back to (s[0], Ports)

namespace smec::elab {

NodeId Builder::addTop(const Entity& entity) {
    Node node;
    node.entity = &entity;
    node.name = tree_.context.internString(entity.name);
    tree_.nodes.push_back(node);
    return static_cast<NodeId>(tree_.nodes.size() - 1);
}

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
std::optional<Builder::Outcome> Builder::needs(NodeId node, Stage stage) const {
    const Node::State state = tree_.nodes[node].state(stage);
    if (state == Node::Done) return std::nullopt;
    if (state == Node::Failed) return kFailed;
    return Outcome{false, node, stage};
}

Builder::Outcome Builder::advance(NodeId node, Stage stage) {
    const Entity& entity = *tree_.nodes[node].entity;
    switch (stage) {
    case Stage::Constants:
        if (entity.constantsNeedPorts) {
            if (const auto first = needs(node, Stage::Ports)) return *first;
        }
        return constants(node);
    case Stage::Ports:
        if (portsDepend(entity)) {
            if (const auto first = needs(node, Stage::Constants)) return *first;
        }
        return ports(node);
    case Stage::Open: break;
    }
    if (const auto first = needs(node, Stage::Constants)) return *first;
    if (entity.structureNeedsPorts) {
        if (const auto first = needs(node, Stage::Ports)) return *first;
    }
    return open(node);
}

}  // namespace smec::elab
