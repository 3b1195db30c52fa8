#include <algorithm>
#include <map>
#include <numeric>
#include <set>

#include "ir/builder.h"
#include "ir/reader_graph.h"
#include "ir/runs.h"
#include "ir/target.h"
#include "ir/verifier.h"
#include "passes/body.h"
#include "passes/kinds.h"
#include "passes/passes.h"
#include "passes/target.h"
#include "passes/wires.h"

// Each kind of cells numbers its instances by itself, so that neighbours of different kinds have
// numbers, and planes, that follow no rule:
//
//   a b b a b b         a reads in the east b0, b2;  b reads b1, a1, b3
//
// Where connections are cut to pieces by that, the kinds get bodies, inputs, fields and variables
// alike (passes/kinds.h). Then mergeClasses() makes one class of them, and orderInstances() puts
// their instances side by side.

namespace smec::passes {

using namespace ir;

namespace {

/// Classes among which connections change to and fro.
class Family {
public:
    Family(Design& design, const rules::Asker& ledger, const Readers& readers,
           std::vector<ClassId> classes)
        : design_(design), ledger_(ledger), readers_(readers), classes_(std::move(classes)) {}

    /// Makes them alike if that pays off.
    bool join() {
        using enum rules::Condition;
        if (!ledger_.allows(rules::Rule::InterleavedKinds)) return ask({});
        if (!findKinds()) return ask({{AlikeKinds, false}});
        layout_ = layOut(design_, kinds_);
        if (!isSound()) return ask({{AlikeKinds, false}});
        findMembers();
        wires_ = wiresOf(design_, members_);
        order_ = bestOrder(wires_, sourceOrder(design_, members_));
        places_ = inverse(order_);
        const auto [before, after] = breaksBeforeAndAfter();
        if (!ask({{BreaksLeft, after, static_cast<double>(before) / 2}})) return false;
        apply();
        return true;
    }

private:
    bool ask(std::initializer_list<rules::Finding> findings) const {
        return ledger_.ask(rules::Rule::InterleavedKinds,
                           rules::Subject::ofClass(classes_.front().index), findings);
    }

    // -------------------------------------------------------------- what becomes of them

    bool findKinds() {
        std::map<Key, std::vector<ClassId>> alike;
        std::uint64_t instances = 0;
        for (const ClassId id : classes_) {
            const Class& cls = design_.classes[id.index];
            const Contents form{.names = false, .instances = false, .constants = false};
            Key key = keyOf(design_, cls, 0, form);
            addPlaces(cls, key);
            alike[std::move(key)].push_back(id);
            instances += cls.instances;
        }
        if (instances > UINT32_MAX) return false;
        for (const auto& [key, members] : alike) {
            std::optional<Kind> kind = kindOf(design_, members);
            if (!kind) return false;
            kinds_.push_back(std::move(*kind));
        }
        // source order, whatever the keys say
        std::sort(kinds_.begin(), kinds_.end(), [](const Kind& a, const Kind& b) {
            return a.members.front() < b.members.front();
        });
        return true;
    }

    const Class& donor(const SideBySide::Donor& donor) const {
        return design_.classes[kinds_[donor.kind].members.front().index];
    }

    std::vector<Column> columns() const {
        std::vector<Column> columns;
        for (const Kind& kind : kinds_)
            columns.insert(columns.end(), kind.columns.begin(), kind.columns.end());
        if (kinds_.size() > 1)
            columns.push_back(
                {"kind", {ScalarKind::Int, false, 8}, {}, {0, Integer(kinds_.size() - 1)}});
        return columns;
    }

    /// Whether the common body is one, and where it has branches that the kinds had not, one for
    /// vector instructions.
    bool isSound() {
        common_.name = design_.classes[classes_.front().index].name;
        common_.body = bodyOf(kinds_, layout_);
        common_.columns = columns();
        common_.instances = ir::target::kLaneInstances;
        for (const SideBySide::Donor& from : layout_.inputs.donors)
            common_.inputs.push_back(donor(from).inputs[from.own]);
        for (const SideBySide::Donor& from : layout_.outputs.donors)
            common_.outputs.push_back(donor(from).outputs[from.own]);
        for (const SideBySide::Donor& from : layout_.state.donors)
            common_.state.push_back(donor(from).state[from.own]);
        Complaints complaints;
        const auto functions = static_cast<std::uint32_t>(design_.functions.size());
        verifyBody(design_, {common_.body, &common_, nullptr, {}, functions, common_.name},
                   complaints);
        if (!complaints.texts.empty()) return false;
        return kinds_.size() == 1
               || (kinds_.size() <= target::kMostKinds && wouldFillLanes(design_, common_));
    }

    // -------------------------------------------------------------- whether it pays off

    void findMembers() {
        std::uint32_t first = 0;
        for (std::uint32_t kind = 0; kind < kinds_.size(); ++kind) {
            for (const ClassId id : kinds_[kind].members) {
                Member member{id, {}, layout_.outputs.places[kind]};
                for (std::uint32_t place = 0; place < layout_.inputs.donors.size(); ++place)
                    member.inputs.push_back(layout_.inputs.ownAt(kind, place));
                members_.push_back(std::move(member));
                kindOf_.push_back(kind);
                first_.push_back(first);
                first += design_.classes[id.index].instances;
            }
        }
    }

    std::pair<std::size_t, std::size_t> breaksBeforeAndAfter() const {
        std::size_t before = runsOfReaders(design_, members_, readers_, {});
        for (const Member& member : members_) {
            Order now(design_.classes[member.cls.index].instances);
            std::iota(now.begin(), now.end(), 0);
            before += breaks(wiresOf(design_, {memberOf(design_, member.cls)}), now);
        }
        const std::size_t after =
            breaks(wires_, order_) + runsOfReaders(design_, members_, readers_, places_);
        return {before, after};
    }

    // -------------------------------------------------------------- making them alike

    void apply() {
        for (std::size_t i = 0; i < members_.size(); ++i) {
            addOutputs(i);
            addState(i);
        }
        for (Wire& wire : wires_)
            fill(wire);
        std::vector<std::vector<Input>> inputs;
        for (std::size_t i = 0; i < members_.size(); ++i)
            inputs.push_back(inputsOf(i));
        for (std::size_t i = 0; i < members_.size(); ++i) {
            Class& cls = classOf(i);
            cls.inputs = std::move(inputs[i]);
            cls.columns = columnsOf(i);
        }
        for (const Member& member : members_)
            design_.classes[member.cls.index].body = common_.body;
    }

    Class& classOf(std::size_t member) { return design_.classes[members_[member].cls.index]; }

    /// A plane like another one, which nobody looks at.
    PlaneId spare(PlaneId like, std::size_t member) {
        Plane plane = design_.planes[like.index];
        Constants values;
        for (std::size_t i = 0; i < plane.type.elements(); ++i)
            values.push_back(plane.initial.values[i]);
        plane.initial = {false, std::move(values)};
        plane.owner = members_[member].cls;
        plane.instances = classOf(member).instances * plane.perOwner;
        plane.hidden = true;
        design_.planes.push_back(std::move(plane));
        return {static_cast<std::uint32_t>(design_.planes.size() - 1)};
    }

    void addOutputs(std::size_t member) {
        std::vector<Output> outputs;
        for (std::uint32_t place = 0; place < common_.outputs.size(); ++place) {
            const std::uint32_t own = layout_.outputs.ownAt(kindOf_[member], place);
            const bool isOwn = own != SideBySide::kNone;
            outputs.push_back(isOwn ? classOf(member).outputs[own] : common_.outputs[place]);
            if (!isOwn) outputs.back().plane = spare(outputs.back().plane, member);
        }
        classOf(member).outputs = std::move(outputs);
    }

    void addState(std::size_t member) {
        std::vector<PlaneId> state;
        for (std::uint32_t place = 0; place < common_.state.size(); ++place) {
            const std::uint32_t own = layout_.state.ownAt(kindOf_[member], place);
            state.push_back(own == SideBySide::kNone ? spare(common_.state[place], member)
                                                     : classOf(member).state[own]);
        }
        classOf(member).state = std::move(state);
    }

    /// What instances read that have no such input: what goes on from the one before, as far as
    /// there is something.
    void fill(Wire& wire) const {
        const std::int64_t stride = usualStride(wire, order_, places_);
        const auto given = std::find_if(order_.begin(), order_.end(), [&](std::uint32_t instance) {
            return wire[instance].kind != Source::Kind::Free;
        });
        Source last = wire[*given];
        for (const std::uint32_t instance : order_) {
            Source& source = wire[instance];
            if (source.kind == Source::Kind::Free) source = goneOn(last, stride);
            last = source;
        }
    }

    Source goneOn(Source source, std::int64_t stride) const {
        const auto isWithin = [](std::int64_t place, std::size_t count) {
            return place >= 0 && place < static_cast<std::int64_t>(count);
        };
        if (source.kind == Source::Kind::Inside) {
            const std::int64_t place = places_[source.element] + stride;
            if (isWithin(place, order_.size()))
                source.element = order_[static_cast<std::size_t>(place)];
        } else if (source.kind == Source::Kind::Outside) {
            const std::int64_t place = source.element + stride;
            if (isWithin(place, design_.planes[source.plane].instances))
                source.element = static_cast<std::uint32_t>(place);
        }
        return source;
    }

    std::vector<Input> inputsOf(std::size_t member) {
        std::vector<Input> inputs;
        std::size_t wire = 0;
        for (std::uint32_t place = 0; place < common_.inputs.size(); ++place) {
            const std::uint32_t own = members_[member].inputs[place];
            const bool isOwn = own != Member::kNone;
            inputs.push_back(isOwn ? classOf(member).inputs[own] : common_.inputs[place]);
            for (Connection& connection : inputs.back().elements) {
                if (!isOwn) connection = connectionOf(wires_[wire], member);
                ++wire;
            }
        }
        return inputs;
    }

    Connection connectionOf(const Wire& wire, std::size_t member) {
        RunBuilder runs;
        for (std::uint32_t i = 0; i < classOf(member).instances; ++i) {
            const Source& source = wire[first_[member] + i];
            if (source.kind != Source::Kind::Inside) {
                runs.add({static_cast<std::uint32_t>(source.plane)}, source.element);
                continue;
            }
            const auto after = std::upper_bound(first_.begin(), first_.end(), source.element);
            const auto writer = static_cast<std::size_t>(after - first_.begin()) - 1;
            const PlaneId plane = classOf(writer).outputs[source.plane >> 32].plane;
            runs.add(plane, (source.element - first_[writer]) * design_.planes[plane.index].perOwner
                                + static_cast<std::uint32_t>(source.plane));
        }
        return {runs.take()};
    }

    std::vector<Column> columnsOf(std::size_t member) {
        const std::uint32_t kind = kindOf_[member];
        const Class& cls = classOf(member);
        std::vector<Column> columns = common_.columns;
        for (Column& column : columns) {
            const bool isInteger = exprTypeOf(column.type) == ExprType::Int
                                   || exprTypeOf(column.type) == ExprType::Bool;
            column.values.assign(cls.instances,
                                 isInteger ? Constant{column.range.low} : Constant{0.0});
        }
        const auto at = [&](std::size_t own) -> std::vector<Constant>& {
            return columns[layout_.firstColumn[kind] + own].values;
        };
        for (std::size_t i = 0; i < cls.columns.size(); ++i)
            at(i) = cls.columns[i].values;
        const std::vector<ClassId>& alike = kinds_[kind].members;
        const auto number = static_cast<std::size_t>(
            std::find(alike.begin(), alike.end(), members_[member].cls) - alike.begin());
        for (std::size_t i = 0; i < kinds_[kind].constants.size(); ++i)
            at(cls.columns.size() + i).assign(cls.instances, kinds_[kind].constants[i][number]);
        if (kinds_.size() > 1)
            columns[layout_.kindColumn].values.assign(cls.instances, {Integer(kind)});
        return columns;
    }

    Design& design_;
    const rules::Asker& ledger_;
    const Readers& readers_;
    const std::vector<ClassId> classes_;
    std::vector<Kind> kinds_;
    Layout layout_;
    Class common_;  ///< with planes and connections of whoever has them
    std::vector<Member> members_;
    std::vector<std::uint32_t> kindOf_, first_;  ///< by member; its first instance among all
    std::vector<Wire> wires_;
    Order order_, places_;
};

/// Finds the classes that are to be looked at together.
class Families {
public:
    explicit Families(const Design& design)
        : design_(design), levels_(ReaderGraph(design).levels()), parents_(design.classes.size()) {
        std::iota(parents_.begin(), parents_.end(), 0);
    }

    std::vector<std::vector<ClassId>> find() {
        for (const Class& cls : design_.classes) {
            if (cls.instances < ir::target::kLaneInstances) continue;
            for (const Input& input : cls.inputs)
                for (const Connection& connection : input.elements)
                    if (isScattered(design_, cls, input, connection)) joinWriters(connection);
        }
        std::map<std::uint32_t, std::vector<ClassId>> families;
        for (std::uint32_t i = 0; i < parents_.size(); ++i)
            families[root(i)].push_back({i});
        std::vector<std::vector<ClassId>> result;
        for (auto& [root, classes] : families)
            if (classes.size() > 1) result.push_back(std::move(classes));
        return result;
    }

private:
    std::uint32_t root(std::uint32_t cls) {
        while (parents_[cls] != cls)
            cls = parents_[cls] = parents_[parents_[cls]];
        return cls;
    }

    void joinWriters(const Connection& connection) {
        std::set<std::uint32_t> writers;
        for (const Run& run : connection.runs) {
            const ClassId owner = design_.planes[run.plane.index].owner;
            if (owner.valid() && isJoinable(owner.index)) writers.insert(owner.index);
        }
        std::map<Key, std::uint32_t> first;
        for (const std::uint32_t writer : writers) {
            const auto [known, isNew] = first.try_emplace(formOf(writer), writer);
            if (!isNew) parents_[root(writer)] = root(known->second);
        }
    }

    bool isJoinable(std::uint32_t id) {
        const Class& cls = design_.classes[id];
        return canMerge(design_, cls) && cls.covers.empty() && !cls.isDelayLine
               && levels_[id] != kEndless;
    }

    /// What must be equal for one class to have the instances of both: the fields that they drive.
    const Key& formOf(std::uint32_t id) {
        const auto [known, isNew] = forms_.try_emplace(id);
        if (!isNew) return known->second;
        const Class& cls = design_.classes[id];
        std::vector<Key> planes;
        for (const Output& output : cls.outputs)
            planes.push_back(keyOf(design_, design_.planes[output.plane.index], 0,
                                   {.names = false, .instances = false}));
        std::sort(planes.begin(), planes.end());
        Key form;
        form.word(cls.combinational);
        form.word(levels_[id]);
        for (const Key& plane : planes)
            form.words.insert(form.words.end(), plane.words.begin(), plane.words.end());
        return known->second = std::move(form);
    }

    const Design& design_;
    const std::vector<std::uint32_t> levels_;
    std::vector<std::uint32_t> parents_;
    std::map<std::uint32_t, Key> forms_;
};

}  // namespace

bool joinInterleaved(Design& design, const rules::Asker& ledger) {
    const std::vector<std::vector<ClassId>> families = Families(design).find();
    if (families.empty()) return false;
    const Readers readers(design);
    bool joined = false;
    for (const std::vector<ClassId>& classes : families)
        joined = Family(design, ledger, readers, classes).join() || joined;
    return joined;
}

}  // namespace smec::passes
