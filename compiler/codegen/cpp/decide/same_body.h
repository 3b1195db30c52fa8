#pragma once

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "codegen/cpp/decide/body_info.h"
#include "ir/ir.h"

namespace smec::codegen::cpp {

/// Whether statements have to stand at the same place of the source: #line shows it.
enum class SourceLines : std::uint8_t { Count, DoNotCount };

/// Whether two bodies compute the same from the same, in the same machine words: equal statements
/// over equal expressions, whatever their variables, fields and expressions are called or numbered.
/// What traces, fails or stops is equal to itself only: sites are compared by number.
class BodyMatch {
public:
    struct Side {
        const ir::Class& cls;
        const BodyInfo& info;
    };
    BodyMatch(const ir::Design& design, const Side& a, const Side& b, SourceLines lines);

    /// What stands for the same in both. Locals: false when one is paired already, or of another
    /// type.
    void pairInputs(std::uint32_t a, std::uint32_t b) { inputs_[a] = b; }
    void pairColumns(std::uint32_t a, std::uint32_t b) { columns_[a] = b; }
    bool pairLocals(ir::LocalId a, ir::LocalId b);

    bool isSame() { return same(a_.body->statements, b_.body->statements); }

private:
    using ExprPair = std::pair<ir::ExprId, ir::ExprId>;

    bool same(const ir::Block& a, const ir::Block& b);
    bool same(const ir::Stmt& a, const ir::Stmt& b);
    bool same(const ir::Set& a, const ir::Set& b);
    bool same(const ir::CopyArray& a, const ir::CopyArray& b);
    bool same(const ir::FillArray& a, const ir::FillArray& b);
    bool same(const ir::Check& a, const ir::Check& b);
    bool same(const ir::If& a, const ir::If& b);
    bool same(const ir::For& a, const ir::For& b);
    bool same(const ir::Loop& a, const ir::Loop& b) { return same(a.body, b.body); }
    bool same(const ir::CountRound& a, const ir::CountRound& b) { return a.site == b.site; }
    bool same(const ir::Switch& a, const ir::Switch& b);
    bool same(const ir::Break&, const ir::Break&) { return true; }
    bool same(const ir::Continue&, const ir::Continue&) { return true; }
    bool same(const ir::Call& a, const ir::Call& b);
    bool same(const ir::Return& a, const ir::Return& b) { return same(a.values, b.values); }
    bool same(const ir::Trace& a, const ir::Trace& b);
    bool same(const ir::Stop& a, const ir::Stop& b) { return same(a.status, b.status); }

    bool same(ir::LocalId a, ir::LocalId b) { return pairLocals(a, b); }
    bool same(ir::TableId a, ir::TableId b) { return a == b; }
    bool same(const ir::ReadInput& a, const ir::ReadInput& b);
    bool sameRead(const ir::ReadInput& a, const ir::ReadInput& b) const;
    bool same(const std::vector<ir::ExprId>& a, const std::vector<ir::ExprId>& b);
    /// Both may be invalid.
    bool same(ir::ExprId a, ir::ExprId b);
    bool sameNode(ir::ExprId a, ir::ExprId b);
    bool sameCounter(const ir::Stmt& a, const ir::Stmt& b) const;
    bool sameWords(ir::ExprId a, ir::ExprId b) const;
    bool sameBinary(const ir::Binary& a, const ir::Binary& b) const;
    /// Whether both or neither are known to lie in an array.
    bool sameBounds(ir::ExprId a, ir::ExprId b, std::uint64_t length) const;
    std::uint32_t lengthOf(ir::LocalId a) const { return a_.body->locals[a.index].type.length; }
    const ExprFacts& factsA(ir::ExprId id) const { return a_.facts[id.index]; }
    const ExprFacts& factsB(ir::ExprId id) const { return b_.facts[id.index]; }

    const ir::Design& design_;
    const ir::Class& cls_;  ///< of a
    const BodyInfo& a_;
    const BodyInfo& b_;
    const SourceLines lines_;
    std::map<std::uint32_t, std::uint32_t> inputs_;
    std::map<std::uint32_t, std::uint32_t> columns_;
    std::vector<ir::LocalId> localOfB_;  ///< by local of a; invalid: none yet
    std::vector<ir::LocalId> localOfA_;  ///< by local of b
    std::vector<ir::ExprId> exprOfB_;    ///< by expression of a: compared with this one before
};

}  // namespace smec::codegen::cpp
