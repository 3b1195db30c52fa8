// What a block reads before it writes needs no second slot: m, which w sets, of the steps
//   w (m[i] = m[j] + 1)   r (x = m[k])   ->   r   w
// Where steps would have to stand behind one another (w reads what r sets in place, too), arrays are
// left out one by one, until there is an order.

#include "plan/in_place.h"

#include <algorithm>
#include <map>
#include <unordered_map>

#include "ir/reader_graph.h"
#include "ir/references.h"
#include "ir/visit.h"
#include "plan/target.h"
#include "source/graph.h"

namespace smec::plan {
namespace {

/// Whether an activation never reads some inputs after it has set a part of an array.
class ReadOrder {
public:
    ReadOrder(const ir::Body& body, ir::LocalId array, const std::vector<bool>& inputs)
        : body_(body), array_(array), inputs_(inputs) {
        for (const ir::Expr& expr : body.exprs) {
            const auto* read = std::get_if<ir::ReadInput>(&expr.node);
            bool depends = read != nullptr && inputs[read->input];
            ir::forEachOperand(expr,
                               [&](ir::ExprId id) { depends = depends || depends_[id.index]; });
            depends_.push_back(depends);
        }
    }

    bool isReadFirst() {
        visit(body_.statements, false);
        return isReadFirst_;
    }

private:
    /// Whether something may be set behind the block. What is copied whole is read as long as the
    /// copy is.
    bool visit(const ir::Block& block, bool isSet) {
        for (const ir::Stmt& stmt : block) {
            ir::forEachExpr(stmt,
                            [&](ir::ExprId id) { isReadFirst_ &= !isSet || !depends_[id.index]; });
            const auto* copy = std::get_if<ir::CopyArray>(&stmt.node);
            const auto* copied = copy ? std::get_if<ir::ReadInput>(&copy->from) : nullptr;
            isReadFirst_ &= copied == nullptr || !inputs_[copied->input];
            isSet = sets(stmt, isSet) || isSet;
        }
        return isSet;
    }

    bool sets(const ir::Stmt& stmt, bool isSet) {
        bool result = setsItself(stmt);
        if (ir::isLoop(stmt))
            ir::forEachBlock(stmt, [&](const ir::Block& inner) {
                ir::forEachStmt(inner, [&](const ir::Stmt& s) { isSet = isSet || setsItself(s); });
            });
        ir::forEachBlock(stmt,
                         [&](const ir::Block& inner) { result = visit(inner, isSet) || result; });
        return result;
    }

    bool setsItself(const ir::Stmt& stmt) const {
        bool result = false;
        ir::forEachAssigned(stmt, [&](ir::LocalId id) { result = result || id == array_; });
        return result;
    }

    const ir::Body& body_;
    const ir::LocalId array_;
    const std::vector<bool>& inputs_;  ///< that the array may be read by
    std::vector<bool> depends_;        ///< by expression
    bool isReadFirst_ = true;
};

bool mayBeRead(const ir::Input& input, ir::PlaneId plane) {
    return std::ranges::any_of(input.elements, [&](const ir::Connection& connection) {
        return std::ranges::any_of(connection.runs,
                                   [&](const ir::Run& run) { return run.plane == plane; });
    });
}

bool readsBeforeItSets(const ir::Class& cls, ir::PlaneId plane) {
    std::vector<bool> inputs;
    for (const ir::Input& input : cls.inputs)
        inputs.push_back(mayBeRead(input, plane));
    const std::vector<ir::Local>& locals = cls.body.locals;
    for (std::uint32_t i = 0; i < locals.size(); ++i) {
        if (locals[i].kind == ir::LocalKind::Output && cls.outputs[locals[i].slot].plane == plane
            && !ReadOrder(cls.body, {i}, inputs).isReadFirst())
            return false;
    }
    return true;
}

/// A step of a block that has to run before another one of it.
struct Reading {
    std::uint32_t plane;
    std::uint32_t reader;  ///< of Kernel::steps
    std::uint32_t writer;
};

/// Steps behind those that they have to follow, the others as they were; fewer where some would have
/// to follow one another.
std::vector<std::uint32_t> ordered(std::size_t steps, const std::vector<Reading>& readings) {
    std::vector<Edge> edges;
    for (const Reading& reading : readings)
        edges.push_back({reading.reader, reading.writer});
    return topologicalOrder(Graph(static_cast<std::uint32_t>(steps), edges), Ties::Lowest);
}

using rules::Finding;
using enum rules::Condition;

class OneSlot {
public:
    OneSlot(const ir::Design& design, const rules::Asker& ledger, Plan& plan)
        : design_(design), ledger_(ledger), plan_(plan), inPlace_(design.planes.size(), false) {}

    std::vector<bool> run() {
        if (std::ranges::none_of(design_.planes, isHeldArray)) return inPlace_;
        for (std::uint32_t i = 0; i < inPlace_.size(); ++i)
            if (isHeldArray(design_.planes[i])) why_.try_emplace(i, Finding{StepOrder, true});
        if (ledger_.allows(rules::Rule::OneSlot)) decide();
        for (const auto& [plane, why] : why_)
            ledger_.ask(rules::Rule::OneSlot, rules::Subject::ofPlane(plane), {why});
        return std::move(inPlace_);
    }

private:
    void decide() {
        findSteps();
        for (const auto& [plane, why] : why_)
            inPlace_[plane] = true;
        for (std::uint32_t i = 0; i < inPlace_.size(); ++i)
            if (inPlace_[i]) lookAtWriters({i});
        for (std::uint32_t cls = 0; cls < design_.classes.size(); ++cls)
            noteReads(cls);
        for (std::uint32_t i = 0; i < readings_.size(); ++i)
            leaveOutCycles(i);
        for (std::uint32_t i = 0; i < readings_.size(); ++i)
            order(i);
    }

    void leaveOut(std::uint32_t plane, const Finding& why) {
        if (inPlace_[plane]) why_.insert_or_assign(plane, why);
        inPlace_[plane] = false;
    }

    struct Place {
        std::uint32_t kernel;
        std::uint32_t step;
    };

    static bool isHeldArray(const ir::Plane& plane) {
        return plane.kind == ir::PlaneKind::Output && plane.hold && !plane.combinational
               && plane.type.isArray() && plane.perOwner == 1 && plane.owner.valid();
    }

    static std::uint64_t keyOf(std::uint32_t cls, std::uint32_t instance) {
        return std::uint64_t{cls} << 32 | instance;
    }

    void findSteps() {
        readings_.resize(plan_.kernels.size());
        isEvaluated_.resize(plan_.kernels.size(), false);
        for (std::uint32_t k = 0; k < plan_.kernels.size(); ++k) {
            const std::vector<InstanceRef>& steps = plan_.kernels[k].steps;
            for (std::uint32_t i = 0; i < steps.size(); ++i) {
                places_[keyOf(steps[i].cls.index, steps[i].instance)] = {k, i};
                if (design_.classes[steps[i].cls.index].combinational) isEvaluated_[k] = true;
            }
        }
    }

    const Place* placeOf(std::uint32_t cls, std::uint32_t instance) const {
        const auto found = places_.find(keyOf(cls, instance));
        return found == places_.end() ? nullptr : &found->second;
    }

    void lookAtWriters(ir::PlaneId id) {
        const ir::Plane& plane = design_.planes[id.index];
        const std::uint64_t bytes =
            std::uint64_t{plane.type.elements()} * storageBytes(plane.type.scalar);
        for (std::uint32_t i = 0; i < plane.instances; ++i) {
            const Place* const writer = placeOf(plane.owner.index, i);
            if (!writer) return leaveOut(id.index, {OneKernel, false});
            if (isEvaluated_[writer->kernel] && bytes > target::kMostEvaluated)
                return leaveOut(id.index, {Bytes, bytes, target::kMostEvaluated});
        }
        if (!readsBeforeItSets(design_.classes[plane.owner.index], id))
            leaveOut(id.index, {ReadBeforeSet, false});
    }

    void noteReads(std::uint32_t cls) {
        ir::forEachRead(design_, cls, [&](const ir::Read& read) {
            const std::uint32_t plane = read.run->plane.index;
            const bool isChosenInRun = design_.classes[cls].inputs[read.input].elements.size() > 1;
            if (isChosenInRun) leaveOut(plane, {FixedElement, false});
            for (std::uint32_t i = 0; inPlace_[plane] && i < read.run->count; ++i)
                if (!note(plane, placeOf(cls, read.run->first + i),
                          placeOf(read.writer, read.source(i))))
                    leaveOut(plane, {OneKernel, false});
        });
    }

    /// Whether both are in one block.
    bool note(std::uint32_t plane, const Place* reader, const Place* writer) {
        if (!reader || !writer || reader->kernel != writer->kernel) return false;
        if (reader->step != writer->step)
            readings_[reader->kernel].push_back({plane, reader->step, writer->step});
        return true;
    }

    void dropReadings(std::uint32_t kernel) {
        std::erase_if(readings_[kernel],
                      [&](const Reading& reading) { return !inPlace_[reading.plane]; });
    }

    bool hasOrder(std::uint32_t kernel, const std::vector<Reading>& readings) const {
        const std::size_t steps = plan_.kernels[kernel].steps.size();
        return ordered(steps, readings).size() == steps;
    }

    void leaveOutCycles(std::uint32_t kernel) {
        dropReadings(kernel);
        std::vector<Reading>& all = readings_[kernel];
        if (hasOrder(kernel, all)) return;
        std::ranges::stable_sort(all, {}, &Reading::plane);
        std::vector<Reading> kept;
        for (std::size_t i = 0, end = 0; i < all.size(); i = end) {
            const std::uint32_t plane = all[i].plane;
            const std::size_t before = kept.size();
            for (; end < all.size() && all[end].plane == plane; ++end)
                kept.push_back(all[end]);
            if (hasOrder(kernel, kept)) continue;
            kept.resize(before);
            leaveOut(plane, {StepOrder, false});
        }
        all = std::move(kept);
    }

    void order(std::uint32_t kernel) {
        dropReadings(kernel);
        if (readings_[kernel].empty()) return;
        std::vector<InstanceRef>& steps = plan_.kernels[kernel].steps;
        std::vector<InstanceRef> result;
        for (const std::uint32_t step : ordered(steps.size(), readings_[kernel]))
            result.push_back(steps[step]);
        steps = std::move(result);
    }

    const ir::Design& design_;
    const rules::Asker& ledger_;
    Plan& plan_;
    std::vector<bool> inPlace_;                        ///< by plane
    std::map<std::uint32_t, Finding> why_;             ///< by held array: why not
    std::unordered_map<std::uint64_t, Place> places_;  ///< of the steps of blocks
    std::vector<std::vector<Reading>> readings_;       ///< by kernel
    std::vector<bool> isEvaluated_;                    ///< by kernel
};

}  // namespace

std::vector<bool> orderForOneSlot(const ir::Design& design, const Options& options, Plan& plan) {
    return OneSlot(design, options.ledger, plan).run();
}

}  // namespace smec::plan
