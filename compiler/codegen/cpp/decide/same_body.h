#pragma once

#include <cstdint>
#include <vector>

#include "codegen/cpp/decide/same_expressions.h"
#include "ir/ir.h"

namespace smec::codegen::cpp {

/// Whether statements have to stand at the same place of the source: #line shows it.
enum class SourceLines : std::uint8_t { Count, DoNotCount };

/// Whether two bodies compute the same from the same, in the same machine words: equal statements
/// over equal expressions, whatever their variables, fields and expressions are called or numbered.
/// What traces, fails or stops is equal to itself only: sites are compared by number.
class BodyMatch {
public:
    BodyMatch(const ir::Design& design, const ComparedClass& a, const ComparedClass& b,
              SourceLines lines)
        : a_(a.info), b_(b.info), lines_(lines), exprs_(design, a, b) {}

    /// What stands for the same in both.
    ExpressionMatch& leaves() { return exprs_; }

    bool isSame() { return same(a_.body->statements, b_.body->statements); }

private:
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
    bool same(const ir::Return& a, const ir::Return& b) { return exprs_.same(a.values, b.values); }
    bool same(const ir::Trace& a, const ir::Trace& b);
    bool same(const ir::Stop& a, const ir::Stop& b) { return exprs_.same(a.status, b.status); }
    bool sameCounter(const ir::Stmt& a, const ir::Stmt& b) const;

    const BodyInfo& a_;
    const BodyInfo& b_;
    const SourceLines lines_;
    ExpressionMatch exprs_;
};

}  // namespace smec::codegen::cpp
