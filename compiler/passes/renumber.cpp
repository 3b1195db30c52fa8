#include "passes/renumber.h"

#include <optional>
#include <utility>

#include "ir/runs.h"

// What is listed by instance is listed in the new order; what names instances by the place of the
// first and a stride is taken apart where the new places do not go on evenly:
//   names p[0] … p[5] at 0 … 5, new places 0 2 4 1 3 5   ->   p[0] … p[2] at 0, 2, 4; p[3] … p[5] at 1, 3, 5

namespace smec::passes {

using namespace ir;

namespace {

struct Element {
    PlaneId plane;
    std::uint32_t number;
};

std::vector<Element> elementsOf(const Connection& connection) {
    std::vector<Element> elements;
    for (const Run& run : connection.runs)
        for (std::uint32_t i = 0; i < run.count; ++i)
            elements.push_back(
                {run.plane, static_cast<std::uint32_t>(run.start + std::int64_t(i) * run.stride)});
    return elements;
}

std::uint32_t moved(const Plane& plane, const Order& places, std::uint32_t element) {
    return places[element / plane.perOwner] * plane.perOwner + element % plane.perOwner;
}

Constants inOrder(const Constants& values, const Order& order, std::size_t each) {
    Constants result;
    for (const std::uint32_t instance : order)
        for (std::size_t i = 0; i < each; ++i)
            result.push_back(values[instance * each + i]);
    return result;
}

void reorder(Plane& plane, const Order& order) {
    if (!plane.initial.perInstance) return;
    plane.initial.values =
        inOrder(plane.initial.values, order, static_cast<std::size_t>(plane.ownType().elements()));
}

/// Joins instances whose paths and places go on evenly.
class RunList {
public:
    void add(const InstanceRun& from, std::uint32_t i) {
        const std::uint64_t index = from.index + i, order = from.order + i * from.orderStride;
        if (!runs_.empty() && continues(runs_.back(), from, index, order)) {
            InstanceRun& last = runs_.back();
            last.orderStride = order - last.order - (last.count - 1) * last.orderStride;
            ++last.count;
        } else {
            runs_.push_back({next_, 1, from.prefix, from.suffix, index, order, 0, from.range,
                             from.waits, from.body});
        }
        ++next_;
    }
    std::vector<InstanceRun> take() { return std::move(runs_); }

private:
    static bool continues(const InstanceRun& last, const InstanceRun& from, std::uint64_t index,
                          std::uint64_t order) {
        return from.suffix && last.suffix == from.suffix && index == last.index + last.count
               && (last.count == 1 || order == last.order + last.count * last.orderStride)
               && last.prefix == from.prefix && last.range == from.range && last.body == from.body;
    }

    std::vector<InstanceRun> runs_;
    std::uint32_t next_ = 0;
};

std::vector<InstanceRun> inOrder(const std::vector<InstanceRun>& runs, const Order& order) {
    std::vector<std::pair<const InstanceRun*, std::uint32_t>> instances;
    for (const InstanceRun& run : runs)
        for (std::uint32_t i = 0; i < run.count; ++i)
            instances.emplace_back(&run, i);
    RunList list;
    for (const std::uint32_t instance : order)
        list.add(*instances[instance].first, instances[instance].second);
    return list.take();
}

/// Takes a run of names apart.
class NameSplitter {
public:
    NameSplitter(const Design& design, const std::map<ClassId, Order>& places)
        : design_(design), places_(places) {}

    /// Whether a plane's instances have other numbers.
    bool concerns(const NameRun& run) const { return placesOf(run.plane) != nullptr; }

    void split(const NameRun& run, std::vector<NameRun>& out) const {
        for (std::uint32_t begin = 0; begin < run.count;) {
            NameRun part = partOf(run, begin);
            std::uint32_t end = begin + 1;
            if (end < run.count) setStrides(run, begin, part);
            while (end < run.count && goesOn(run, begin, end, part))
                ++end;
            part.count = end - begin;
            out.push_back(std::move(part));
            begin = end;
        }
    }

private:
    const Order* placesOf(PlaneId id) const {
        const auto it = places_.find(design_.planes[id.index].owner);
        return it == places_.end() ? nullptr : &it->second;
    }

    /// Where value i of a run of names or of a leaf lies.
    template <typename R>
    std::int64_t place(const R& run, std::uint32_t i) const {
        const std::int64_t element = run.start + std::int64_t(i) * run.stride;
        const Order* places = placesOf(run.plane);
        if (places == nullptr) return element;
        return moved(design_.planes[run.plane.index], *places, static_cast<std::uint32_t>(element));
    }

    NameRun partOf(const NameRun& run, std::uint32_t begin) const {
        NameRun part = run;
        part.index = run.index + begin;
        part.start = static_cast<std::uint32_t>(place(run, begin));
        part.stride = 0;
        for (std::size_t leaf = 0; leaf < run.leaves.size(); ++leaf) {
            part.leaves[leaf].start = static_cast<std::uint32_t>(place(run.leaves[leaf], begin));
            part.leaves[leaf].stride = 0;
        }
        return part;
    }

    void setStrides(const NameRun& run, std::uint32_t begin, NameRun& part) const {
        const auto stride = [&](const auto& from) {
            return static_cast<std::int32_t>(place(from, begin + 1) - place(from, begin));
        };
        part.stride = stride(run);
        for (std::size_t leaf = 0; leaf < run.leaves.size(); ++leaf)
            part.leaves[leaf].stride = stride(run.leaves[leaf]);
    }

    bool goesOn(const NameRun& run, std::uint32_t begin, std::uint32_t i,
                const NameRun& part) const {
        const auto fits = [&](const auto& from, const auto& to) {
            return place(from, i) == to.start + std::int64_t(i - begin) * to.stride;
        };
        bool all = fits(run, part);
        for (std::size_t leaf = 0; all && leaf < run.leaves.size(); ++leaf)
            all = fits(run.leaves[leaf], part.leaves[leaf]);
        return all;
    }

    const Design& design_;
    const std::map<ClassId, Order>& places_;
};

}  // namespace

Renumberer::Renumberer(Design& design) : design_(design), readers_(design) {}

void Renumberer::apply(ClassId id, const Order& order) {
    const Order places = inverse(order);
    for (const Readers::Place& reader : readers_.of(id)) {
        Connection& connection =
            design_.classes[reader.cls].inputs[reader.input].elements[reader.element];
        RunBuilder runs;
        for (const Element& element : elementsOf(connection)) {
            const Plane& plane = design_.planes[element.plane.index];
            runs.add(element.plane,
                     plane.owner == id ? moved(plane, places, element.number) : element.number);
        }
        connection.runs = runs.take();
    }
    for (Input& input : design_.classes[id.index].inputs) {
        for (Connection& connection : input.elements) {
            const std::vector<Element> elements = elementsOf(connection);
            RunBuilder runs;
            for (const std::uint32_t instance : order)
                runs.add(elements[instance].plane, elements[instance].number);
            connection.runs = runs.take();
        }
    }
    const auto [known, isNew] = orders_.try_emplace(id, order);
    if (isNew) return;
    Order before = order;
    for (std::uint32_t& instance : before)
        instance = known->second[instance];
    known->second = std::move(before);
}

bool Renumberer::finish() {
    for (const auto& [id, order] : orders_) {
        Class& cls = design_.classes[id.index];
        for (const Output& output : cls.outputs)
            reorder(design_.planes[output.plane.index], order);
        for (const PlaneId plane : cls.state)
            reorder(design_.planes[plane.index], order);
        for (Column& column : cls.columns) {
            std::vector<Constant> values;
            for (const std::uint32_t instance : order)
                values.push_back(std::move(column.values[instance]));
            column.values = std::move(values);
        }
        if (!cls.isDelayLine) cls.runs = inOrder(cls.runs, order);
    }
    if (!orders_.empty()) followNames();
    return !orders_.empty();
}

void Renumberer::followNames() {
    std::map<ClassId, Order> places;
    for (const auto& [id, order] : orders_)
        places.emplace(id, inverse(order));
    const NameSplitter splitter(design_, places);
    for (std::vector<NameRun>* all : {&design_.names, &design_.hiddenNames}) {
        std::vector<NameRun> names;
        names.reserve(all->size());
        for (NameRun& run : *all) {
            if (splitter.concerns(run))
                splitter.split(run, names);
            else
                names.push_back(std::move(run));
        }
        *all = std::move(names);
    }
}

}  // namespace smec::passes
