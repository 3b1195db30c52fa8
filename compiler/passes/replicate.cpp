#include <algorithm>
#include <set>
#include <tuple>
#include <unordered_map>

#include "ir/reader_graph.h"
#include "ir/references.h"
#include "passes/passes.h"
#include "passes/target.h"
#include "source/overloaded.h"

// A cheap combinational process that is read across instances (a neighbour's `ready`) would cost a
// level, that is a barrier, in every cycle. Its readers compute what they read of it themselves,
// and nobody waits for it:
//
//   ready: y.r = x.n < 4                               put[i] reads ready[i + 1].y.r
//   put reads x.n of what ready[i + 1] reads, and begins with  r = x.n < 4
//
// The process itself stays, for whoever looks at its fields from outside. A connection becomes the
// composition of two: instance i of the reader reads what instance f(i) of the driver reads.

namespace smec::passes {

using namespace ir;

namespace {

/// An input of a class that reads a combinational field.
struct Use {
    std::uint32_t reader;
    std::uint32_t input;
};

bool isScalar(const StorageType& type) { return !type.isArray(); }

/// Only assignments and branches, of scalars: no failure, no trace, no call, no loop.
bool isPlain(const Block& block) {
    bool plain = true;
    const Overloaded isPlainNode{
        [](const AnyOf<Set, If, Switch> auto&) { return true; },
        [](const AnyOf<CopyArray, FillArray, Check, For, Loop, CountRound, Break, Continue, Call,
                       Return, Trace, Stop> auto&) { return false; },
    };
    forEachStmt(block,
                [&](const Stmt& stmt) { plain = plain && smec::visit(isPlainNode, stmt.node); });
    return plain;
}

class Replicator {
public:
    Replicator(Design& design, const rules::Asker& ledger)
        : design_(design), ledger_(ledger), graph_(design) {}

    bool run() {
        bool changed = false;
        for (const std::uint32_t driver : driversFirst()) {
            if (!isCheap(driver)) continue;
            std::vector<Use> uses = usesOf(driver);
            if (uses.empty() || !isWorthIt(driver, uses)) continue;
            while (!uses.empty()) {
                const std::uint32_t reader = uses.back().reader;
                replicate(driver, reader, takeGroup(uses));
            }
            changed = true;
        }
        return changed;
    }

private:
    // -------------------------------------------------------------- what reads what

    /// Combinational classes in topological order; those in or behind a cycle of classes are left
    /// out.
    std::vector<std::uint32_t> driversFirst() const {
        std::vector<std::uint32_t> order = topologicalOrder(graph_.readers(), Ties::Latest);
        std::erase_if(order, [&](std::uint32_t c) { return !graph_.isCombinational(c); });
        return order;
    }

    std::vector<Use> usesOf(std::uint32_t driver) const {
        std::vector<Use> uses;
        for (const std::uint32_t c : graph_.readersOf(driver)) {
            forEachRead(design_, c, [&](const Read& read) {
                const bool isUse = read.isInSameCycle() && read.writer == driver;
                const bool isNew =
                    uses.empty() || uses.back().reader != c || uses.back().input != read.input;
                if (isUse && isNew) uses.push_back({c, read.input});
            });
        }
        return uses;
    }

    // -------------------------------------------------------------- whether it pays

    bool isCheap(std::uint32_t driver) const {
        using enum rules::Condition;
        const Class& cls = design_.classes[driver];
        const std::initializer_list<rules::Finding> found{
            {Expressions, cls.body.exprs.size(), target::kCheapExprs},
            {Inputs, cls.inputs.size(), target::kCheapInputs},
            {OnlyScalars, isSimple(cls)}};
        if (std::ranges::all_of(found, &rules::Finding::holds)) return true;
        return ledger_.ask(rules::Rule::Replicas, rules::Subject::ofClass(driver), found,
                           graph_.readersOf(driver).empty() ? 0 : 1);
    }

    bool isWorthIt(std::uint32_t driver, const std::vector<Use>& uses) const {
        using enum rules::Condition;
        return ledger_.ask(rules::Rule::Replicas, rules::Subject::ofClass(driver),
                           {{ReadElsewhere, !isAligned(driver, uses)},
                            {OneSource, haveOneSource(driver, uses)},
                            {Readers, readersIn(uses), target::kMostReaders},
                            {Inputs, uses.size(), 2 * target::kMostReaders}});
    }

    bool isSimple(const Class& cls) const {
        const auto isOne = [](const Input& input) {
            return isScalar(input.type) && input.elements.size() == 1;
        };
        const auto isNarrow = [](const Local& local) {
            return isScalar(local.type) && local.type.scalar.width <= 64;
        };
        const auto isUniform = [&](const Output& output) {
            const Plane& plane = design_.planes[output.plane.index];
            return plane.perOwner == 1 && !plane.initial.perInstance && !output.hold;
        };
        return std::all_of(cls.inputs.begin(), cls.inputs.end(), isOne)
               && std::all_of(cls.body.locals.begin(), cls.body.locals.end(), isNarrow)
               && std::all_of(cls.outputs.begin(), cls.outputs.end(), isUniform)
               && isPlain(cls.body.statements);
    }

    /// Every reader's instance i reads instance i: the plan merges these without computing anything
    /// twice.
    bool isAligned(std::uint32_t driver, const std::vector<Use>& uses) const {
        return std::all_of(uses.begin(), uses.end(), [&](const Use& use) {
            const Class& reader = design_.classes[use.reader];
            const auto& runs = reader.inputs[use.input].elements.front().runs;
            return reader.instances == design_.classes[driver].instances
                   && std::all_of(runs.begin(), runs.end(), [](const Run& run) {
                          return run.start == run.first && (run.stride == 1 || run.count == 1);
                      });
        });
    }

    /// All readers read it, and nothing else, through inputs of one value.
    bool haveOneSource(std::uint32_t driver, const std::vector<Use>& uses) const {
        for (const Use& use : uses) {
            const Input& input = design_.classes[use.reader].inputs[use.input];
            if (!isScalar(input.type) || input.elements.size() != 1 || use.reader == driver)
                return false;
            const auto& runs = input.elements.front().runs;
            const PlaneId plane = runs.front().plane;
            if (!std::all_of(runs.begin(), runs.end(),
                             [&](const Run& run) { return run.plane == plane; }))
                return false;
        }
        return true;
    }

    static std::size_t readersIn(const std::vector<Use>& uses) {
        std::set<std::uint32_t> readers;
        for (const Use& use : uses)
            readers.insert(use.reader);
        return readers.size();
    }

    // -------------------------------------------------------------- the copy

    /// The driver's instance that each instance of the reader reads.
    static std::vector<std::uint32_t> sourcesOf(const Class& reader, std::uint32_t input) {
        std::vector<std::uint32_t> sources(reader.instances);
        for (const Run& run : reader.inputs[input].elements.front().runs)
            for (std::uint32_t i = 0; i < run.count; ++i)
                sources[run.first + i] =
                    static_cast<std::uint32_t>(run.start + std::int64_t(i) * run.stride);
        return sources;
    }

    /// The inputs of the last reader that read the same instances as its last one; takes them off.
    std::vector<std::uint32_t> takeGroup(std::vector<Use>& uses) const {
        const Use last = uses.back();
        const auto& inputs = design_.classes[last.reader].inputs;
        const auto& runs = inputs[last.input].elements.front().runs;
        const auto isSame = [](const Run& a, const Run& b) {
            return std::tie(a.first, a.count, a.start, a.stride)
                   == std::tie(b.first, b.count, b.start, b.stride);
        };
        std::vector<std::uint32_t> group;
        std::erase_if(uses, [&](const Use& use) {
            if (use.reader != last.reader) return false;
            const auto& other = inputs[use.input].elements.front().runs;
            const bool joins =
                std::equal(runs.begin(), runs.end(), other.begin(), other.end(), isSame);
            if (joins) group.push_back(use.input);
            return joins;
        });
        return group;
    }

    static Connection compose(const Connection& inner, const std::vector<std::uint32_t>& sources) {
        Connection result;
        for (std::uint32_t i = 0; i < sources.size(); ++i) {
            const auto after = std::upper_bound(
                inner.runs.begin(), inner.runs.end(), sources[i],
                [](std::uint32_t source, const Run& run) { return source < run.first; });
            const Run& run = *(after - 1);
            const auto element = static_cast<std::uint32_t>(
                run.start + std::int64_t(sources[i] - run.first) * run.stride);
            extend(result.runs, i, run.plane, element);
        }
        return result;
    }

    /// Adds one instance after the others.
    static void extend(std::vector<Run>& runs, std::uint32_t instance, PlaneId plane,
                       std::uint32_t element) {
        if (!runs.empty() && runs.back().plane == plane) {
            Run& last = runs.back();
            const std::int64_t step = std::int64_t(element) - last.start;
            const bool isSecond = last.count == 1 && step >= INT32_MIN && step <= INT32_MAX;
            if (isSecond) last.stride = static_cast<std::int32_t>(step);
            if (isSecond || step == std::int64_t(last.count) * last.stride) {
                ++last.count;
                return;
            }
        }
        runs.push_back({instance, 1, plane, element, 0});
    }

    static void copyInputs(const Class& driver, const std::vector<std::uint32_t>& sources,
                           Class& reader) {
        for (const Input& input : driver.inputs) {
            Input copy = input;
            copy.elements.front() = compose(input.elements.front(), sources);
            reader.inputs.push_back(std::move(copy));
        }
    }

    static void copyColumns(const Class& driver, const std::vector<std::uint32_t>& sources,
                            Class& reader) {
        for (const Column& column : driver.columns) {
            Column copy{column.name, column.type, {}, column.range};
            for (const std::uint32_t source : sources)
                copy.values.push_back(column.values[source]);
            reader.columns.push_back(std::move(copy));
        }
    }

    /// The driver's locals as temporaries of the body, and what stands for its outputs' planes.
    struct Results {
        std::unordered_map<std::uint32_t, LocalId> locals;  ///< by plane
        Block defaults;
    };
    Results copyLocals(const Class& driver, Body& body) const {
        const auto first = static_cast<std::uint32_t>(body.locals.size());
        Results results;
        for (std::uint32_t i = 0; i < driver.body.locals.size(); ++i) {
            const Local& local = driver.body.locals[i];
            body.locals.push_back({local.name, LocalKind::Temp, local.type, 0, local.range});
            if (local.kind != LocalKind::Output) continue;
            const PlaneId output = driver.outputs[local.slot].plane;
            results.locals[output.index] = {first + i};
            results.defaults.push_back(defaultOf(output, {first + i}, body));
        }
        return results;
    }

    /// Where what is the driver's begins in the reader.
    struct Offsets {
        std::uint32_t input, column, local, expr;
    };
    /// Adds the driver's expressions to the body; returns its statements.
    static Block copyBody(const Body& driver, const Offsets& at, Body& body) {
        const auto follow = [&](ExprId& id) { id.index += at.expr; };
        const Overloaded renumber{
            [&](ReadInput& read) { read.input += at.input; },
            [&](ReadColumn& read) { read.column += at.column; },
            [&](LocalId& id) { id.index += at.local; },
            [](AnyOf<TableId, FunctionId, Check, CountRound, Trace> auto&) {},
        };
        for (Expr expr : driver.exprs) {
            forEachOperand(expr, follow);
            forEachReference(expr, renumber);
            body.exprs.push_back(std::move(expr));
        }
        Block copied = driver.statements;
        forEachStmt(copied, [&](Stmt& stmt) {
            forEachExpr(stmt, follow);
            forEachReference(stmt, renumber);
        });
        return copied;
    }

    /// Puts the driver's body in front of the reader's; `replaced`, in ascending order: the inputs
    /// that become its results.
    void replicate(std::uint32_t driverId, std::uint32_t readerId,
                   const std::vector<std::uint32_t>& replaced) {
        const Class& driver = design_.classes[driverId];
        Class& reader = design_.classes[readerId];
        Body& body = reader.body;
        const auto countOf = [](const auto& list) {
            return static_cast<std::uint32_t>(list.size());
        };
        Offsets at{countOf(reader.inputs), countOf(reader.columns), countOf(body.locals), 0};
        const std::vector<std::uint32_t> sources = sourcesOf(reader, replaced.front());
        copyInputs(driver, sources, reader);
        copyColumns(driver, sources, reader);
        Results results = copyLocals(driver, body);
        at.expr = countOf(body.exprs);
        Block start = std::move(results.defaults);
        std::ranges::move(copyBody(driver.body, at, body), std::back_inserter(start));
        for (std::uint32_t i = 0; i < at.expr; ++i) {
            const auto* read = std::get_if<ReadInput>(&body.exprs[i].node);
            if (!read || !std::binary_search(replaced.begin(), replaced.end(), read->input))
                continue;
            const auto& runs = reader.inputs[read->input].elements.front().runs;
            body.exprs[i].node = ReadLocal{results.locals.at(runs.front().plane.index), {}};
        }
        body.statements.insert(body.statements.begin(), std::make_move_iterator(start.begin()),
                               std::make_move_iterator(start.end()));
        for (auto input = replaced.rbegin(); input != replaced.rend(); ++input)
            removeInput(reader, *input);
    }

    static void removeInput(Class& cls, std::uint32_t input) {
        cls.inputs.erase(cls.inputs.begin() + input);
        forEachReference<ReadInput>(
            cls.body, [&](ReadInput& read) { read.input -= read.input > input ? 1 : 0; });
    }

    Stmt defaultOf(PlaneId output, LocalId local, Body& body) const {
        const Plane& plane = design_.planes[output.index];
        const ExprId id{static_cast<std::uint32_t>(body.exprs.size())};
        const Constant& value = plane.initial.values.front();
        switch (plane.type.scalar.kind) {
        case ScalarKind::Int:
            body.exprs.push_back({ExprType::Int, ConstInt{std::get<Integer>(value.value)}});
            break;
        case ScalarKind::Bool:
            body.exprs.push_back({ExprType::Bool, ConstBool{std::get<Integer>(value.value) != 0}});
            break;
        case ScalarKind::F32:
            body.exprs.push_back({ExprType::F32, ConstFloat{std::get<double>(value.value)}});
            break;
        case ScalarKind::F64:
            body.exprs.push_back({ExprType::F64, ConstFloat{std::get<double>(value.value)}});
            break;
        }
        return {design_.classes[plane.owner.index].range, Set{local, {}, id}};
    }

    Design& design_;
    const rules::Asker& ledger_;
    /// As it was at the start. A replica reads only what its driver read, which was looked at
    /// before: that stays right.
    const ReaderGraph graph_;
};

}  // namespace

bool replicateCheap(Design& design, const rules::Asker& ledger) {
    return Replicator(design, ledger).run();
}

}  // namespace smec::passes
