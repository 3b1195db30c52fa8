#include "elab/specialise.h"
#include "elab/builder.h"

#include <algorithm>

#include "elab/expression_paths.h"
#include "elab/scopes.h"

// Instances of one process with the same port shapes form a family. Within it, equal constants mean
// an equal result (memo); others are compared with what was checked before: first by a hash of the
// values that must be equal, then by Context::matches.

namespace smec::elab {

namespace {

/// A checked process and what is kept for sharing it.
struct Checked {
    sema::CheckedProcess process;
    std::unique_ptr<sema::Scope> scope;  ///< of the instance that was checked
    std::vector<hir::InstanceId> instances;
    std::uint32_t firstInit = kNone;  ///< shared by all instances, unless `initsDiffer`
    bool initsDiffer = false;
};

/// What an instance got.
struct Match {
    std::uint32_t checked = kNone;
    std::uint32_t firstConstant = 0;
    std::uint32_t firstInit = 0;
};

/// Entries whose value sites are the same expressions, by the values of these.
struct Signature {
    std::vector<sema::ExprRef> sites;
    std::unordered_map<std::uint32_t, std::vector<std::uint32_t>> entries;
};

struct Family {
    std::vector<Signature> signatures;
    std::unordered_map<std::uint32_t, std::vector<Match>>
        memo;  ///< by constants; several where references differ in shape
};

class Specialiser {
public:
    explicit Specialiser(Tree& tree) : tree_(tree), leafScopes_(tree) {}
    Specialiser(const Specialiser&) = delete;
    Specialiser& operator=(const Specialiser&) = delete;

    void add(NodeId node, hir::Instance& instance, hir::InstanceId id);
    /// Moves the specialisations into the design.
    void finish();

private:
    static constexpr std::size_t kMemoLimit = 1 << 14;

    Family& familyOf(NodeId node);
    std::optional<Match> find(NodeId node, Family& family);
    std::optional<Match> search(NodeId node, Family& family);
    std::optional<Match> tryEntries(NodeId node, std::vector<std::uint32_t>& entries,
                                    sema::Scope& scope);
    std::optional<std::uint32_t> valuesOf(const Signature& signature, const sema::Scope& scope);
    Match check(NodeId node, Family& family);
    void enter(Family& family, std::uint32_t checked);
    Match record(NodeId node, std::uint32_t checked, const std::vector<hir::Value>& constants,
                 const sema::Scope& scope);
    std::uint32_t storeInits(const std::vector<hir::Value>& values);
    std::vector<sema::PortInput> inputs(NodeId node) const;
    bool resolveReferences(NodeId node, const Checked& checked, const sema::Scope& scope);
    bool bind(NodeId node, const Checked& checked);

    Tree& tree_;
    LeafScopes leafScopes_;
    std::vector<std::unique_ptr<Checked>> checked_;
    TupleTable familyKeys_;
    std::vector<Family> families_;
    TupleTable valueTuples_;
    std::vector<std::uint64_t> key_;
    std::vector<hir::Value> constants_;
    std::vector<hir::BusId> references_;  ///< of the instance at hand
};

Family& Specialiser::familyOf(NodeId id) {
    const Node& node = tree_.nodes[id];
    key_.assign(
        {static_cast<std::uint64_t>(reinterpret_cast<std::uintptr_t>(node.entity)), node.ports});
    for (std::uint32_t i = 0; i < node.entity->buses.size() && node.entity->busesDepend; ++i) {
        const std::uint32_t group = node.firstGroup + i;
        key_.push_back(tree_.groups[group].shape.index);
        key_.push_back(tree_.design.busGroups[group].dimensions.size());
        for (const std::uint64_t dimension : tree_.design.busGroups[group].dimensions)
            key_.push_back(dimension);
    }
    const std::uint32_t family = familyKeys_.intern(key_);
    if (family == families_.size()) families_.emplace_back();
    return families_[family];
}

void Specialiser::add(NodeId id, hir::Instance& instance, hir::InstanceId instanceId) {
    const Node& node = tree_.nodes[id];
    for (const Node::State state : node.states) {
        if (state != Node::Done) return;
    }
    const std::optional<Match> match = find(id, familyOf(id));
    if (!match) return;
    Checked& checked = *checked_[match->checked];
    instance.spec.index = match->checked;
    instance.firstConstant = match->firstConstant;
    instance.firstInit = match->firstInit;
    instance.firstBus = static_cast<std::uint32_t>(tree_.design.bindings.size());
    if (bind(id, checked)) checked.instances.push_back(instanceId);
}

std::optional<Match> Specialiser::find(NodeId id, Family& family) {
    const Node& node = tree_.nodes[id];
    const auto known = family.memo.find(node.constants);
    if (known != family.memo.end()) {
        for (const Match& match : known->second) {
            const Checked& checked = *checked_[match.checked];
            if (checked.process.references.empty()
                || resolveReferences(id, checked, leafScopes_.at(id)))
                return match;
        }
    }
    std::optional<Match> match = search(id, family);
    if (match && family.memo.size() < kMemoLimit) family.memo[node.constants].push_back(*match);
    return match;
}

std::optional<Match> Specialiser::search(NodeId id, Family& family) {
    if (!family.signatures.empty()) {
        sema::Scope& scope = leafScopes_.at(id);
        for (Signature& signature : family.signatures) {
            const auto values = valuesOf(signature, scope);
            if (!values) continue;
            const auto entries = signature.entries.find(*values);
            if (entries == signature.entries.end()) continue;
            if (auto match = tryEntries(id, entries->second, scope)) return match;
        }
    }
    return check(id, family);
}

std::optional<std::uint32_t> Specialiser::valuesOf(const Signature& signature,
                                                   const sema::Scope& scope) {
    std::vector<std::uint64_t> tuple;
    for (const sema::ExprRef site : signature.sites) {
        const auto value = tree_.context.constant(site, scope);
        if (!value) return std::nullopt;
        tuple.push_back(tree_.context.internValue(value->value));
    }
    return valueTuples_.intern(tuple);
}

/// The entry that fitted last comes first.
std::optional<Match> Specialiser::tryEntries(NodeId id, std::vector<std::uint32_t>& entries,
                                             sema::Scope& scope) {
    for (std::size_t i = 0; i < entries.size(); ++i) {
        const Checked& checked = *checked_[entries[i]];
        constants_.clear();
        if (!tree_.context.matches(checked.process, scope, constants_)) continue;
        if (!checked.process.references.empty() && !resolveReferences(id, checked, scope)) continue;
        std::rotate(entries.begin(), entries.begin() + static_cast<std::ptrdiff_t>(i),
                    entries.begin() + static_cast<std::ptrdiff_t>(i) + 1);
        return record(id, entries.front(), constants_, scope);
    }
    return std::nullopt;
}

Match Specialiser::check(NodeId id, Family& family) {
    const Entity& entity = *tree_.nodes[id].entity;
    auto checked = std::make_unique<Checked>();
    checked->scope = makeScope(tree_, id);
    addBuses(tree_, id, *checked->scope);
    addInstances(tree_, id, *checked->scope);
    BodyPaths paths(tree_, id);
    const std::size_t before = tree_.diagnostics.all().size();
    checked->process = tree_.context.checkProcess(*entity.process, entity.module, *checked->scope,
                                                  inputs(id), paths);
    const bool isTyped = std::ranges::all_of(
        entity.ports, [](const PortParam& port) { return port.ast->type.has_value(); });
    if (!isTyped || !entity.constants.empty()) {
        tree_.diagnostics.noteErrorsSince(before, DiagId::InInstance,
                                          tree_.nodes[id].decl->name.range, tree_.pathOf(id),
                                          entity.name);
    }
    checked->initsDiffer = std::ranges::find(checked->process.initialDepends, true)
                           != checked->process.initialDepends.end();
    const auto index = static_cast<std::uint32_t>(checked_.size());
    checked_.push_back(std::move(checked));
    Checked& entry = *checked_.back();
    enter(family, index);
    std::vector<hir::Value> constants(entry.process.spec.constants.size());
    for (const sema::ConstantSite& site : entry.process.sites) {
        if (site.constant < constants.size()) constants[site.constant] = site.representative;
    }
    if (!entry.process.references.empty()) resolveReferences(id, entry, *entry.scope);
    return record(id, index, constants, *entry.scope);
}

/// Lists a new entry under the values that another instance must share with it.
void Specialiser::enter(Family& family, std::uint32_t index) {
    std::vector<sema::ExprRef> sites;
    std::vector<std::uint64_t> tuple;
    for (const sema::ConstantSite& site : checked_[index]->process.sites) {
        if (site.use != sema::SiteUse::Value) continue;
        sites.push_back(site.expr);
        tuple.push_back(tree_.context.internValue(site.representative));
    }
    const auto equal = [](sema::ExprRef a, sema::ExprRef b) {
        return a.module.index == b.module.index && a.expr == b.expr;
    };
    auto signature = std::ranges::find_if(family.signatures, [&](const Signature& known) {
        return std::ranges::equal(known.sites, sites, equal);
    });
    if (signature == family.signatures.end()) {
        family.signatures.push_back({std::move(sites), {}});
        signature = family.signatures.end() - 1;
    }
    std::vector<std::uint32_t>& entries = signature->entries[valueTuples_.intern(tuple)];
    entries.insert(entries.begin(), index);
}

Match Specialiser::record(NodeId id, std::uint32_t index, const std::vector<hir::Value>& constants,
                          const sema::Scope& scope) {
    Checked& checked = *checked_[index];
    Match match{index, static_cast<std::uint32_t>(tree_.design.constants.size()), 0};
    for (const hir::Value& value : constants)
        tree_.design.constants.push_back(tree_.context.internValue(value));
    if (checked.initsDiffer) {
        match.firstInit = storeInits(
            tree_.context.initialValues(*tree_.nodes[id].entity->process, checked.process, scope));
    } else {
        if (checked.firstInit == kNone) checked.firstInit = storeInits(checked.process.initials);
        match.firstInit = checked.firstInit;
    }
    return match;
}

std::uint32_t Specialiser::storeInits(const std::vector<hir::Value>& values) {
    const auto first = static_cast<std::uint32_t>(tree_.design.initials.size());
    for (const hir::Value& value : values)
        tree_.design.initials.push_back(tree_.context.internValue(value));
    return first;
}

std::vector<sema::PortInput> Specialiser::inputs(NodeId id) const {
    const Node& node = tree_.nodes[id];
    std::vector<sema::PortInput> result;
    const std::vector<PortShape> ports = tree_.portsOf(node);
    for (std::size_t i = 0; i < ports.size(); ++i) {
        const ast::Identifier& name = node.entity->ports[i].ast->name;
        result.push_back({name.text,
                          name.range,
                          hir::PortOrigin::Parameter,
                          node.entity->ports[i].isOut,
                          ports[i].isArray,
                          {ports[i].dimensions.begin(), ports[i].dimensions.end()},
                          ports[i].shape});
        for (const std::uint64_t shape : ports[i].elementShapes)
            result.back().elementShapes.push_back({static_cast<std::uint32_t>(shape)});
    }
    for (std::uint32_t i = 0; i < node.entity->buses.size(); ++i) {
        const hir::BusGroup& group = tree_.design.busGroups[node.firstGroup + i];
        result.push_back({group.name, group.range, hir::PortOrigin::Own, true,
                          !group.dimensions.empty(), group.dimensions,
                          tree_.groups[node.firstGroup + i].shape});
    }
    return result;
}

/// Fills references_ for this instance; false when one has another shape than in the instance that
/// was checked.
bool Specialiser::resolveReferences(NodeId id, const Checked& checked, const sema::Scope& scope) {
    references_.clear();
    BodyPaths paths(tree_, id);
    const std::vector<hir::Port>& ports = checked.process.spec.ports;
    std::size_t port = 0;
    for (const sema::ExprRef reference : checked.process.references) {
        while (port < ports.size() && ports[port].origin != hir::PortOrigin::Reference)
            ++port;
        if (port == ports.size()) return false;
        const auto resolved = paths.resolveBus(reference, scope, false);
        if (!resolved || resolved->shape != ports[port].shape
            || resolved->dimensions != ports[port].dimensions)
            return false;
        references_.insert(references_.end(), resolved->buses.begin(), resolved->buses.end());
        ++port;
    }
    return true;
}

/// The buses behind the ports of the specialisation: arguments, own buses, references.
bool Specialiser::bind(NodeId id, const Checked& checked) {
    const Node& node = tree_.nodes[id];
    std::vector<hir::BusId>& bindings = tree_.design.bindings;
    const std::size_t before = bindings.size();
    std::uint64_t arguments = 0;
    for (const PortShape& port : tree_.portsOf(node))
        arguments += port.count();
    const auto first = tree_.arguments.begin() + node.firstArgument;
    bindings.insert(bindings.end(), first, first + static_cast<std::ptrdiff_t>(arguments));
    for (std::uint32_t i = 0; i < node.entity->buses.size(); ++i) {
        const hir::BusGroup& group = tree_.design.busGroups[node.firstGroup + i];
        for (std::uint32_t element = 0; element < group.count; ++element)
            bindings.push_back({group.first.index + element});
    }
    if (!checked.process.references.empty())
        bindings.insert(bindings.end(), references_.begin(), references_.end());
    std::size_t expected = 0;
    for (const hir::Port& port : checked.process.spec.ports)
        expected += port.elements;
    if (bindings.size() - before == expected) return true;
    bindings.resize(before);  // only after an error in the body
    return false;
}

void Specialiser::finish() {
    for (std::unique_ptr<Checked>& checked : checked_) {
        checked->process.spec.instances = std::move(checked->instances);
        tree_.design.specs.push_back(std::move(checked->process.spec));
    }
}

/// Depth first, a parent before what is inside it.
std::vector<NodeId> depthFirst(const Tree& tree, NodeId top) {
    std::vector<NodeId> order;
    order.reserve(tree.nodes.size());
    std::vector<std::pair<NodeId, NodeId>> ranges{{top, top + 1}};
    while (!ranges.empty()) {
        if (ranges.back().first == ranges.back().second) {
            ranges.pop_back();
            continue;
        }
        const NodeId node = ranges.back().first++;
        order.push_back(node);
        if (tree.nodes[node].frame == kNone) continue;
        const Frame& frame = *tree.frames[tree.nodes[node].frame];
        if (frame.childCount != 0)
            ranges.emplace_back(frame.firstChild, frame.firstChild + frame.childCount);
    }
    return order;
}

/// What a network's declaration calls it and the buses it is connected to.
hir::Network describe(const Tree& tree, const Node& node, hir::InstanceId id) {
    const Entity& entity = *node.entity;
    hir::Network network{id, std::string(entity.name), entity.range, {}};
    if (node.ports == kNone) return network;
    const std::vector<PortShape> shapes = tree.portsOf(node);
    auto next = tree.arguments.begin() + node.firstArgument;
    for (std::size_t i = 0; i < shapes.size() && i < entity.ports.size(); ++i) {
        const auto last = next + static_cast<std::ptrdiff_t>(shapes[i].count());
        network.ports.push_back(
            {std::string(entity.ports[i].ast->name.text), shapes[i].isArray, {next, last}});
        next = last;
    }
    return network;
}

}  // namespace

std::vector<NodeId> fillInstances(Tree& tree, NodeId top) {
    std::vector<NodeId> order = depthFirst(tree, top);
    std::vector<hir::InstanceId> numbers(tree.nodes.size());
    for (std::uint32_t i = 0; i < order.size(); ++i)
        numbers[order[i]].index = i;
    for (hir::Bus& bus : tree.design.buses)
        bus.owner = numbers[bus.owner.index];
    Specialiser specialiser(tree);
    tree.design.instances.resize(order.size());
    for (std::uint32_t i = 0; i < order.size(); ++i) {
        const Node& node = tree.nodes[order[i]];
        hir::Instance& instance = tree.design.instances[i];
        if (node.parent != kNone) instance.parent = numbers[node.parent];
        instance.kind =
            node.entity->isProcess() ? hir::InstanceKind::Process : hir::InstanceKind::Network;
        instance.name = node.name;
        instance.firstIndex = node.firstIndex;
        instance.indexCount = node.indexCount;
        if (node.entity->isProcess())
            specialiser.add(order[i], instance, {i});
        else if (tree.options.networks)
            tree.design.networks.push_back(describe(tree, node, {i}));
    }
    specialiser.finish();
    tree.design.topName = std::string(tree.nodes[top].entity->name);
    tree.design.top = {0};
    return order;
}

}  // namespace smec::elab
