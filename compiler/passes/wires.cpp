// A torus of tiles of 2 × 2 cells, tile by tile, and what each cell reads in the east:
//
//   0 1 | 4 5      1 4 3 6 5 0 7 2     along that wire, one row after the other:   0 1 4 5 | 2 3 6 7
//   2 3 | 6 7
//
// In the second order the east is at the next place, but for the ends of rows, and so it is with
// all that is as far away for each cell.

#include "passes/wires.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <optional>
#include <set>
#include <tuple>
#include <unordered_map>

#include "ir/border.h"
#include "ir/runs.h"
#include "ir/target.h"
#include "passes/target.h"

namespace smec::passes {

using namespace ir;

namespace {

bool isDriven(const Source& source) {
    return source.kind == Source::Kind::Inside || source.kind == Source::Kind::Outside;
}

/// Where a source lies when the instances stand at `places`.
std::int64_t placeOf(const Source& source, const Order& places) {
    return source.kind == Source::Kind::Inside ? places[source.element] : source.element;
}

bool isSamePlane(const Source& a, const Source& b) {
    return a.kind == b.kind && a.plane == b.plane;
}

/// Rows along one wire: from an instance to the one it reads, until there is none or it has its
/// place already. The next row begins where the first one of the last row, or of one before, reads
/// by another wire.
class Chains {
public:
    Chains(const std::vector<Wire>& wires, std::size_t along, const Order& first)
        : wires_(wires), along_(along), first_(first), isPlaced_(first.size()) {}

    Order run() {
        order_.reserve(first_.size());
        for (const std::uint32_t instance : first_) {
            std::vector<std::uint32_t> starts;
            if (!isPlaced_[instance]) addRow(instance, starts);
            while (!starts.empty()) {
                const std::optional<std::uint32_t> next = besides(starts.back());
                if (next)
                    addRow(*next, starts);
                else
                    starts.pop_back();
            }
        }
        return std::move(order_);
    }

private:
    std::optional<std::uint32_t> free(const Source& source) const {
        if (source.kind != Source::Kind::Inside || isPlaced_[source.element]) return std::nullopt;
        return source.element;
    }

    std::optional<std::uint32_t> besides(std::uint32_t instance) const {
        for (std::size_t i = 0; i < wires_.size(); ++i) {
            if (i == along_) continue;
            if (const auto next = free(wires_[i][instance])) return next;
        }
        return std::nullopt;
    }

    void addRow(std::uint32_t instance, std::vector<std::uint32_t>& starts) {
        starts.push_back(instance);
        for (std::optional<std::uint32_t> next = instance; next;
             next = free(wires_[along_][*next])) {
            isPlaced_[*next] = true;
            order_.push_back(*next);
        }
    }

    const std::vector<Wire>& wires_;
    const std::size_t along_;
    const Order& first_;
    std::vector<bool> isPlaced_;
    Order order_;
};

bool isInside(const Wire& wire) {
    return std::any_of(wire.begin(), wire.end(),
                       [](const Source& source) { return source.kind == Source::Kind::Inside; });
}

Order bySource(const Wire& wire, Order order) {
    const auto before = [&](std::uint32_t a, std::uint32_t b) {
        const auto key = [](const Source& s) { return std::tuple(s.kind, s.plane, s.element); };
        return key(wire[a]) < key(wire[b]);
    };
    std::stable_sort(order.begin(), order.end(), before);
    return order;
}

/// Lists the wires of classes that are numbered together.
class Lister {
public:
    Lister(const Design& design, const std::vector<Member>& members)
        : design_(design), members_(members) {
        std::uint32_t first = 0;
        for (const Member& member : members) {
            const Class& cls = classOf(member);
            for (std::uint32_t slot = 0; slot < cls.outputs.size(); ++slot)
                inside_[cls.outputs[slot].plane] = {member.outputs[slot], first};
            first += cls.instances;
        }
    }

    std::vector<Wire> run() const {
        std::vector<Wire> wires;
        for (std::size_t input = 0; input < members_.front().inputs.size(); ++input) {
            for (std::size_t element = 0; element < elementsOf(input); ++element)
                wires.push_back(wireOf(input, element));
        }
        return wires;
    }

private:
    struct Inside {
        std::uint64_t output;
        std::uint32_t first;  ///< instance of the class that drives it
    };

    const Class& classOf(const Member& member) const { return design_.classes[member.cls.index]; }

    std::size_t elementsOf(std::size_t input) const {
        for (const Member& member : members_) {
            if (member.inputs[input] != Member::kNone)
                return classOf(member).inputs[member.inputs[input]].elements.size();
        }
        return 0;
    }

    Wire wireOf(std::size_t input, std::size_t element) const {
        Wire wire;
        for (const Member& member : members_) {
            const Class& cls = classOf(member);
            if (member.inputs[input] == Member::kNone) {
                wire.resize(wire.size() + cls.instances);
                continue;
            }
            for (const Run& run : cls.inputs[member.inputs[input]].elements[element].runs)
                for (std::uint32_t i = 0; i < run.count; ++i)
                    wire.push_back(sourceOf(run, i));
        }
        return wire;
    }

    /// The elements of an array port are as different as fields.
    Source sourceOf(const Run& run, std::uint32_t i) const {
        const Plane& plane = design_.planes[run.plane.index];
        const auto element = static_cast<std::uint32_t>(run.start + std::int64_t(i) * run.stride);
        if (plane.kind == PlaneKind::Undriven)
            return {Source::Kind::Undriven, run.plane.index, element};
        const auto inside = inside_.find(run.plane);
        if (inside == inside_.end()) return {Source::Kind::Outside, run.plane.index, element};
        return {Source::Kind::Inside, (inside->second.output << 32) + element % plane.perOwner,
                inside->second.first + element / plane.perOwner};
    }

    const Design& design_;
    const std::vector<Member>& members_;
    std::map<PlaneId, Inside> inside_;
};

}  // namespace

Order inverse(const Order& order) {
    Order result(order.size());
    for (std::uint32_t i = 0; i < order.size(); ++i)
        result[order[i]] = i;
    return result;
}

std::int64_t usualStride(const Wire& wire, const Order& order, const Order& places) {
    std::unordered_map<std::int64_t, std::size_t> counts;
    for (std::size_t i = 1; i < order.size(); ++i) {
        const Source &last = wire[order[i - 1]], &next = wire[order[i]];
        if (isDriven(next) && isSamePlane(last, next))
            ++counts[placeOf(next, places) - placeOf(last, places)];
    }
    if (counts.empty()) return 1;
    const auto isFewer = [](const auto& a, const auto& b) {
        return a.second != b.second ? a.second < b.second : a.first > b.first;
    };
    return std::max_element(counts.begin(), counts.end(), isFewer)->first;
}

std::size_t breaks(const Wire& wire, const Order& order, const Order& places) {
    const std::int64_t stride = usualStride(wire, order, places);
    std::size_t count = 0, edges = 0;
    std::optional<std::size_t> last;  ///< place of the last one that is driven
    for (std::size_t i = 0; i < order.size(); ++i) {
        const Source& source = wire[order[i]];
        if (source.kind == Source::Kind::Free) continue;
        if (i > 0 && source.kind != wire[order[i - 1]].kind
            && (source.kind == Source::Kind::Undriven
                || wire[order[i - 1]].kind == Source::Kind::Undriven))
            ++edges;
        if (!isDriven(source)) continue;
        if (last) {
            const Source& before = wire[order[*last]];
            const std::int64_t step = placeOf(source, places) - placeOf(before, places);
            count += !isSamePlane(source, before)
                     || step != stride * static_cast<std::int64_t>(i - *last);
        }
        last = i;
    }
    return count == 0 ? 0 : count + edges;  // else flags tell the edge (ir/border.h)
}

std::size_t breaks(const std::vector<Wire>& wires, const Order& order) {
    const Order places = inverse(order);
    std::size_t sum = 0;
    for (const Wire& wire : wires)
        sum += breaks(wire, order, places);
    return sum;
}

Order bestOrder(const std::vector<Wire>& wires, Order first) {
    Order best = first;
    std::size_t fewest = breaks(wires, best);
    const auto consider = [&](Order order) {
        const std::size_t count = breaks(wires, order);
        if (count >= fewest) return;
        fewest = count;
        best = std::move(order);
    };
    const std::size_t most =
        std::max<std::size_t>(target::kOrderSteps / (1 + first.size() * (1 + wires.size())), 1);
    for (std::size_t i = 0; i < std::min(wires.size(), most); ++i)
        consider(isInside(wires[i]) ? Chains(wires, i, first).run() : bySource(wires[i], first));
    return best;
}

Member memberOf(const Design& design, ClassId id) {
    const Class& cls = design.classes[id.index];
    Member member{id, std::vector<std::uint32_t>(cls.inputs.size()),
                  std::vector<std::uint32_t>(cls.outputs.size())};
    std::iota(member.inputs.begin(), member.inputs.end(), 0);
    std::iota(member.outputs.begin(), member.outputs.end(), 0);
    return member;
}

std::vector<Wire> wiresOf(const Design& design, const std::vector<Member>& members) {
    return Lister(design, members).run();
}

Order sourceOrder(const Design& design, const std::vector<Member>& members) {
    std::vector<std::uint64_t> keys;
    std::size_t end = 0;
    for (const Member& member : members) {
        const Class& cls = design.classes[member.cls.index];
        for (const InstanceRun& run : cls.runs)
            for (std::uint32_t i = 0; i < run.count; ++i)
                keys.push_back(run.order + i * run.orderStride);
        keys.resize(end += cls.instances, UINT64_MAX);  // delay lines have no names
    }
    Order order(keys.size());
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(),
                     [&](std::uint32_t a, std::uint32_t b) { return keys[a] < keys[b]; });
    return order;
}

bool isScattered(const Design& design, const Class& cls, const Input& input,
                 const Connection& connection) {
    const std::size_t runs = connection.runs.size();
    return runs > ir::target::kFewRuns && cls.instances / runs < ir::target::kShortRun
           && !borderOf(design, input, connection);
}

bool isScattered(const Design& design, const Class& cls) {
    return std::any_of(cls.inputs.begin(), cls.inputs.end(), [&](const Input& input) {
        return std::any_of(input.elements.begin(), input.elements.end(),
                           [&](const Connection& connection) {
                               return isScattered(design, cls, input, connection);
                           });
    });
}

Readers::Readers(const Design& design) : readers_(design.classes.size()) {
    for (std::uint32_t cls = 0; cls < design.classes.size(); ++cls) {
        const std::vector<Input>& inputs = design.classes[cls].inputs;
        for (std::uint32_t input = 0; input < inputs.size(); ++input)
            for (std::uint32_t element = 0; element < inputs[input].elements.size(); ++element)
                add(design, {cls, input, element});
    }
}

void Readers::add(const Design& design, const Place& place) {
    const Input& input = design.classes[place.cls].inputs[place.input];
    for (const Run& run : input.elements[place.element].runs) {
        const ClassId owner = design.planes[run.plane.index].owner;
        if (!owner.valid()) continue;
        std::vector<Place>& readers = readers_[owner.index];
        if (readers.empty() || readers.back() != place) readers.push_back(place);
    }
}

namespace {

/// Where what the members drive lies once they are one class, in the plane of the first of them.
class Joined {
public:
    Joined(const Design& design, const std::vector<Member>& members) : design_(design) {
        std::map<std::uint32_t, PlaneId> common;
        std::uint32_t first = 0;
        for (const Member& member : members) {
            const Class& cls = design.classes[member.cls.index];
            for (std::uint32_t slot = 0; slot < cls.outputs.size(); ++slot) {
                const PlaneId plane = cls.outputs[slot].plane;
                const PlaneId to = common.try_emplace(member.outputs[slot], plane).first->second;
                planes_[plane] = {to, first};
            }
            first += cls.instances;
        }
    }

    std::size_t runsOf(const Connection& connection, const Order& places) const {
        RunBuilder runs;
        for (const Run& run : connection.runs) {
            const std::uint32_t each = design_.planes[run.plane.index].perOwner;
            const auto moved = planes_.find(run.plane);
            for (std::uint32_t i = 0; i < run.count; ++i) {
                const auto at =
                    static_cast<std::uint32_t>(run.start + std::int64_t(i) * run.stride);
                if (moved == planes_.end())
                    runs.add(run.plane, at);
                else
                    runs.add(moved->second.plane,
                             places[moved->second.first + at / each] * each + at % each);
            }
        }
        return runs.take().size();
    }

private:
    struct Moved {
        PlaneId plane;
        std::uint32_t first;
    };

    const Design& design_;
    std::map<PlaneId, Moved> planes_;
};

}  // namespace

std::size_t runsOfReaders(const Design& design, const std::vector<Member>& members,
                          const Readers& readers, const Order& places) {
    const Joined joined(design, members);
    std::set<std::uint32_t> inside;
    for (const Member& member : members)
        inside.insert(member.cls.index);
    std::set<Readers::Place> seen;
    std::size_t sum = 0;
    for (const Member& member : members) {
        for (const Readers::Place& reader : readers.of(member.cls)) {
            if (inside.contains(reader.cls) || !seen.insert(reader).second) continue;
            const Input& input = design.classes[reader.cls].inputs[reader.input];
            const Connection& connection = input.elements[reader.element];
            sum += places.empty() ? connection.runs.size() : joined.runsOf(connection, places);
        }
    }
    return sum;
}

}  // namespace smec::passes
