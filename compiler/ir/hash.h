#pragma once

#include "ir/ir.h"

namespace smec::ir {

/// A number for the design's content: names, storage, wiring, bodies and texts. Two designs that
/// behave differently do not agree; two that behave alike may still differ in it. Where something
/// stands in the source does not count, so that an edit of comments keeps the hash.
std::uint64_t hashOf(const Design& design);

/// The same for what the instances of a class do and keep, without names, initial values and wiring.
std::uint64_t hashOf(const Design& design, const Class& cls);

/// What tells designs in states and elsewhere: the hash that was taken before options had a say, so
/// that every build of a design has the same; else the hash of what is there.
std::uint64_t identityOf(const Design& design);

}  // namespace smec::ir
