#include "rewrite/aliases.h"

#include <algorithm>
#include <map>
#include <numeric>

#include "hir/visit.h"

// A field that is written through two ports (or two elements of one) gets one of them for all of
// its writes. Elements of a port that differ in `hold` or `delay` are parted: those unlike the
// first get a port of their own. A write at an index that varies becomes a choice of constant
// indices:
//   y[i].v = e;   ->   t = e; switch i { case 0 { y[0].v = t; } case 1 { z.v = t; } }

namespace smec::rewrite {

namespace {

/// One field of one element of a port.
struct Slot {
    std::uint32_t port;
    std::uint32_t field;
    std::uint32_t element;
    bool operator==(const Slot&) const = default;
};

std::vector<Slot> writtenSlots(const hir::Specialisation& spec) {
    std::vector<Slot> slots;
    for (std::uint32_t p = 0; p < spec.ports.size(); ++p) {
        const hir::Port& port = spec.ports[p];
        for (std::uint32_t f = 0; f < port.fields.size(); ++f) {
            const hir::PortField& field = port.fields[f];
            if (!field.written) continue;
            for (std::uint32_t i = 0; i < field.writtenElements.count(port.elements); ++i)
                slots.push_back({p, f, field.writtenElements[i]});
        }
    }
    return slots;
}

/// For each written slot the one that takes over its writes; most often itself. Empty: all
/// themselves.
using Pattern = std::vector<std::uint32_t>;

class Patterns {
public:
    Patterns(const hir::Design& design, const hir::Specialisation& spec,
             const std::vector<Slot>& slots)
        : design_(design), spec_(spec), slots_(slots) {
        std::uint32_t binding = 0;
        for (const hir::Port& port : spec.ports) {
            portStart_.push_back(binding);
            binding += port.elements;
        }
    }

    Pattern of(const hir::Instance& instance) {
        byField_.clear();
        for (std::uint32_t i = 0; i < slots_.size(); ++i)
            byField_.emplace_back(fieldOf(instance, slots_[i]), i);
        std::sort(byField_.begin(), byField_.end());
        const auto isSame = [](const auto& a, const auto& b) { return a.first == b.first; };
        if (std::adjacent_find(byField_.begin(), byField_.end(), isSame) == byField_.end())
            return {};
        Pattern pattern(slots_.size());
        std::iota(pattern.begin(), pattern.end(), 0u);
        for (std::size_t i = 1; i < byField_.size(); ++i)
            if (isSame(byField_[i - 1], byField_[i]))
                pattern[byField_[i].second] = pattern[byField_[i - 1].second];
        return pattern;
    }

private:
    std::uint32_t fieldOf(const hir::Instance& instance, const Slot& slot) const {
        const std::uint32_t binding = instance.firstBus + portStart_[slot.port] + slot.element;
        return design_.fieldOf(design_.bindings[binding], spec_.ports[slot.port].shape, slot.field);
    }

    const hir::Design& design_;
    const hir::Specialisation& spec_;
    const std::vector<Slot>& slots_;
    std::vector<std::uint32_t> portStart_;
    std::vector<std::pair<std::uint32_t, std::uint32_t>> byField_;  ///< field of the design, slot
};

class Rewriter {
public:
    Rewriter(hir::Design& design, hir::SpecId spec, const std::vector<Slot>& slots,
             const Pattern& pattern)
        : design_(design), spec_(design.specs[spec.index]), slots_(slots) {
        for (std::uint32_t i = 0; i < slots.size(); ++i)
            targets_.push_back(homeOf(slots[pattern.empty() ? i : pattern[i]]));
        addBindings();
    }

    void run() {
        block(spec_.body.statements);
        for (std::uint32_t i = 0; i < slots_.size(); ++i) {
            if (targets_[i] == slots_[i]) continue;
            claim(targets_[i], slots_[i]);
            release(slots_[i]);
        }
    }

private:
    /// The port for an element with the properties that it has.
    Slot homeOf(Slot slot) {
        const hir::Port& port = spec_.ports[slot.port];
        if (port.elementShapes.empty()) return slot;
        const hir::ShapeId shape = port.elementShapes[slot.element];
        if (shape == port.shape) return slot;
        const auto [known, isNew] = homes_.try_emplace(
            {slot.port, shape.index}, static_cast<std::uint32_t>(spec_.ports.size()));
        if (isNew) addPort(slot.port, shape);
        slot.port = known->second;
        return slot;
    }

    void addPort(std::uint32_t of, hir::ShapeId shape) {
        hir::Port port = spec_.ports[of];
        port.shape = shape;
        port.elementShapes.clear();
        port.fields.assign(port.fields.size(), {});
        const auto isTaken = [&](const std::string& name) {
            return std::any_of(spec_.ports.begin(), spec_.ports.end(),
                               [&](const hir::Port& other) { return other.name == name; });
        };
        for (std::size_t number = 2; isTaken(port.name); ++number)
            port.name = spec_.ports[of].name + "_" + std::to_string(number);
        spec_.ports.push_back(std::move(port));
        copyOf_.push_back(of);
    }

    /// The new ports have the buses of those that they part from.
    void addBindings() {
        if (copyOf_.empty()) return;
        std::vector<std::uint32_t> start{0};
        for (const hir::Port& port : spec_.ports)
            start.push_back(start.back() + port.elements);
        const std::uint32_t old = start[spec_.ports.size() - copyOf_.size()];
        for (const hir::InstanceId id : spec_.instances) {
            hir::Instance& instance = design_.instances[id.index];
            const std::uint32_t from = instance.firstBus;
            instance.firstBus = static_cast<std::uint32_t>(design_.bindings.size());
            copyBindings(from, old);
            for (const std::uint32_t port : copyOf_)
                copyBindings(from + start[port], spec_.ports[port].elements);
        }
    }

    void copyBindings(std::uint32_t from, std::uint32_t count) {
        for (std::uint32_t i = from; i < from + count; ++i)
            design_.bindings.push_back(hir::BusId(design_.bindings[i]));
    }

    void claim(const Slot& slot, const Slot& from) {
        hir::PortField& field = spec_.ports[slot.port].fields[slot.field];
        std::vector<std::uint32_t>& listed = field.writtenElements.listed;
        if (!field.written) {
            field.written = true;
            field.firstWrite = spec_.ports[from.port].fields[from.field].firstWrite;
            listed.push_back(slot.element);
        } else if (!field.writtenElements.contains(slot.element)) {
            listed.insert(std::lower_bound(listed.begin(), listed.end(), slot.element),
                          slot.element);
        }
    }

    void release(const Slot& slot) {
        hir::PortField& field = spec_.ports[slot.port].fields[slot.field];
        std::vector<std::uint32_t>& listed = field.writtenElements.listed;
        if (listed.empty()) {
            listed.resize(spec_.ports[slot.port].elements);
            std::iota(listed.begin(), listed.end(), 0u);
        }
        std::erase(listed, slot.element);
        if (listed.empty()) field.written = false;
    }

    void block(hir::Block& statements) {
        hir::Block result;
        for (hir::Stmt& stmt : statements) {
            hir::forEachBlock(stmt, [&](hir::Block& inner) { block(inner); });
            const hir::Place* place = hir::assignedPlace(stmt);
            const auto* field = place ? std::get_if<hir::FieldRef>(&place->root) : nullptr;
            if (field && moves(*field)) {
                auto& assign = std::get<hir::Assign>(stmt.node);
                if (!isConstant(field->element)) {
                    choose(assign, stmt.range, result);
                    continue;
                }
                follow(std::get<hir::FieldRef>(assign.place.root));
            }
            result.push_back(std::move(stmt));
        }
        statements = std::move(result);
    }

    bool moves(const hir::FieldRef& field) const {
        for (std::uint32_t i = 0; i < slots_.size(); ++i)
            if (slots_[i].port == field.port && slots_[i].field == field.field
                && !(targets_[i] == slots_[i]))
                return true;
        return false;
    }

    bool isConstant(hir::ExprId element) const {
        return !element.valid() || std::holds_alternative<hir::Constant>(spec_.body[element].node);
    }

    void follow(hir::FieldRef& field) {
        std::uint32_t element = 0;
        if (field.element.valid())
            element = std::get<hir::Constant>(spec_.body[field.element].node)
                          .value.integer()
                          .convert_to<std::uint32_t>();
        for (std::uint32_t i = 0; i < slots_.size(); ++i) {
            if (slots_[i].port != field.port || slots_[i].field != field.field
                || slots_[i].element != element)
                continue;
            const Slot& to = targets_[i];
            field = {to.port, to.field, elementOf(to)};
            return;
        }
    }

    hir::ExprId elementOf(const Slot& slot) {
        if (!spec_.ports[slot.port].isArray) return {};
        return emit(hir::TypeTable::kUint, spec_.range,
                    hir::Constant{hir::Value{hir::Integer(slot.element)}});
    }

    /// A choice among the elements of the port. The value comes first, as it does in an assignment.
    void choose(const hir::Assign& assign, SourceRange range, hir::Block& out) {
        const hir::FieldRef field = std::get<hir::FieldRef>(assign.place.root);
        const hir::VarId value = declare("t", assign.place.type, assign.place.range);
        out.push_back({range, hir::InitVar{value, assign.value}});
        hir::Switch choice;
        choice.subject = field.element;
        for (std::uint32_t i = 0; i < slots_.size(); ++i) {
            if (slots_[i].port != field.port || slots_[i].field != field.field) continue;
            hir::Assign one = assign;
            const Slot& to = targets_[i];
            one.place.root = hir::FieldRef{to.port, to.field, elementOf(to)};
            one.value = emit(assign.place.type, range, hir::ReadVar{value});
            hir::SwitchCase& branch = choice.cases.emplace_back();
            branch.labels.emplace_back(hir::Integer(slots_[i].element));
            branch.body.push_back({range, std::move(one)});
        }
        choice.otherwise.emplace();
        checkIndex(assign.place, field, *choice.otherwise);
        out.push_back({range, std::move(choice)});
    }

    /// An index outside fails as it does where the port is written: with its name.
    void checkIndex(const hir::Place& place, const hir::FieldRef& field, hir::Block& out) {
        const hir::Port& port = spec_.ports[field.port];
        const hir::TypeId flag = hir::TypeTable::kBool;
        SourceRange name = place.range;
        name.end = name.begin + static_cast<std::uint32_t>(port.name.size());
        const hir::ExprId table =
            emit(design_.types.array(flag, port.elements), name,
                 hir::Constant{hir::Value{hir::Value::List(port.elements, hir::Value{false})}});
        const hir::ExprId element =
            emit(flag, place.range, hir::ArrayElement{table, field.element});
        out.push_back({place.range, hir::InitVar{declare("t", flag, name), element}});
    }

    hir::VarId declare(const char* name, hir::TypeId type, SourceRange range) {
        const hir::VarId id{static_cast<std::uint32_t>(spec_.body.vars.size())};
        spec_.body.vars.push_back({name, range, hir::VarKind::Block, type});
        return id;
    }

    hir::ExprId emit(hir::TypeId type, SourceRange range, decltype(hir::Expr::node) node) {
        const hir::ExprId id{static_cast<std::uint32_t>(spec_.body.exprs.size())};
        spec_.body.exprs.push_back({type, range, std::move(node)});
        return id;
    }

    hir::Design& design_;
    hir::Specialisation& spec_;
    const std::vector<Slot>& slots_;
    std::vector<Slot> targets_;  ///< parallel to the slots
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t>
        homes_;                          ///< new ports, by port and shape
    std::vector<std::uint32_t> copyOf_;  ///< what each new port parts from
};

/// An element that is written differs in `hold` or `delay` from the port.
bool isParted(const hir::Specialisation& spec, const std::vector<Slot>& slots) {
    return std::any_of(slots.begin(), slots.end(), [&](const Slot& slot) {
        const hir::Port& port = spec.ports[slot.port];
        return !port.elementShapes.empty() && !(port.elementShapes[slot.element] == port.shape);
    });
}

}  // namespace

std::optional<hir::Design> withoutAliases(const hir::Design& design) {
    std::optional<hir::Design> result;
    for (std::uint32_t s = 0; s < design.specs.size(); ++s) {
        const hir::Specialisation& spec = design.specs[s];
        const std::vector<Slot> slots = writtenSlots(spec);
        const bool parts = isParted(spec, slots);
        if (slots.size() < 2 && !parts) continue;
        Patterns patterns(design, spec, slots);
        std::map<Pattern, std::vector<hir::InstanceId>> groups;
        for (const hir::InstanceId id : spec.instances)
            groups[patterns.of(design.instances[id.index])].push_back(id);
        if (groups.size() == 1 && groups.begin()->first.empty() && !parts) continue;
        if (!result) result = design;
        std::uint32_t at = s;  // the first group stays in its place
        for (auto& [pattern, instances] : groups) {
            if (at == UINT32_MAX) {
                at = static_cast<std::uint32_t>(result->specs.size());
                result->specs.push_back(spec);
            }
            for (const hir::InstanceId id : instances)
                result->instances[id.index].spec = {at};
            result->specs[at].instances = std::move(instances);
            if (parts || !pattern.empty()) Rewriter(*result, {at}, slots, pattern).run();
            at = UINT32_MAX;
        }
    }
    return result;
}

}  // namespace smec::rewrite
