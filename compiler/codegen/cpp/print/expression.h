#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "codegen/cpp/decide/body_info.h"
#include "codegen/cpp/print/names.h"
#include "codegen/cpp/print/text.h"
#include "codegen/cpp/print/value.h"

namespace smec::codegen::cpp {

/// A variable, or a pointer to the elements of an array.
struct Place {
    std::string name;
    Word type;  ///< of the variable or an element
};

/// An array port whose element is chosen at run time: base[index[e]], or where slots differ
/// sme::pick(context, index[e]).
struct Selection {
    std::string base;
    std::string index;
    Slot slot = Slot::Read;
    Word type;
    std::uint32_t elements = 1;
};

/// The C++ names of what a body reads and writes.
struct Leaves {
    std::vector<Place> locals;
    std::map<std::pair<std::uint32_t, std::uint32_t>, Place> inputs;  ///< by (input, element)
    std::map<std::uint32_t, Selection> selections;                    ///< by input
    std::map<std::uint32_t, Value> columns;
};

/// Prints the expressions of one statement at a time. Whatever is used more than once, or would
/// make a long line, becomes a constant in front of the statement.
class Expressions {
public:
    Expressions(const CppDesign& cpp, const BodyInfo& info, const std::vector<ir::Input>& inputs,
                const Leaves& leaves, Selects selects, Names& names, Writer& out);

    /// Starts a statement that uses these expressions, and writes the constants it needs.
    void prepare(const std::vector<ir::ExprId>& roots);
    /// The same, unless it had to write something: then false, and nothing is prepared.
    bool prepareInPlace(const std::vector<ir::ExprId>& roots);
    /// Of a prepared expression.
    const Value& operator[](ir::ExprId id) const { return values_[id.index]; }
    Value as(ir::ExprId id, const Word& word) const { return convert(values_[id.index], word); }
    const ExprFacts& facts(ir::ExprId id) const { return info_.facts[id.index]; }
    /// An element of an array of `length`, kept in bounds.
    std::string element(const std::string& array, ir::ExprId index, std::uint32_t length) const;
    /// Pointer to the elements of an array-valued read: of a local, an input or a table without
    /// index.
    std::string arrayOf(ir::ExprId id) const;
    std::string arrayOfInput(const ir::ReadInput& read) const;
    Selects selects() const { return selects_; }

private:
    void countUses(const std::vector<ir::ExprId>& roots);
    bool wantsName(ir::ExprId id) const;
    void name(ir::ExprId id);
    Word wordOfNode(ir::ExprId id) const { return facts(id).word; }
    const Extent& extent(ir::ExprId id) const { return facts(id).extent; }

    Value build(ir::ExprId id) const;
    Value read(const ir::ReadInput& node) const;
    Value read(const ir::ReadLocal& node) const;
    Value read(const ir::ReadTable& node) const;
    Value unary(ir::ExprId id, const ir::Unary& node) const;
    Value binary(ir::ExprId id, const ir::Binary& node) const;
    Value modular(ir::ExprId id, const ir::Binary& node) const;
    Value shiftLeft(ir::ExprId id, const ir::Binary& node) const;
    Value shiftRight(ir::ExprId id, const ir::Binary& node) const;
    Value exact(ir::ExprId id, const ir::Binary& node) const;
    ir::ExprId testedForLowBit(const ir::Binary& node) const;
    Value lowBit(const ir::Binary& node, ir::ExprId of) const;
    Value comparison(const ir::Binary& node) const;
    Value logical(const ir::Binary& node) const;
    Value floating(ir::ExprId id, const ir::Binary& node) const;
    std::string tableName(ir::TableId id) const { return "tables::" + cpp_.names.tables[id.index]; }
    Value select(ir::ExprId id, const ir::Select& node) const;
    Value maskedSelect(ir::ExprId id, const ir::Select& node) const;
    Value wrap(ir::ExprId id, const ir::Wrap& node) const;
    Value conversion(ir::ExprId id, const ir::Convert& node) const;

    const CppDesign& cpp_;
    const BodyInfo& info_;
    const std::vector<ir::Input>& inputs_;
    const Leaves& leaves_;
    const Selects selects_;  ///< masks: small words stay small in them
    Names& names_;
    Writer& out_;
    std::vector<Value> values_;
    std::vector<std::uint32_t> uses_;
    std::vector<ir::ExprId> order_;
};

}  // namespace smec::codegen::cpp
