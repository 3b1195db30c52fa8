#include "elab/builder.h"

// One instance declaration, in one round of the generates around it: find the entity, evaluate the
// indices, list it under its name.

namespace smec::elab {

void Builder::addInstance(Frame& frame, const ast::InstanceDecl& decl, std::uint32_t iteration) {
    const Call& call = calls_.of(decl, moduleOf(frame));
    const bool isAnonymous = decl.name.text == "_";
    NamedInstances* list = isAnonymous ? nullptr : &named(frame, decl);
    if (!call.entity || isCycle(frame, decl, *call.entity)) {
        if (list) list->failed = true;
        return;
    }
    if (tree_.nodes.size() > tree_.options.maxInstances) {
        tree_.diagnostics.report(DiagId::TooManyInstances, decl.name.range,
                                 tree_.options.maxInstances);
        tree_.isFull = true;
        return;
    }
    ArgumentPlan* plan = planOf(frame, &decl, iteration);
    if (plan && plan->seen == 2) makePlan(frame, decl, call, iteration, *plan);
    if (!isAnonymous && !evaluateIndices(frame, decl, iteration, plan)) {
        list->failed = true;
        return;
    }
    const auto id = static_cast<NodeId>(tree_.nodes.size());
    Node& node = tree_.nodes.emplace_back();
    node.entity = call.entity;
    node.decl = &decl;
    node.parent = frame.node;
    node.iteration = iteration;
    node.firstIndex = static_cast<std::uint32_t>(tree_.design.indices.size());
    if (isAnonymous) {
        anonymous_.emplace_back(id, call.entity);
    } else {
        node.name = list->string;
        node.indexCount = static_cast<std::uint8_t>(indices_.size());
        tree_.design.indices.insert(tree_.design.indices.end(), indices_.begin(), indices_.end());
        if (!enlist(frame, *list, id, decl)) {
            tree_.nodes.pop_back();
            return;
        }
    }
    ++frame.childCount;
    auto& [count, last] = frame.byEntity[call.entity];
    ++count;
    last = id;
    if (plan) followPlan(id, call, *plan);
}

/// An entity around this very place.
bool Builder::isCycle(const Frame& frame, const ast::InstanceDecl& decl, const Entity& entity) {
    if (!entity.hasInterior) return false;
    NodeId same = frame.node;
    while (same != kNone && tree_.nodes[same].entity != &entity)
        same = tree_.nodes[same].parent;
    if (same == kNone) return false;
    std::string chain(entity.name);
    for (NodeId outer = frame.node; outer != same; outer = tree_.nodes[outer].parent)
        chain += fmt::format(" in {}", tree_.nodes[outer].entity->name);
    tree_.diagnostics
        .report(DiagId::InstantiationCycle, decl.name.range, entity.name,
                fmt::format("{} in {}", chain, entity.name))
        .note(DiagId::DeclaredHere, entity.range, entity.name);
    return true;
}

bool Builder::evaluateIndices(Frame& frame, const ast::InstanceDecl& decl, std::uint32_t iteration,
                              const ArgumentPlan* plan) {
    indices_.clear();
    for (std::size_t i = 0; i < decl.indices.size(); ++i) {
        if (plan && plan->hasIndices) {
            const auto value = plan->indices[i].evaluate();
            if (value && *value >= 0) {
                indices_.push_back(static_cast<std::uint64_t>(*value));
                continue;
            }
        }
        const auto value = tree_.context.size({moduleOf(frame), decl.indices[i]},
                                              enter(frame, iteration), "instance index");
        if (!value) return false;
        indices_.push_back(*value);
    }
    return true;
}

NamedInstances& Builder::named(Frame& frame, const ast::InstanceDecl& decl) {
    const auto [at, isNew] =
        frame.nameIndex.try_emplace(decl.name.text, static_cast<std::uint32_t>(frame.names.size()));
    if (!isNew) return frame.names[at->second];
    NamedInstances& entry = frame.names.emplace_back();
    entry.name = decl.name.text;
    entry.string = tree_.context.internString(decl.name.text);
    entry.indexCount = static_cast<std::uint8_t>(std::min<std::size_t>(decl.indices.size(), 255));
    entry.range = decl.name.range;
    addSymbol(tree_, *frame.scope, decl.name, sema::InstanceSymbol{at->second});
    return entry;
}

bool Builder::enlist(Frame& frame, NamedInstances& list, NodeId node,
                     const ast::InstanceDecl& decl) {
    if (decl.indices.size() != list.indexCount) {
        tree_.diagnostics
            .report(DiagId::InstanceIndexCount, decl.name.range, list.name,
                    counted(decl.indices.size(), "index"), counted(list.indexCount, "index"))
            .note(DiagId::DeclaredHere, list.range, list.name);
        return false;
    }
    const NodeId known = addElement(tree_, list, node);
    if (known == kNone) return true;
    const Block* block = frame.iterations[tree_.nodes[node].iteration].block;
    const bool isRepeated = tree_.nodes[known].decl == &decl && block;
    std::string rounds;  // "[y][x]"
    for (; block; block = block->parent)
        if (block->index) rounds = fmt::format("[{}]", block->index->name) + rounds;
    tree_.diagnostics
        .report(DiagId::DuplicateInstance, decl.name.range, tree_.nameOf(node),
                isRepeated ? fmt::format(
                    "; in a generate give it an index of its own, as in '{}{}'", list.name, rounds)
                           : "")
        .note(DiagId::DeclaredHere, tree_.nodes[known].decl->name.range, tree_.nameOf(known));
    return false;
}

/// The k-th anonymous instance of q is q_k, or the next k that is free.
void Builder::nameAnonymous(Frame& frame) {
    std::unordered_map<std::string_view, std::uint32_t> next;
    for (const auto& [node, entity] : anonymous_) {
        std::uint32_t& k = next[entity->name];
        std::string name = fmt::format("{}_{}", entity->name, k++);
        while (frame.nameIndex.contains(name) || frame.scope->findHere(name))
            name = fmt::format("{}_{}", entity->name, k++);
        tree_.nodes[node].name = tree_.context.internString(name);
    }
    anonymous_.clear();
}

}  // namespace smec::elab
