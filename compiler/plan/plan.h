#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "ir/ir.h"
#include "plan/facts.h"
#include "plan/storage.h"
#include "plan/target.h"
#include "rules/ledger.h"

namespace smec::plan {

struct Options {
    /// --partition-size: statements per translation unit
    std::uint32_t unitStatements = target::kUnitStatements;
    std::uint32_t blockStatements = target::kBlockStatements;  ///< of a function of such code
    /// Of a function that is a whole design: more statements are cut into functions of as many as above.
    std::uint64_t longestFunction = target::longestFunction();
    double blockCost = target::kBlockCost;
    bool lanes = true;  ///< loops are compiled to vector instructions where bodies suit them
    /// Classes with fewer instances become straight-line code, unless that is more than a block's.
    std::uint32_t loopThreshold = target::kLoopInstances;
    /// A light design with combinational processes is one block up to so many statements; 0: never.
    std::uint32_t wholeStatements = 0;
    rules::Asker ledger{};
};

struct InstanceRef {
    ir::ClassId cls;
    std::uint32_t instance;
    bool operator==(const InstanceRef&) const = default;
};

/// Instances begin … end-1 of a class, all independent of one another.
struct OrderedRow {
    ir::ClassId cls;
    std::uint32_t begin;
    std::uint32_t end;
    bool operator==(const OrderedRow&) const = default;
};

enum class KernelKind : std::uint8_t {
    Loop,     ///< over all instances of `cls`
    Block,    ///< straight-line code for `steps`
    Ordered,  ///< combinational classes whose instances depend on one another across classes: calls
              ///< their loops, row by row
    Merged  ///< combinational classes and what reads them instance by instance: calls the loops of
            ///< `parts`, one after the other, over the same instances
};

/// Whether a translation unit starts with a kernel.
enum class UnitStart : std::uint8_t {
    ByName,    ///< where the unit before is full, or half full and the name says so
    WhenFull,  ///< where the unit before has no room for it
    Here
};

/// A step, and a branch in it that sets what others read.
struct Waker {
    std::uint32_t step;
    ir::StmtId branch;  ///< the first statement in it
    auto operator<=>(const Waker&) const = default;
};
/// A step that need not run in unobserved cycles before which nobody has woken it.
struct Resting {
    std::uint32_t step;
    std::vector<Waker> wakers;  ///< steps behind it
};

/// A function of the generated code.
struct Kernel {
    KernelKind kind = KernelKind::Loop;
    bool scheduled = true;  ///< false: a Loop that only an Ordered or Merged kernel calls; no work
                            ///< of its own
    ir::ClassId cls;        ///< Loop
    std::vector<InstanceRef> steps;  ///< Block, in order
    bool isWhole = false;            ///< Block: these are all steps of the design
    /// Block: steps at which another function begins, which may stand in another unit. What one of them
    /// tells another goes through memory.
    std::vector<std::uint32_t> cuts;
    bool isUnobserved = false;     ///< Block: there are cycles after which nobody looks
    std::vector<Resting> resting;  ///< Block: in the order of steps
    std::vector<OrderedRow> rows;  ///< Ordered, in topological order
    /// Merged, drivers before readers: equally many instances of each. Their loops are the kernels
    /// directly in front of this one.
    std::vector<ir::ClassId> parts;
    std::uint32_t level = 0;
    std::uint32_t statements = 0;  ///< static size
    std::uint64_t processes = 0;   ///< process steps of one run
    double cost = 0;               ///< per instance (Loop, Merged) or in all
    UnitStart unitStart = UnitStart::ByName;
    std::uint32_t granularity = 1;  ///< Loop, Merged: instances per cache line of all it writes
    /// Loop, Merged: about how many instances one vector instruction works on. `cost` is that of an
    /// instance by itself.
    std::uint32_t lanes = 1;
};

/// A function of a block that is cut.
struct CutFunction {
    std::uint32_t kernel;    ///< index into Plan::kernels
    std::uint32_t function;  ///< begins at that cut, or 0 at the first step
    bool operator==(const CutFunction&) const = default;
};

struct TranslationUnit {
    std::string name;  ///< stable under edits elsewhere: "unit_<first process name>_<n>"
    std::vector<std::uint32_t> kernels;  ///< indices into Plan::kernels
    /// Of blocks that are cut, in this unit or an earlier one, which call them.
    std::vector<CutFunction> functions{};
};

/// Where a plane lies: byte offset in its region and bytes per instance. What has one slot lies in the
/// State region, all else in the Clocked one: undriven fields, too, so that one base pointer serves
/// a port whose elements come from anywhere.
struct Placement {
    std::uint64_t offset = 0;
    std::uint32_t bytesPerElement = 1;   ///< of one scalar: 1, 2, 4, 8, or limbs
    std::uint64_t bytesPerInstance = 1;  ///< times the array's length
    std::uint64_t bytesToNext = 0;  ///< Order::ByElement: from an element's plane to the next one's
};
/// Bytes of one stored scalar: 1, 2, 4, 8, or a multiple of 8.
std::uint32_t storageBytes(const ir::Scalar& scalar);

struct Plan {
    /// In order of work: by level, then source order or, where it pays, by minimum cut.
    std::vector<Kernel> kernels;
    std::vector<TranslationUnit> units;
    Storage storage;                    ///< per plane
    std::vector<Placement> placements;  ///< per plane
    std::uint64_t clockedBytes = 0;     ///< of one slot
    std::uint64_t stateBytes = 0;
    /// Per plane, empty in source order: how deep in the bisection of the straight-line steps a
    /// reader parts from the writer; 0 is the middle of the list, 255 nowhere.
    std::vector<std::uint8_t> cutDepths;
    std::uint32_t levels = 1;  ///< combinational levels, then the clocked one
};

/// Cost of one activation in abstract units (an addition is 1), the scheduler's static estimate.
double costOf(const ir::Body& body, const ir::Design& design);

/// Splits the design into kernels and translation units of bounded size and lays out the planes.
/// Greedy in source order with boundaries chosen by names, so that an edit moves as few processes
/// as possible. Planes of looped classes start on cache lines; what the straight-line blocks of a
/// translation unit write is packed, each unit's on lines of its own. O(classes + straight-line
/// instances + runs).
///
/// In two steps, between which the logs that `storage` names are put into the design (passes/replay): kernels,
/// units and homes come first, and know what bodies are without logs; upkeep and places come last. `facts`: of the design
/// as it is at the step.
Plan decide(const ir::Design& design, const Facts& facts, const Options& options);
void place(const ir::Design& design, const Facts& facts, const Options& options, Plan& plan);

/// Both, for who has no logs put in: arrays are copied instead.
Plan build(const ir::Design& design, const Facts& facts, const Options& options);
/// The same where nobody else needs the facts.
Plan build(const ir::Design& design, const Options& options);

/// Stable text, for --emit=plan and golden tests.
std::string print(const Plan& plan, const ir::Design& design);

}  // namespace smec::plan
