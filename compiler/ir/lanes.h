#pragma once

#include <cstdint>
#include <vector>

#include "ir/ir.h"

namespace smec::ir {

/// Whether vector instructions compute every expression of a body that is made of assignments to
/// scalars, branches and checks: no array but spread ones, no loop, no call, nothing wider than 64
/// bits. Such a body may also be evaluated for its checks alone, with whatever they would have kept
/// from it.
/// `intervals`: by ExprId.
bool suitsLanes(const Body& body, const std::vector<Interval>& intervals);

/// Whether a loop over a class's instances is made for vector instructions: nothing but assignments
/// and checks, and enough instances.
bool fillsLanes(const Class& cls, const std::vector<Interval>& intervals);

/// Whether such a loop around one of a constant number of rounds is: assignments, and in the midst
/// of them a `for` of assignments. g++ then runs the rounds of many instances at once; what is left
/// over costs an instance as much as a whole vector.
bool fillsLanesInRounds(const Class& cls, const std::vector<Interval>& intervals);

/// A scalar that lies somewhere, or a constant.
bool isLeaf(const Body& body, ExprId id);

/// A statement that reads or sets one element of an array, each instance its own, with nothing to
/// compute: `t = a[i]`, `a[i] = v`, and both in an `if (c)`, where i, v and c are constants or scalars
/// as they lie. Of a read the other side sets a constant.
bool isAccess(const Body& body, const Stmt& stmt);

/// Whether assignments that vector instructions compute alternate with such accesses, which run
/// instance by instance: a loop over some instances for each stretch of one of both.
bool fillsLanesInStages(const Class& cls, const std::vector<Interval>& intervals);

}  // namespace smec::ir
