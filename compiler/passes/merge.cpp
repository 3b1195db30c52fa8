#include <algorithm>
#include <map>

#include "ir/reader_graph.h"
#include "passes/key.h"
#include "passes/passes.h"
#include "source/overloaded.h"

// A class's key is what it is: body, types and flags, without names, places and values of storage
// (ir/canonical.h), and where it can fail. Classes with equal keys become one: the planes, columns, connections and runs of
// the later one go after those of the first. Combinational ones only on the same level, since their
// instances would depend on one another.
//   a: 3 instances, b: 2 instances, equal   ->   a: 5 instances; plane b.v[1] is now a.v[4]

namespace smec::passes {

using namespace ir;

bool canMerge(const Design& design, const Class& cls) {
    if (!cls.body.traces.empty()) return false;
    const Overloaded isShared{
        [&](const Call& n) { return !design.functions[n.function.index].owner.valid(); },
        [](const Stop&) { return false; },
        [](const AnyOf<Set, CopyArray, FillArray, Check, If, For, Loop, CountRound, Switch, Break,
                       Continue, Return, Trace> auto&) { return true; },
    };
    bool sound = true;
    forEachStmt(cls.body.statements,
                [&](const Stmt& stmt) { sound = sound && smec::visit(isShared, stmt.node); });
    return sound;
}

namespace {

// ---------------------------------------------------------------- merging

class Merger {
public:
    Merger(Design& design, const rules::Asker& ledger, rules::Rule rule)
        : design_(design),
          ledger_(ledger),
          rule_(rule),
          planes_(design.planes.size()),
          classes_(design.classes.size()),
          into_(design.classes.size(), UINT32_MAX) {
        for (std::uint32_t i = 0; i < planes_.size(); ++i)
            planes_[i] = {PlaneId{i}, 0};
    }

    bool run() {
        const std::vector<std::uint32_t> levels = ReaderGraph(design_).levels();
        std::map<Key, std::uint32_t> first;
        std::vector<bool> gone(design_.classes.size());
        std::vector<std::uint32_t> own;
        for (std::uint32_t i = 0; i < design_.classes.size(); ++i) {
            const Class& cls = design_.classes[i];
            if (!canMerge(design_, cls) || levels[i] == kEndless) {
                if (rule_ == rules::Rule::MergedClasses && ledger_.isHeard()) own.push_back(i);
                continue;
            }
            Key key = keyOf(design_, cls, levels[i], {.names = false, .instances = false});
            addPlaces(cls, key);
            const auto [it, added] = first.try_emplace(std::move(key), i);
            if (added) continue;
            Class& target = design_.classes[it->second];
            if (UINT32_MAX - target.instances < cls.instances
                || !ledger_.ask(rule_, rules::Subject::ofClass(it->second)))
                continue;
            merge(target, design_.classes[i]);
            into_[i] = it->second;
            gone[i] = merged_ = true;
        }
        noteOwn(own, levels, first);
        if (merged_) renumber(gone);
        return merged_;
    }

private:
    struct Moved {
        PlaneId plane;
        std::uint32_t offset = 0;
    };

    /// Classes that would have shared their code, but for one thing.
    void noteOwn(const std::vector<std::uint32_t>& own, const std::vector<std::uint32_t>& levels,
                 std::map<Key, std::uint32_t>& known) const {
        using enum rules::Condition;
        for (const std::uint32_t i : own) {
            const Class& cls = design_.classes[i];
            const bool isInCircle = levels[i] == kEndless;
            Key key = keyOf(design_, cls, levels[i], {.names = false, .instances = false});
            addPlaces(cls, key);
            if (!known.try_emplace(std::move(key), i).second)
                ledger_.ask(rule_, rules::Subject::ofClass(i),
                            {{NoCircle, !isInCircle}, {NoTextOfItsOwn, isInCircle}});
        }
    }

    void merge(Class& target, Class& from) {
        const std::uint32_t offset = target.instances;
        for (std::size_t i = 0; i < target.outputs.size(); ++i)
            mergePlane(target.outputs[i].plane, from.outputs[i].plane);
        for (std::size_t i = 0; i < target.state.size(); ++i)
            mergePlane(target.state[i], from.state[i]);
        for (std::size_t i = 0; i < target.columns.size(); ++i) {
            Column& column = target.columns[i];
            Column& other = from.columns[i];
            column.range = {std::min(column.range.low, other.range.low),
                            std::max(column.range.high, other.range.high)};
            std::move(other.values.begin(), other.values.end(), std::back_inserter(column.values));
        }
        for (std::size_t i = 0; i < target.inputs.size(); ++i) {
            for (std::size_t e = 0; e < target.inputs[i].elements.size(); ++e) {
                for (Run run : from.inputs[i].elements[e].runs) {
                    run.first += offset;
                    target.inputs[i].elements[e].runs.push_back(run);
                }
            }
        }
        for (InstanceRun& run : from.runs) {
            run.first += offset;
            target.runs.push_back(std::move(run));
        }
        target.instances += from.instances;
    }

    static void spread(InitialData& data, std::uint32_t instances) {
        if (data.perInstance) return;
        const Constants one = data.values;
        for (std::uint32_t i = 1; i < instances; ++i)
            data.values.append(one);
        data.perInstance = true;
    }

    void mergePlane(PlaneId targetId, PlaneId fromId) {
        Plane& target = design_.planes[targetId.index];
        Plane& from = design_.planes[fromId.index];
        planes_[fromId.index] = {targetId, target.instances};
        const bool same = !target.initial.perInstance && !from.initial.perInstance
                          && target.initial.values == from.initial.values;
        if (!same) {
            spread(target.initial, target.instances);
            spread(from.initial, from.instances);
            target.initial.values.append(from.initial.values);
        }
        target.instances += from.instances;
    }

    /// Removes what was merged away and lets every reference follow.
    void renumber(const std::vector<bool>& gone) {
        std::uint32_t next = 0;
        for (std::uint32_t i = 0; i < gone.size(); ++i) {
            if (gone[i]) continue;
            classes_[i] = ClassId{next};
            if (next != i) design_.classes[next] = std::move(design_.classes[i]);
            ++next;
        }
        design_.classes.resize(next);
        renumberLedger();
        std::vector<PlaneId> numbers(planes_.size());
        next = 0;
        for (std::uint32_t i = 0; i < planes_.size(); ++i) {
            if (planes_[i].plane.index != i) continue;
            numbers[i] = PlaneId{next};
            if (next != i) design_.planes[next] = std::move(design_.planes[i]);
            ++next;
        }
        design_.planes.resize(next);
        for (Moved& moved : planes_)
            moved.plane = numbers[moved.plane.index];
        follow();
    }

    void renumberLedger() const {
        std::vector<std::uint32_t> numbers;
        for (std::uint32_t i = 0; i < into_.size(); ++i)
            numbers.push_back(classes_[into_[i] == UINT32_MAX ? i : into_[i]].index);
        ledger_.renumberClasses(numbers);
    }

    /// A run of instances or a place of a leaf.
    template <typename R>
    void followRun(R& run) const {
        const Moved& moved = planes_[run.plane.index];
        run.plane = moved.plane;
        run.start += moved.offset;
    }

    void follow() {
        for (Plane& plane : design_.planes) {
            if (plane.owner.valid()) plane.owner = classes_[plane.owner.index];
        }
        for (Function& function : design_.functions) {
            if (function.owner.valid()) function.owner = classes_[function.owner.index];
        }
        for (std::vector<NameRun>* names : {&design_.names, &design_.hiddenNames}) {
            for (NameRun& run : *names) {
                followRun(run);
                for (NameRun::Place& leaf : run.leaves)
                    followRun(leaf);
            }
        }
        for (Class& cls : design_.classes) {
            for (Output& output : cls.outputs)
                output.plane = planes_[output.plane.index].plane;
            for (PlaneId& plane : cls.state)
                plane = planes_[plane.index].plane;
            for (Cover& cover : cls.covers)
                cover.counter = planes_[cover.counter.index].plane;
            for (InstanceRun& run : cls.runs)
                if (run.waits) run.waits->plane = planes_[run.waits->plane.index].plane;
            for (Input& input : cls.inputs) {
                for (Connection& connection : input.elements) {
                    for (Run& run : connection.runs)
                        followRun(run);
                    join(connection.runs);
                }
            }
        }
    }

    /// Neighbouring runs that go on where the one before ends.
    static void join(std::vector<Run>& runs) {
        std::size_t kept = 0;
        for (std::size_t i = 1; i < runs.size(); ++i) {
            Run& last = runs[kept];
            const Run& run = runs[i];
            const std::int64_t end =
                last.start + static_cast<std::int64_t>(last.count - 1) * last.stride;
            const std::int64_t step = static_cast<std::int64_t>(run.start) - end;
            const bool fits = run.plane == last.plane
                              && (last.count == 1 ? std::abs(step) <= 1 : step == last.stride)
                              && (run.count == 1 || run.stride == step);
            if (fits) {
                last.stride = static_cast<std::int32_t>(step);
                last.count += run.count;
            } else {
                runs[++kept] = run;
            }
        }
        if (!runs.empty()) runs.resize(kept + 1);
    }

    Design& design_;
    const rules::Asker& ledger_;
    const rules::Rule rule_;
    std::vector<Moved> planes_;        ///< by old plane: where its instances are now
    std::vector<ClassId> classes_;     ///< by old class: its new number
    std::vector<std::uint32_t> into_;  ///< by old class: the one that it became a part of
    bool merged_ = false;
};

}  // namespace

bool mergeClasses(Design& design, const rules::Asker& ledger, rules::Rule rule) {
    return Merger(design, ledger, rule).run();
}

}  // namespace smec::passes
