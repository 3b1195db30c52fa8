#include "lower/aliases.h"

#include <algorithm>
#include <map>
#include <numeric>

#include "hir/visit.h"

namespace smec::lower {

namespace {

/// An element of a port.
struct Slot {
    std::uint32_t port;
    std::uint32_t element;
};

std::vector<Slot> slotsOf(const hir::Specialisation& spec) {
    std::vector<Slot> slots;
    for (std::uint32_t port = 0; port < spec.ports.size(); ++port)
        for (std::uint32_t element = 0; element < spec.ports[port].elements; ++element)
            slots.push_back({port, element});
    return slots;
}

bool isWritten(const hir::Port& port, std::uint32_t element) {
    const auto& elements = port.writtenElements;
    const bool isElement =
        elements.empty() || std::find(elements.begin(), elements.end(), element) != elements.end();
    return isElement
           && std::any_of(port.fields.begin(), port.fields.end(),
                          [](const hir::PortField& field) { return field.written; });
}

/// Its elements are named by constants wherever they are written.
bool isRewritable(const hir::Port& port) { return !port.isArray || !port.writtenElements.empty(); }

bool shareField(const hir::Port& a, const hir::Port& b) {
    for (std::size_t f = 0; f < std::min(a.fields.size(), b.fields.size()); ++f)
        if (a.fields[f].written && b.fields[f].written) return true;
    return false;
}

/// For each slot the one that takes over its writes; most often itself.
using Pattern = std::vector<std::uint32_t>;

class Patterns {
public:
    Patterns(const hir::Design& design, const hir::Specialisation& spec)
        : design_(design), spec_(spec), slots_(slotsOf(spec)) {
        for (std::uint32_t i = 0; i < slots_.size(); ++i)
            if (isWritten(spec.ports[slots_[i].port], slots_[i].element)) written_.push_back(i);
    }

    /// Empty: no field is written through two ports.
    Pattern of(const hir::Instance& instance) const {
        std::map<std::uint32_t, std::vector<std::uint32_t>> byBus;
        for (const std::uint32_t slot : written_)
            byBus[design_.bindings[instance.firstBus + slot].index].push_back(slot);
        Pattern pattern(slots_.size());
        std::iota(pattern.begin(), pattern.end(), 0u);
        bool isPlain = true;
        for (const auto& [bus, slots] : byBus) {
            // what is written by varying indices cannot go elsewhere element by element
            const auto fixed = std::find_if(slots.begin(), slots.end(), [&](std::uint32_t slot) {
                return !isRewritable(portOf(slot));
            });
            const std::uint32_t target = fixed == slots.end() ? slots.front() : *fixed;
            for (const std::uint32_t slot : slots) {
                if (slot == target || !shareField(portOf(slot), portOf(target))) continue;
                pattern[slot] = target;
                isPlain = false;
            }
        }
        if (isPlain) return {};
        keepHalfMoved(pattern);
        return pattern;
    }

    bool canHaveAny() const { return written_.size() > 1; }

private:
    const hir::Port& portOf(std::uint32_t slot) const { return spec_.ports[slots_[slot].port]; }

    /// An array port with varying indices moves as a whole or not at all.
    void keepHalfMoved(Pattern& pattern) const {
        for (std::uint32_t first = 0; first < slots_.size(); first += portOf(first).elements) {
            const hir::Port& port = portOf(first);
            if (isRewritable(port)) continue;
            bool isWhole = true;
            for (std::uint32_t i = first; i < first + port.elements; ++i) {
                const Slot to = slots_[pattern[i]];
                isWhole = isWhole && to.element == slots_[i].element
                          && to.port == slots_[pattern[first]].port;
            }
            for (std::uint32_t i = first; i < first + port.elements && !isWhole; ++i)
                pattern[i] = i;
        }
    }

    const hir::Design& design_;
    const hir::Specialisation& spec_;
    std::vector<Slot> slots_;
    std::vector<std::uint32_t> written_;
};

class Rewriter {
public:
    Rewriter(hir::Specialisation& spec, const Pattern& pattern)
        : spec_(spec), pattern_(pattern), slots_(slotsOf(spec)) {}

    void run() {
        block(spec_.body.statements);
        std::vector<hir::Port> ports = spec_.ports;
        for (std::uint32_t i = 0; i < slots_.size(); ++i)
            if (pattern_[i] != i) move(ports, slots_[i], slots_[pattern_[i]]);
        spec_.ports = std::move(ports);
    }

private:
    void move(std::vector<hir::Port>& ports, Slot from, Slot to) const {
        hir::Port& target = ports[to.port];
        for (std::size_t f = 0; f < target.fields.size(); ++f)
            target.fields[f].written |= spec_.ports[from.port].fields[f].written;
        hir::Port& source = ports[from.port];
        std::erase(source.writtenElements, from.element);
        if (!source.writtenElements.empty()) return;
        for (hir::PortField& field : source.fields)
            field.written = false;
    }

    void block(hir::Block& statements) {
        for (hir::Stmt& stmt : statements) {
            if (auto* assign = std::get_if<hir::Assign>(&stmt.node)) {
                if (auto* field = std::get_if<hir::FieldRef>(&assign->place.root)) follow(*field);
            }
            hir::forEachBlock(stmt, [&](hir::Block& inner) { block(inner); });
        }
    }

    void follow(hir::FieldRef& field) {
        std::uint32_t element = 0;
        const auto* constant = field.element.valid()
                                   ? std::get_if<hir::Constant>(&spec_.body[field.element].node)
                                   : nullptr;
        if (constant) element = constant->value.integer().convert_to<std::uint32_t>();
        const bool varies = field.element.valid() && !constant;
        for (std::uint32_t i = 0; i < slots_.size(); ++i) {
            if (slots_[i].port != field.port || slots_[i].element != element) continue;
            const Slot to = slots_[pattern_[i]];
            field.port = to.port;
            if (!varies) field.element = elementOf(to);
            return;
        }
    }

    hir::ExprId elementOf(Slot slot) {
        if (!spec_.ports[slot.port].isArray) return {};
        const hir::Integer number(slot.element);
        const hir::ExprId id{static_cast<std::uint32_t>(spec_.body.exprs.size())};
        spec_.body.exprs.push_back(
            {hir::TypeTable::kUint, spec_.range, hir::Constant{hir::Value{number}}});
        return id;
    }

    hir::Specialisation& spec_;
    const Pattern& pattern_;
    std::vector<Slot> slots_;
};

}  // namespace

std::optional<hir::Design> withoutAliases(const hir::Design& design) {
    std::optional<hir::Design> result;
    for (std::uint32_t s = 0; s < design.specs.size(); ++s) {
        const hir::Specialisation& spec = design.specs[s];
        const Patterns patterns(design, spec);
        if (!patterns.canHaveAny()) continue;
        std::map<Pattern, std::vector<hir::InstanceId>> groups;
        for (const hir::InstanceId id : spec.instances)
            groups[patterns.of(design.instances[id.index])].push_back(id);
        if (groups.size() == 1 && groups.begin()->first.empty()) continue;
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
            if (!pattern.empty()) Rewriter(result->specs[at], pattern).run();
            at = UINT32_MAX;
        }
    }
    return result;
}

}  // namespace smec::lower
