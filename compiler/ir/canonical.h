#pragma once

#include <bit>
#include <cstdint>
#include <filesystem>
#include <string>
#include <type_traits>

#include "ir/visit.h"

/// A design, or a part of it, as a sequence of words: what is equal has equal words, and nothing
/// else has them. For hashes and for keys of what is alike.
namespace smec::ir {

/// What counts. Where something stands in the source never does.
struct Contents {
    /// What things are called, and whether they have names at all.
    bool names = true;
    /// Which of many something is: numbers of instances and planes, initial values, values of
    /// columns, connections. Without, planes count as what they are.
    bool instances = true;
    /// Values of integer constants in bodies, and what is known of locals and columns.
    bool constants = true;
};

// Every struct is taken apart by a structured binding, so that a member which is added to one does
// not compile before it counts here or is said not to. Lists begin with their length, choices with
// their number.

/// Gives the words to `out`: `out.word(std::uint64_t)`, `out.text(const std::string&)`,
/// `out.integer(const Integer&)`.
template <typename Out>
class Canonical {
public:
    Canonical(const Design& design, Contents contents, Out& out)
        : design_(design), contents_(contents), out_(out) {}

    void add(const Design& x) {
        const auto& [name, planes, classes, functions, tables, enums, shapes, names, processCount,
                     unchecked, uncountedRounds] = x;
        all(name, planes, classes, functions, tables, enums, shapes, names, processCount, unchecked,
            uncountedRounds);
    }
    void add(const Class& x) {
        const auto& [name, range, instances, combinational, isDelayLine, inputs, outputs, state,
                     columns, covers, runs, body] = x;
        named(name);
        all(range);
        single(instances);
        all(combinational, isDelayLine, inputs, outputs, state, columns, covers);
        single(runs);
        all(body);
    }
    void add(const Plane& x) {
        const auto& [name, kind, type, enumeration, range, owner, instances, perOwner, hold,
                     combinational, hidden, objects, initial, dimensions] = x;
        named(name);
        all(kind, type, enumeration, range);
        single(owner, instances);
        all(perOwner, hold, combinational);
        named(hidden);
        single(objects, initial);
        all(dimensions);
    }
    void add(const Input& x) {
        const auto& [name, type, elements, range] = x;
        named(name);
        all(type, elements, range);
    }

private:
    void add(const Function& x) {
        const auto& [name, range, owner, results, paramCount, body, mayFail, mayTrace, callsForeign,
                     external] = x;
        all(name, range, owner, results, paramCount, body, mayFail, mayTrace, callsForeign,
            external);
    }
    void add(const Table& x) {
        const auto& [type, values, name] = x;
        all(type, values, name);
    }
    void add(const Enum& x) {
        const auto& [name, width, isSigned, members] = x;
        all(name, width, isSigned, members);
    }
    void add(const EnumMember& x) {
        const auto& [name, value] = x;
        all(name, value);
    }
    void add(const Shape& x) {
        const auto& [kind, name, scalar, enumeration, range, element, count, members] = x;
        all(kind, name, scalar, enumeration, range, element, count, members);
    }
    void add(const Shape::Member& x) {
        const auto& [name, shape, leaf] = x;
        all(name, shape, leaf);
    }
    void add(const NameRun& x) {
        const auto& [prefix, suffix, index, count, plane, start, stride, exposed, variable, shape,
                     leaves] = x;
        all(prefix, suffix, index, count, plane, start, stride, exposed, variable, shape, leaves);
    }
    void add(const NameRun::Place& x) {
        const auto& [plane, start, stride, elements] = x;
        all(plane, start, stride, elements);
    }

    // ---- storage and wiring

    void add(const InitialData& x) {
        const auto& [perInstance, values] = x;
        all(perInstance, values);
    }
    void add(const Connection& x) {
        const auto& [runs] = x;
        single(runs);
    }
    void add(const Run& x) {
        const auto& [first, count, plane, start, stride] = x;
        all(first, count, plane, start, stride);
    }
    void add(const Output& x) {
        const auto& [name, plane, hold] = x;
        named(name);
        all(plane, hold);
    }
    void add(const Column& x) {
        const auto& [name, type, values, range] = x;
        named(name);
        all(type);
        single(values);
        if (contents_.constants) all(range);
    }
    void add(const Cover& x) {
        const auto& [name, counter] = x;
        all(name, counter);
    }
    void add(const InstanceRun& x) {
        const auto& [first, count, prefix, suffix, index, order, orderStride] = x;
        all(first, count, prefix, suffix, index, order, orderStride);
    }
    /// Where the file of the user's lies is no content.
    void add(const Foreign& x) {
        const auto& [isProcess, isSerial, name, header, isFile, range, id, constants, ports] = x;
        const std::string file =
            isFile ? std::filesystem::path(header).filename().string() : header;
        all(isProcess, isSerial, name, file, isFile, range, id, constants, ports);
    }
    void add(const Foreign::Port& x) {
        const auto& [name, isArray, elements, fields] = x;
        all(name, isArray, elements, fields);
    }
    void add(const Foreign::Field& x) {
        const auto& [name, shape, written] = x;
        all(name, shape, written);
    }
    void add(const Scalar& x) {
        const auto& [kind, isSigned, width] = x;
        all(kind, isSigned, width);
    }
    void add(const StorageType& x) {
        const auto& [scalar, length] = x;
        all(scalar, length);
    }
    void add(const Constant& x) {
        const auto& [value] = x;
        all(value);
    }
    void add(const Interval& x) {
        const auto& [low, high] = x;
        all(low, high);
    }

    // ---- bodies

    void add(const Body& x) {
        const auto& [exprs, locals, statements, traces, fails] = x;
        all(exprs, locals, statements, traces, fails);
    }
    void add(const Local& x) {
        const auto& [name, kind, type, slot, range, isHelper] = x;
        named(name);
        all(kind, type, slot);
        if (contents_.constants) all(range);
        named(isHelper);
    }
    void add(const TraceSite& x) {
        const auto& [format, args] = x;
        all(format, args);
    }
    void add(const ArgFormat& x) {
        const auto& [type, isSigned, bits, enumeration] = x;
        all(type, isSigned, bits, enumeration);
    }
    void add(const FailSite& x) {
        const auto& [kind, range, text, hasText, subject] = x;
        all(kind, range, text, hasText, subject);
    }

    // ---- expressions

    void add(const Expr& x) {
        const auto& [type, node] = x;
        all(type, node);
    }
    void add(const ConstInt& x) {
        const auto& [value] = x;
        if (contents_.constants) all(value);
    }
    void add(const ConstBool& x) {
        const auto& [value] = x;
        all(value);
    }
    void add(const ConstFloat& x) {
        const auto& [value] = x;
        all(value);
    }
    void add(const ReadColumn& x) {
        const auto& [column] = x;
        all(column);
    }
    void add(const ReadInput& x) {
        const auto& [input, element, index] = x;
        all(input, element, index);
    }
    void add(const ReadLocal& x) {
        const auto& [local, index] = x;
        all(local, index);
    }
    void add(const ReadTable& x) {
        const auto& [table, index] = x;
        all(table, index);
    }
    void add(const Unary& x) {
        const auto& [op, operand] = x;
        all(op, operand);
    }
    void add(const Binary& x) {
        const auto& [op, left, right] = x;
        all(op, left, right);
    }
    void add(const Select& x) {
        const auto& [condition, yes, no] = x;
        all(condition, yes, no);
    }
    void add(const Wrap& x) {
        const auto& [operand, width, isSigned] = x;
        all(operand, width, isSigned);
    }
    void add(const Convert& x) {
        const auto& [op, operand, width, isSigned] = x;
        all(op, operand, width, isSigned);
    }

    // ---- statements

    void add(const Stmt& x) {
        const auto& [range, node] = x;
        all(range, node);
    }
    void add(const Set& x) {
        const auto& [local, index, value] = x;
        all(local, index, value);
    }
    void add(const CopyArray& x) {
        const auto& [to, from] = x;
        all(to, from);
    }
    void add(const FillArray& x) {
        const auto& [to, value] = x;
        all(to, value);
    }
    void add(const Check& x) {
        const auto& [ok, site, args] = x;
        all(ok, site, args);
    }
    void add(const If& x) {
        const auto& [condition, yes, no] = x;
        all(condition, yes, no);
    }
    void add(const For& x) {
        const auto& [var, kind, from, to, body, rounds] = x;
        all(var, kind, from, to, body, rounds);
    }
    void add(const Loop& x) {
        const auto& [body, isStateMachine] = x;
        all(body, isStateMachine);
    }
    void add(const CountRound& x) {
        const auto& [site] = x;
        all(site);
    }
    void add(const Switch& x) {
        const auto& [subject, cases, otherwise] = x;
        all(subject, cases, otherwise);
    }
    void add(const SwitchCase& x) {
        const auto& [labels, body] = x;
        all(labels, body);
    }
    void add(const Call& x) {
        const auto& [results, function, args] = x;
        all(results, function, args);
    }
    void add(const Return& x) {
        const auto& [values] = x;
        all(values);
    }
    void add(const Trace& x) {
        const auto& [site, args] = x;
        all(site, args);
    }
    void add(const Stop& x) {
        const auto& [status] = x;
        all(status);
    }
    void add(const AnyOf<Cycle, Seed, Break, Continue> auto&) {}  // the choice's number says it

    // ---- what all of them are made of

    template <typename... T>
    void all(const T&... x) {
        (add(x), ...);
    }
    template <typename... T>
    void named(const T&... x) {
        if (contents_.names) all(x...);
    }
    template <typename... T>
    void single(const T&... x) {
        if (contents_.instances) all(x...);
    }
    /// By number where there are others to be told from; else by what it is.
    void add(const PlaneId& id) {
        if (contents_.instances)
            word(id.index);
        else
            add(design_.planes[id.index]);
    }
    void add(const SourceRange&) {}
    template <typename T>
        requires std::is_integral_v<T> || std::is_enum_v<T>
    void add(T x) {
        word(static_cast<std::uint64_t>(x));
    }
    void add(double x) { word(std::bit_cast<std::uint64_t>(x)); }
    void add(const Integer& x) { out_.integer(x); }
    void add(const std::string& text) { out_.text(text); }
    template <typename Tag>
    void add(const Id<Tag>& id) {
        word(id.index);
    }
    template <typename T>
    void add(const std::optional<T>& x) {
        word(x.has_value());
        if (x) add(*x);
    }
    template <typename T>
    void add(const std::vector<T>& list) {
        word(list.size());
        for (const T& x : list)
            add(x);
    }
    /// By content, whatever is shared: a page that is like the one before is a word.
    template <typename T>
    void add(const PagedList<T>& list) {
        word(list.size());
        const typename PagedList<T>::Page* last = nullptr;
        for (const auto& page : list.pages()) {
            const bool isRepeated = last && (page.get() == last || *page == *last);
            if (last) word(isRepeated);
            last = page.get();
            if (isRepeated) continue;
            for (const T& x : *page)
                add(x);
        }
    }
    template <typename... T>
    void add(const std::variant<T...>& choice) {
        word(choice.index());
        std::visit([&](const auto& x) { add(x); }, choice);
    }
    void word(std::uint64_t x) { out_.word(x); }

    const Design& design_;
    const Contents contents_;
    Out& out_;
};

}  // namespace smec::ir
