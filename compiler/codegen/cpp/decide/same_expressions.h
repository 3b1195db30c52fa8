#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "codegen/cpp/decide/body_info.h"
#include "ir/ir.h"

namespace smec::codegen::cpp {

/// A class of which something is compared, with what is known of its body.
struct ComparedClass {
    const ir::Class& cls;
    const BodyInfo& info;
};

/// Whether expressions of two bodies compute the same from the same, in the same machine words.
class ExpressionMatch {
public:
    ExpressionMatch(const ir::Design& design, const ComparedClass& a, const ComparedClass& b);

    /// What stands for the same in both. Locals: false when one is paired already, or of another
    /// type.
    void pairInputs(std::uint32_t a, std::uint32_t b) { inputs_[a] = b; }
    void pairColumns(std::uint32_t a, std::uint32_t b) { columns_[a] = b; }
    bool pairLocals(ir::LocalId a, ir::LocalId b);

    /// Both may be invalid.
    bool same(ir::ExprId a, ir::ExprId b);
    bool same(const std::vector<ir::ExprId>& a, const std::vector<ir::ExprId>& b);
    bool same(const ir::ReadInput& a, const ir::ReadInput& b);
    /// Whether both or neither are known to lie in an array.
    bool sameBounds(ir::ExprId a, ir::ExprId b, std::uint64_t length) const;
    std::uint32_t lengthOf(ir::LocalId a) const { return a_.body->locals[a.index].type.length; }

private:
    bool sameNode(ir::ExprId a, ir::ExprId b);
    bool sameRead(const ir::ReadInput& a, const ir::ReadInput& b) const;
    bool sameWords(ir::ExprId a, ir::ExprId b) const;
    bool sameBinary(const ir::Binary& a, const ir::Binary& b) const;

    const ir::Design& design_;
    const ir::Class& cls_;  ///< of a
    const BodyInfo& a_;
    const BodyInfo& b_;
    std::map<std::uint32_t, std::uint32_t> inputs_;
    std::map<std::uint32_t, std::uint32_t> columns_;
    std::vector<ir::LocalId> localOfB_;  ///< by local of a; invalid: none yet
    std::vector<ir::LocalId> localOfA_;  ///< by local of b
    std::vector<ir::ExprId> exprOfB_;    ///< by expression of a: compared with this one before
};

}  // namespace smec::codegen::cpp
