#pragma once

#include "hir/types.h"
#include "hir/value.h"
#include "sema/interval.h"

/// The typing rules for integers (docs/language.md, "Numbers are exact") as functions of types alone.
namespace smec::sema {

struct Narrowing;

/// uN or iN of the stored width: what an integer of this declared type counts as. Other types are
/// returned as they are.
hir::TypeId operandType(hir::TypeTable& types, hir::TypeId declared);
/// The smallest type that holds the value, unsigned unless negative.
hir::TypeId smallestType(hir::TypeTable& types, const hir::Integer& value);
/// The smallest type that holds both.
hir::TypeId joined(hir::TypeTable& types, hir::TypeId left, hir::TypeId right);
/// Every value of `operand` is one of `target` (ranges take any integer: they are tested when
/// stored).
bool holds(const hir::TypeTable& types, hir::TypeId target, hir::TypeId operand);
/// `value` may be stored as it is. Unsized: 64 bits.
bool fits(const hir::TypeTable& types, hir::TypeId target, const hir::Integer& value);
/// `value` is a bit pattern of the type, signed or unsigned.
bool fitsPattern(const hir::TypeTable& types, hir::TypeId type, const hir::Integer& value);
/// "; write 'e.A'" where a member of an enum has this value; else nothing.
std::string memberHint(const hir::TypeTable& types, hir::TypeId enumeration,
                       const hir::Integer& value);
/// Bits of an integer, 1 for everything else.
std::uint32_t widthOf(const hir::TypeTable& types, hir::TypeId type);
Interval intervalOf(const hir::TypeTable& types, hir::TypeId type);

/// The operand type of `e op c` for a constant c; `joined` is the one without narrowing.
hir::TypeId narrowed(hir::TypeTable& types, hir::BinaryOp op, hir::TypeId joined, const Interval& e,
                     const hir::Integer& c);

}  // namespace smec::sema
