#include "lower/names.h"

#include <algorithm>
#include <map>
#include <tuple>

#include <fmt/format.h>

#include "hir/waits.h"
#include "lower/paths.h"
#include "source/internal_error.h"

namespace smec::lower {

namespace {

// ---------------------------------------------------------------- instances

/// The instances of one class: a run while the path counts up and the places in the output order
/// keep their distance.
class InstanceNamer {
public:
    InstanceNamer(const Paths& paths, const ClassShape& shape, ir::Class& cls)
        : paths_(paths), runs_(cls.runs), range_(cls.range) {
        if (!shape.spec->body.canWait) return;
        waits_ = ir::WaitPlaces{shape.waitState, {}};
        for (const hir::Stmt* wait : hir::waitsOf(shape.spec->body))
            waits_->statements.push_back(wait->range);
    }

    void add(hir::InstanceId id) {
        indices_.clear();
        paths_.indices(id, indices_);
        if (!continues(id)) {
            finish();
            run_.start(indices_);
            first_ = id;
            stride_ = 0;
        }
        last_ = id;
    }

    void finish() {
        if (run_.count() == 0) return;
        Paths::Split path = paths_.split(first_, run_.position());
        runs_.push_back({number_, run_.count(), std::move(path.prefix), std::move(path.suffix),
                         path.index, first_.index, stride_, range_, waits_});
        number_ += run_.count();
    }

private:
    bool continues(hir::InstanceId id) {
        if (run_.count() == 0 || paths_.signature(id) != paths_.signature(first_)) return false;
        const std::uint32_t step = id.index - last_.index;
        if (run_.count() > 1 && step != stride_) return false;
        if (!run_.extend(indices_)) return false;
        stride_ = step;
        return true;
    }

    const Paths& paths_;
    std::vector<ir::InstanceRun>& runs_;
    SourceRange range_;
    std::optional<ir::WaitPlaces> waits_;
    IndexRun run_;
    std::vector<std::uint64_t> indices_;
    hir::InstanceId first_, last_;
    std::uint32_t stride_ = 0;
    std::uint32_t number_ = 0;
};

// ---------------------------------------------------------------- fields

/// A name run with its place in source order.
struct OrderedName {
    std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>
        order;  ///< owner, what (group, or variables after all groups), field or variable
    ir::NameRun run;
};

/// Whether a name needs more than its plane: it holds structs.
bool holdsStructs(const Layout& layout) {
    return std::any_of(layout.begin(), layout.end(),
                       [](const Leaf& leaf) { return !leaf.path.empty(); });
}

class FieldNamer {
public:
    FieldNamer(Context& context, const Wiring& wiring, const Paths& paths,
               std::vector<OrderedName>& out)
        : context_(context), design_(context.hir), wiring_(wiring), paths_(paths), out_(out) {}

    void run() {
        for (std::uint32_t g = 0; g < design_.busGroups.size(); ++g)
            addGroup(g);
        for (Series& series : series_) {
            for (auto& [key, open] : series.open)
                finish(open);
        }
    }

private:
    /// The run that one field is in, of those that have the same driver.
    struct Open {
        IndexRun indices;
        hir::BusId first;
        std::string name;
        hir::TypeId type;
        std::uint32_t planes = kNone;  ///< into Wiring::planeSets
        std::uint32_t start = 0, last = 0;
        std::int64_t stride = 0;
        bool exposed = false;
        std::uint32_t group = 0, field = 0;
        SourceRange range{};  ///< of the group
    };
    /// Buses whose names differ in nothing but index values. What drives them may alternate
    /// (w[0][0], w[0][1], w[1][0], …), and each driver has runs of its own.
    struct Series {
        std::map<std::pair<std::uint32_t, std::uint32_t>, Open> open;  ///< by field and planes
    };

    Series& seriesOf(const hir::BusGroup& group) {
        const hir::Bus& bus = design_.buses[group.first.index];
        std::string key = group.name;
        for (std::uint64_t part : {std::uint64_t{paths_.signature(bus.owner)}, group.scope.size(),
                                   group.dimensions.size(), std::uint64_t{bus.shape.index},
                                   std::uint64_t{group.exposed}}) {
            key += '/' + std::to_string(part);
        }
        auto [it, added] = keys_.try_emplace(std::move(key), series_.size());
        if (added) series_.emplace_back();
        return series_[it->second];
    }

    void addGroup(std::uint32_t number) {
        const hir::BusGroup& group = design_.busGroups[number];
        if (group.count == 0) return;
        Series& series = seriesOf(group);
        const auto& fields = design_.shapes[design_.buses[group.first.index].shape.index].fields;
        for (std::uint32_t e = 0; e < group.count; ++e) {
            const hir::BusId bus{group.first.index + e};
            indices_.clear();
            paths_.indices(bus, indices_);
            for (std::uint32_t f = 0; f < fields.size(); ++f)
                addField(series, bus, number, f, fields[f]);
        }
    }

    void addField(Series& series, hir::BusId bus, std::uint32_t group, std::uint32_t number,
                  const hir::FieldShape& field) {
        const FieldPlace& place = wiring_.fields[design_.buses[bus.index].firstField + number];
        Open& open = series.open[{number, place.planes}];
        if (continues(open, place.element)) return;
        finish(open);
        open.indices.start(indices_);
        open.first = bus;
        open.name = field.name;
        open.type = field.type;
        open.planes = place.planes;
        open.start = open.last = place.element;
        open.stride = 0;
        open.exposed = design_.busGroups[group].exposed;
        open.group = group;
        open.field = number;
        open.range = design_.busGroups[group].range;
    }

    bool continues(Open& open, std::uint32_t element) {
        if (open.indices.count() == 0) return false;
        const std::int64_t step = static_cast<std::int64_t>(element) - open.last;
        if (step < INT32_MIN || step > INT32_MAX) return false;
        if (open.indices.count() > 1 && step != open.stride) return false;
        if (open.indices.count() == 1 && (step < 0 || step > 1))
            return false;  // wiring that turns around: {n-1} {0, 1, 2}
        if (!open.indices.extend(indices_)) return false;
        open.stride = step;
        open.last = element;
        return true;
    }

    void finish(Open& open) {
        if (open.indices.count() == 0) return;
        Paths::Split path = paths_.split(open.first, open.indices.position());
        (path.suffix ? *path.suffix : path.prefix) += "." + open.name;
        const std::uint32_t owner = design_.buses[open.first.index].owner.index;
        const std::vector<ir::PlaneId>& planes = wiring_.planeSets[open.planes];
        const auto stride = static_cast<std::int32_t>(open.stride);
        ir::NameRun run{std::move(path.prefix),
                        std::move(path.suffix),
                        path.index,
                        open.indices.count(),
                        planes.front(),
                        open.start,
                        stride,
                        open.exposed,
                        false};
        run.range = open.range;
        if (holdsStructs(context_.layouts.of(open.type))) {
            run.shape = context_.shape(open.type);
            for (const ir::PlaneId plane : planes)
                run.leaves.push_back({plane, open.start, stride, {}});
        }
        nameDelayed(run, planes);
        out_.push_back({{owner, open.group, open.field}, std::move(run)});
    }

    /// What a delay line keeps, leaf by leaf: what its driver wrote last, and what is further on its way.
    void nameDelayed(const ir::NameRun& field, const std::vector<ir::PlaneId>& planes) {
        for (std::size_t leaf = 0; leaf < planes.size(); ++leaf) {
            const ir::ClassId owner = context_.out.planes[planes[leaf].index].owner;
            if (!owner.valid() || !context_.out.classes[owner.index].isDelayLine) return;
            const ir::Class& line = context_.out.classes[owner.index];
            addHidden(field, "last", leaf, line.inputs[leaf].elements[0].runs[0].plane);
            if (!line.state.empty()) addHidden(field, "ring", leaf, line.state[leaf]);
        }
    }

    void addHidden(const ir::NameRun& field, const char* what, std::size_t leaf,
                   ir::PlaneId plane) {
        ir::NameRun run{field.prefix, field.suffix, field.index, field.count, plane,
                        field.start,  field.stride, false,       false};
        (run.suffix ? *run.suffix : run.prefix) += fmt::format("#{}.{}", what, leaf);
        context_.out.hiddenNames.push_back(std::move(run));
    }

    Context& context_;
    const hir::Design& design_;
    const Wiring& wiring_;
    const Paths& paths_;
    std::vector<OrderedName>& out_;
    std::unordered_map<std::string, std::size_t> keys_;
    std::vector<Series> series_;
    std::vector<std::uint64_t> indices_;
};

void nameVariables(Context& context, const std::vector<ClassShape>& shapes,
                   std::vector<OrderedName>& out) {
    for (const ClassShape& shape : shapes) {
        const ir::Class& cls = context.out.classes[shape.id.index];
        std::uint32_t slot = 0, number = 0;
        for (const hir::Variable& variable : shape.spec->body.vars) {
            if (variable.kind != hir::VarKind::Process) continue;
            const Layout& layout = context.layouts.of(variable.type);
            if (variable.isHandle) {
                slot += static_cast<std::uint32_t>(layout.size());
                continue;
            }
            for (const ir::InstanceRun& run : cls.runs) {
                const std::int32_t stride = run.suffix ? 1 : 0;
                ir::NameRun named{run.prefix, run.suffix, run.index, run.count, cls.state[slot],
                                  run.first,  stride,     false,     true};
                named.range = variable.range;
                (named.suffix ? *named.suffix : named.prefix) += "." + variable.name;
                if (holdsStructs(layout)) {
                    named.shape = context.shape(variable.type);
                    for (std::uint32_t i = 0; i < layout.size(); ++i)
                        named.leaves.push_back({cls.state[slot + i], run.first, stride, {}});
                }
                out.push_back({{static_cast<std::uint32_t>(run.order), UINT32_MAX, number},
                               std::move(named)});
            }
            slot += static_cast<std::uint32_t>(layout.size());
            ++number;
        }
    }
}

/// What the hidden planes of a class are called behind the path of an instance, in their order: those
/// of storage.cpp.
std::vector<std::string> hiddenNamesOf(Context& context, const ClassShape& shape) {
    const ir::Class& cls = context.out.classes[shape.id.index];
    const WaitPlan& waits = shape.waits;
    std::vector<std::string> names;
    if (shape.usesRandom) names.emplace_back("random");
    for (std::size_t i = 0; i < cls.covers.size(); ++i)
        names.push_back(fmt::format("cover.{}", i));
    if (!shape.spec->body.canWait) return names;
    names.emplace_back("wait");
    if (waits.counts) names.emplace_back("left");
    for (const hir::For* loop : waits.loops)
        names.push_back(fmt::format("end.{}", loop->var.index));
    for (const hir::VarId var : waits.kept)
        for (std::size_t leaf = 0;
             leaf < context.layouts.of(shape.spec->body.vars[var.index].type).size(); ++leaf)
            names.push_back(fmt::format("var.{}.{}", var.index, leaf));
    return names;
}

void nameHidden(Context& context, const std::vector<ClassShape>& shapes) {
    for (const ClassShape& shape : shapes) {
        const ir::Class& cls = context.out.classes[shape.id.index];
        const std::vector<std::string> names = hiddenNamesOf(context, shape);
        require(shape.firstHidden + names.size() == cls.state.size(), "hidden planes without names",
                cls.range);
        for (const ir::InstanceRun& run : cls.runs) {
            for (std::size_t i = 0; i < names.size(); ++i) {
                ir::NameRun named{run.prefix,
                                  run.suffix,
                                  run.index,
                                  run.count,
                                  cls.state[shape.firstHidden + i],
                                  run.first,
                                  run.suffix ? 1 : 0,
                                  false,
                                  false};
                (named.suffix ? *named.suffix : named.prefix) += "#" + names[i];
                context.out.hiddenNames.push_back(std::move(named));
            }
        }
    }
}

}  // namespace

void nameInstances(Context& context, const std::vector<ClassShape>& shapes) {
    const Paths paths(context.hir);
    for (const ClassShape& shape : shapes) {
        InstanceNamer namer(paths, shape, context.out.classes[shape.id.index]);
        for (hir::InstanceId id : shape.spec->instances)
            namer.add(id);
        namer.finish();
    }
}

void nameFields(Context& context, const std::vector<ClassShape>& shapes, const Wiring& wiring) {
    const Paths paths(context.hir);
    std::vector<OrderedName> names;
    FieldNamer(context, wiring, paths, names).run();
    nameVariables(context, shapes, names);
    std::stable_sort(names.begin(), names.end(),
                     [](const OrderedName& a, const OrderedName& b) { return a.order < b.order; });
    context.out.names.reserve(names.size());
    for (OrderedName& name : names)
        context.out.names.push_back(std::move(name.run));
    nameHidden(context, shapes);
}

}  // namespace smec::lower
