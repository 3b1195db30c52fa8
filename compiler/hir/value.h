#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "hir/types.h"
#include "source/paged_list.h"

namespace smec::hir {

/// A value of the language. Integers (of any type) and enum members are `Integer`; arrays and
/// structs are lists in order. std::monostate: no value (an error was reported). 'U is
/// represented by the type's default where it is stored.
struct Value {
    using List = PagedList<Value>;
    std::variant<std::monostate, Integer, bool, float, double, std::string, List> data;

    bool valid() const { return data.index() != 0; }
    const Integer& integer() const { return std::get<Integer>(data); }
    bool boolean() const { return std::get<bool>(data); }
    const List& list() const { return std::get<List>(data); }
    List& list() { return std::get<List>(data); }
    bool operator==(const Value& other) const;  ///< floats by bit pattern
};

/// 0, false, 0.0, the first enum member, or the low end of a range that does not hold 0; arrays and
/// structs element by element.
Value defaultValue(const TypeTable& types, TypeId type);

/// `value` modulo 2^width, in two's complement when signed.
Integer wrap(const Integer& value, std::uint32_t width, bool isSigned);

/// The value as `trace("{}")` shows it.
std::string toString(const TypeTable& types, TypeId type, const Value& value);

/// One argument formatted by one placeholder. Throws nothing; `spec` was checked.
struct FormatSpec {
    bool zero = false;
    std::uint32_t width = 0;
    char radix = 'd';  ///< d, x, b; c: one byte, modulo 256, without a width
};
/// A format string split into literal pieces and placeholders (pieces.size() == specs.size() + 1).
/// Empty optional when malformed (then `error` says why).
struct ParsedFormat {
    std::vector<std::string> pieces;
    std::vector<FormatSpec> specs;
};
std::optional<ParsedFormat> parseFormat(std::string_view text, std::string& error);
/// `operandWidth`: negative numbers in x and b are shown in two's complement of so many bits at
/// least (for arrays and structs: of each leaf's type).
std::string format(const TypeTable& types, TypeId type, std::uint32_t operandWidth,
                   const Value& value, const FormatSpec& spec);

}  // namespace smec::hir
