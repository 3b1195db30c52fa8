#pragma once

#include <vector>

#include "codegen/cpp/print/operand.h"
#include "codegen/cpp/print/reads.h"
#include "codegen/cpp/print/text.h"

namespace smec::codegen::cpp {

/// Prints the expressions of one statement at a time. Whatever is used more than once, or would
/// make a long line, becomes a constant in front of the statement.
class Expressions {
public:
    Expressions(const CppDesign& cpp, const BodyInfo& info, const std::vector<ir::Input>& inputs,
                const Leaves& leaves, Selects selects, Names& names, Writer& out);
    Expressions(const Expressions&) = delete;
    Expressions& operator=(const Expressions&) = delete;

    /// Starts a statement that uses these expressions, and writes the constants it needs.
    void prepare(const std::vector<ir::ExprId>& roots);
    /// The same, unless it had to write something: then false, and nothing is prepared.
    bool prepareInPlace(const std::vector<ir::ExprId>& roots);
    /// Of a prepared expression.
    const Value& operator[](ir::ExprId id) const { return values_[id.index]; }
    Value as(ir::ExprId id, const Word& word) const { return convert(values_[id.index], word); }
    const ExprFacts& facts(ir::ExprId id) const { return info_.facts[id.index]; }
    const Reads& reads() const { return reads_; }
    Selects selects() const { return selects_; }

private:
    void countUses(const std::vector<ir::ExprId>& roots);
    bool wantsName(ir::ExprId id) const;
    void name(ir::ExprId id);
    Value build(ir::ExprId id) const;
    Value binary(ir::ExprId id, const ir::Binary& node) const;
    Value select(ir::ExprId id, const ir::Select& node) const;
    Operand operand(ir::ExprId id) const { return {values_[id.index], facts(id)}; }

    const BodyInfo& info_;
    const Selects selects_;  ///< masks: small words stay small in them
    Names& names_;
    Writer& out_;
    std::vector<Value> values_;
    std::vector<std::uint32_t> uses_;
    std::vector<ir::ExprId> order_;
    Reads reads_;
};

}  // namespace smec::codegen::cpp
