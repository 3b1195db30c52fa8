#pragma once

#include "ir/ir.h"
#include "ir/members.h"
#include "source/overloaded.h"

/// What a body consists of, member by member: taken apart by a structured binding, so that a member
/// which is added does not compile before it is in a list or said not to count.
namespace smec::ir {

inline auto membersOf(const Body& x) {
    const auto& [exprs, locals, statements, traces, fails] = x;
    return always(exprs, locals, statements, traces, fails);
}

inline auto membersOf(const Local& x) {
    const auto& [name, kind, type, slot, range, isHelper, form] = x;
    return std::tuple_cat(withNames(name), always(kind, type, slot, form), withConstants(range),
                          withNames(isHelper));
}

inline auto membersOf(const TraceSite& x) {
    const auto& [format, args] = x;
    return always(format, args);
}

inline auto membersOf(const ArgFormat& x) {
    const auto& [type, isSigned, bits, enumeration] = x;
    return always(type, isSigned, bits, enumeration);
}

inline auto membersOf(const FailSite& x) {
    const auto& [kind, range, text, hasText, subject] = x;
    return always(kind, range, text, hasText, subject);
}

// ---- expressions

inline auto membersOf(const Expr& x) {
    const auto& [type, node] = x;
    return always(type, node);
}

inline auto membersOf(const ConstInt& x) {
    const auto& [value] = x;
    return withConstants(value);
}

inline auto membersOf(const ConstBool& x) {
    const auto& [value] = x;
    return always(value);
}

inline auto membersOf(const ConstFloat& x) {
    const auto& [value] = x;
    return always(value);
}

inline auto membersOf(const ReadColumn& x) {
    const auto& [column] = x;
    return always(column);
}

inline auto membersOf(const ReadInput& x) {
    const auto& [input, element, index] = x;
    return always(input, element, index);
}

inline auto membersOf(const ReadLocal& x) {
    const auto& [local, index] = x;
    return always(local, index);
}

inline auto membersOf(const ReadTable& x) {
    const auto& [table, index] = x;
    return always(table, index);
}

inline auto membersOf(const Unary& x) {
    const auto& [op, operand] = x;
    return always(op, operand);
}

inline auto membersOf(const Binary& x) {
    const auto& [op, left, right] = x;
    return always(op, left, right);
}

inline auto membersOf(const Select& x) {
    const auto& [condition, yes, no] = x;
    return always(condition, yes, no);
}

inline auto membersOf(const Wrap& x) {
    const auto& [operand, width, isSigned] = x;
    return always(operand, width, isSigned);
}

inline auto membersOf(const Convert& x) {
    const auto& [op, operand, width, isSigned] = x;
    return always(op, operand, width, isSigned);
}

// ---- statements

inline auto membersOf(const Stmt& x) {
    const auto& [range, node, id] = x;
    return always(range, node);  // `id` follows from where it stands
}

inline auto membersOf(const Set& x) {
    const auto& [local, index, value] = x;
    return always(local, index, value);
}

inline auto membersOf(const CopyArray& x) {
    const auto& [to, from] = x;
    return always(to, from);
}

inline auto membersOf(const FillArray& x) {
    const auto& [to, value] = x;
    return always(to, value);
}

inline auto membersOf(const Check& x) {
    const auto& [ok, site, args] = x;
    return always(ok, site, args);
}

inline auto membersOf(const If& x) {
    const auto& [condition, yes, no] = x;
    return always(condition, yes, no);
}

inline auto membersOf(const For& x) {
    const auto& [var, kind, from, to, body, rounds] = x;
    return always(var, kind, from, to, body, rounds);
}

inline auto membersOf(const Loop& x) {
    const auto& [body, isStateMachine] = x;
    return always(body, isStateMachine);
}

inline auto membersOf(const CountRound& x) {
    const auto& [site] = x;
    return always(site);
}

inline auto membersOf(const Switch& x) {
    const auto& [subject, cases, otherwise] = x;
    return always(subject, cases, otherwise);
}

inline auto membersOf(const SwitchCase& x) {
    const auto& [labels, body] = x;
    return always(labels, body);
}

inline auto membersOf(const Call& x) {
    const auto& [results, function, args] = x;
    return always(results, function, args);
}

inline auto membersOf(const Return& x) {
    const auto& [values] = x;
    return always(values);
}

inline auto membersOf(const Trace& x) {
    const auto& [site, args] = x;
    return always(site, args);
}

inline auto membersOf(const Stop& x) {
    const auto& [status] = x;
    return always(status);
}

inline auto membersOf(const AnyOf<Cycle, Seed, Break, Continue> auto&) {
    return std::tuple();  // the choice's number says it
}

}  // namespace smec::ir
