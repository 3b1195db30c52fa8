#include "elab/instances.h"

#include "elab/elements.h"
#include "elab/scopes.h"

namespace smec::elab {

void Instances::add(const Round& round, const ast::InstanceDecl& decl) {
    const Call& call = calls_.of(decl, tree_.moduleOf(round.frame));
    const bool isAnonymous = decl.name.text == "_";
    NamedInstances* list = isAnonymous ? nullptr : &named(round.frame, decl);
    if (!call.entity || isCycle(round.frame, decl, *call.entity)) {
        if (list) list->failed = true;
        return;
    }
    if (isFull(decl)) return;
    CompiledDecl* compiled = rounds_.compiledFor(round, &decl);
    if (compiled && compiled->isDue()) compiler_.compile(round, decl, call, *compiled);
    if (list && !evaluateIndices(round, decl, compiled)) {
        list->failed = true;
        return;
    }
    const std::optional<NodeId> node = addNode(round, decl, *call.entity, list);
    if (node && compiled) compiledArguments_.evaluate(*node, call, *compiled);
}

bool Instances::isFull(const ast::InstanceDecl& decl) {
    if (tree_.nodes.size() <= tree_.options.maxInstances) return false;
    tree_.diagnostics.report(DiagId::TooManyInstances, decl.name.range, tree_.options.maxInstances);
    tree_.isFull = true;
    return true;
}

/// `list`: those of its name, null for an anonymous one. Nothing when there is one already with
/// these indices.
std::optional<NodeId> Instances::addNode(const Round& round, const ast::InstanceDecl& decl,
                                         const Entity& entity, NamedInstances* list) {
    const auto id = static_cast<NodeId>(tree_.nodes.size());
    Node& node = tree_.nodes.emplace_back();
    node.entity = &entity;
    node.decl = &decl;
    node.parent = round.frame.node;
    node.iteration = round.iteration;
    node.firstIndex = static_cast<std::uint32_t>(tree_.design.indices.size());
    if (!list) {
        anonymous_.emplace_back(id, &entity);
    } else {
        node.name = list->string;
        node.indexCount = static_cast<std::uint8_t>(indices_.size());
        tree_.design.indices.insert(tree_.design.indices.end(), indices_.begin(), indices_.end());
        if (!enlist(round.frame, *list, id, decl)) {
            tree_.nodes.pop_back();
            return std::nullopt;
        }
    }
    ++round.frame.childCount;
    auto& [count, last] = round.frame.byEntity[&entity];
    ++count;
    last = id;
    return id;
}

/// An entity around this very place.
bool Instances::isCycle(const Frame& frame, const ast::InstanceDecl& decl, const Entity& entity) {
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

bool Instances::evaluateIndices(const Round& round, const ast::InstanceDecl& decl,
                                const CompiledDecl* compiled) {
    indices_.clear();
    for (std::size_t i = 0; i < decl.indices.size(); ++i) {
        if (compiled && compiled->hasIndices) {
            const auto value = compiled->indices[i].evaluate();
            if (value && *value >= 0) {
                indices_.push_back(static_cast<std::uint64_t>(*value));
                continue;
            }
        }
        const auto value = tree_.context.size({tree_.moduleOf(round.frame), decl.indices[i]},
                                              rounds_.enter(round), "instance index");
        if (!value) return false;
        indices_.push_back(*value);
    }
    return true;
}

NamedInstances& Instances::named(Frame& frame, const ast::InstanceDecl& decl) {
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

bool Instances::enlist(Frame& frame, NamedInstances& list, NodeId node,
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
    reportTwice(frame, list, node, known);
    return false;
}

void Instances::reportTwice(const Frame& frame, const NamedInstances& list, NodeId node,
                            NodeId known) {
    const ast::InstanceDecl* decl = tree_.nodes[node].decl;
    const Block* block = frame.iterations[tree_.nodes[node].iteration].block;
    const bool isRepeated = tree_.nodes[known].decl == decl && block;
    std::string rounds;  // "[y][x]"
    for (; block; block = block->parent)
        if (block->index) rounds = fmt::format("[{}]", block->index->name) + rounds;
    tree_.diagnostics
        .report(DiagId::DuplicateInstance, decl->name.range, tree_.nameOf(node),
                isRepeated ? fmt::format(
                    "; in a generate give it an index of its own, as in '{}{}'", list.name, rounds)
                           : "")
        .note(DiagId::DeclaredHere, tree_.nodes[known].decl->name.range, tree_.nameOf(known));
}

/// The k-th anonymous instance of q is q_k, or the next k that is free.
void Instances::nameAnonymous(Frame& frame) {
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
