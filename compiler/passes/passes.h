#pragma once

#include <span>

#include "ir/ir.h"
#include "rules/ledger.h"

/// The passes, one file each. Each leaves a design that verifies and behaves as before. Those that do what
/// need not be done ask the ledger.
namespace smec::passes {

/// Rebuilds every body with what interval analysis knows: constants, comparisons that always come
/// out the same, wraps that change nothing, branches and loops that are never taken.
void fold(ir::Design& design);

/// Removes checks that always hold: by intervals, by conditions around them, by equal checks in
/// front.
void removeProvedChecks(ir::Design& design);

/// Removes temporaries nobody reads, and then expressions, inputs, columns, tables, functions,
/// traces and failure sites nobody uses.
void removeDead(ir::Design& design);

/// Classes whose bodies, types and wiring shapes are equal become one, the later one's instances
/// after the first one's. Only classes that neither trace nor stop (their texts and their order of
/// output would differ), that fail at the same places, and that call no function of their own. Whether there
/// were any. `rule`: for the sake of which.
bool mergeClasses(ir::Design& design, const rules::Asker& ledger = {},
                  rules::Rule rule = rules::Rule::MergedClasses);

/// Kinds of processes that stand among one another, so that connections change to and fro between
/// them, become classes that mergeClasses() makes one of: constants in which they differ become
/// columns, and where they differ in more, a column tells whose body an instance has. Whether there
/// were any.
bool joinInterleaved(ir::Design& design, const rules::Asker& ledger = {});

/// Instances that read from places which follow no rule get other numbers, in an order in which
/// they do not. Whether there were any.
bool orderInstances(ir::Design& design, const rules::Asker& ledger = {});

/// Cheap combinational processes that are read across instances are computed by their readers, too,
/// so that these need not wait for them. Whether there were any.
bool replicateCheap(ir::Design& design, const rules::Asker& ledger = {});

/// Of these held arrays, which have no logs yet and set what they are to note, it is noted what an
/// activation sets, so that the next one need not copy the whole (Output::log). Whether there were any.
bool replaySets(ir::Design& design, std::span<const ir::LogWanted> logs);

/// Calls, loops, small arrays and branches of bodies that vector instructions can compute without
/// them go, in classes with enough instances to fill the lanes. Whether there were any.
bool fillLanes(ir::Design& design, const rules::Asker& ledger = {});

/// Long sequences of tests of one value with constants become switches of it. Whether there were
/// any.
bool gatherCases(ir::Design& design, const rules::Asker& ledger = {});

}  // namespace smec::passes
