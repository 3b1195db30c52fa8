#pragma once

#include "interp/context.h"

namespace smec::interp {

enum class Outcome : std::uint8_t { Finished, Waiting, Returned };

/// Runs statements and evaluates expressions of one body: a process's, or a function's called from
/// it. Throws Failure where the activation fails. Expressions follow the order of LANGUAGE.md
/// section 9: left to right, and only what is needed.
class Machine {
public:
    /// `function`: whose body it is; null: the process's own.
    Machine(Context& context, Process& process, const PreparedBody& body,
            const hir::Function* function, Value* vars)
        : context_(context),
          process_(process),
          prepared_(body),
          body_(*body.body),
          function_(function),
          vars_(vars) {}

    /// Goes on at the top frame until the body ends, waits or (functions) returns.
    Outcome run(std::vector<Frame>& frames);
    bool holds(hir::ExprId condition);
    const Value& result() const { return result_; }  ///< after Returned

private:
    // Expressions. The value is found where it lies (variables, read slots, constants) or made in
    // `scratch`.
    Value evaluate(hir::ExprId id);
    const Value& look(hir::ExprId id, Value& scratch);
    const Value& look(const hir::Constant&, const hir::Expr&, Value& scratch);
    const Value& look(const hir::InstanceConstant&, const hir::Expr&, Value& scratch);
    const Value& look(const hir::ReadVar&, const hir::Expr&, Value& scratch);
    const Value& look(const hir::ReadField&, const hir::Expr&, Value& scratch);
    const Value& look(const hir::ArrayElement&, const hir::Expr&, Value& scratch);
    const Value& look(const hir::BitSelect&, const hir::Expr&, Value& scratch);
    const Value& look(const hir::SliceSelect&, const hir::Expr&, Value& scratch);
    const Value& look(const hir::IndexedSliceSelect&, const hir::Expr&, Value& scratch);
    const Value& look(const hir::StructMemberOf&, const hir::Expr&, Value& scratch);
    const Value& look(const hir::UnaryExpr&, const hir::Expr&, Value& scratch);
    const Value& look(const hir::BinaryExpr&, const hir::Expr&, Value& scratch);
    const Value& look(const hir::ConditionalExpr&, const hir::Expr&, Value& scratch);
    const Value& look(const hir::CastExpr&, const hir::Expr&, Value& scratch);
    const Value& look(const hir::MakeArray&, const hir::Expr&, Value& scratch);
    const Value& look(const hir::MakeStruct&, const hir::Expr&, Value& scratch);
    const Value& look(const hir::CallExpr&, const hir::Expr&, Value& scratch);
    const Value& look(const hir::BuiltinExpr&, const hir::Expr&, Value& scratch);
    Value apply(const hir::BinaryExpr& binary, const hir::Expr& expr, Value left);
    Value cast(Value value, TypeId from, TypeId to, SourceRange range);
    Value castToEnum(Value value, TypeId to, SourceRange range);
    Value builtin(const hir::BuiltinExpr& builtin);
    Value concatenation(const hir::BuiltinExpr& builtin);
    Value unsignedPattern(hir::ExprId operand);  ///< at the width of its operand type
    Value randomNumber();
    TypeId typeOf(hir::ExprId id) const { return body_[id].type; }

    // Stores.
    /// What a place of this type holds after `value` was stored: wrapped; Ranged: fails outside.
    Value stored(Value value, TypeId type, SourceRange range);
    void assign(const hir::Place& place, Value value);
    void store(const hir::Place& place, Value* slot, TypeId type, std::size_t step, Value value);
    std::uint32_t fieldIndex(std::uint32_t port, std::uint32_t field, std::uint64_t element) const;
    TypeId fieldType(std::uint32_t port, std::uint32_t field) const;
    std::optional<std::uint64_t> portElement(std::uint32_t port, hir::ExprId element,
                                             SourceRange range);
    static std::optional<std::uint64_t> positionBelow(const Value& index, std::uint64_t length);
    /// Of `width` bits from `low` on, where one lies outside: that one.
    static Value bitOutside(const Value& low, std::uint32_t width);
    /// Fails unless checks are off. `subject`: what is indexed.
    void outOfRange(const Value& index, std::uint64_t length, const std::string& subject,
                    SourceRange range) const;
    std::string sourceText(hir::ExprId id) const;
    std::string placeText(const hir::Place& place, std::size_t steps) const;

    // Statements. Each says whether execution of the frames goes on.
    enum class Flow : std::uint8_t { Next, Wait, Return };
    Flow execute(const hir::Assign&, const hir::Stmt&);
    Flow execute(const hir::InitVar&, const hir::Stmt&);
    Flow execute(const hir::If&, const hir::Stmt&);
    Flow execute(const hir::For&, const hir::Stmt&);
    Flow execute(const hir::While&, const hir::Stmt&);
    Flow execute(const hir::Switch&, const hir::Stmt&);
    Flow execute(const hir::Break&, const hir::Stmt&);
    Flow execute(const hir::Continue&, const hir::Stmt&);
    Flow execute(const hir::Return&, const hir::Stmt&);
    Flow execute(const hir::Trace&, const hir::Stmt&);
    Flow execute(const hir::Assert&, const hir::Stmt&);
    Flow execute(const hir::Cover&, const hir::Stmt&);
    Flow execute(const hir::Stop&, const hir::Stmt&);
    Flow execute(const hir::Wait&, const hir::Stmt&);
    Flow execute(const hir::WaitUntil&, const hir::Stmt&);
    void enter(const hir::Block& block);
    bool startRound(Frame& frame);
    bool startRound(Frame& frame, const hir::For& loop);
    void countRound(SourceRange loop);
    void leaveToLoop();
    std::string text(const hir::Text& text);

    Context& context_;
    Process& process_;
    const PreparedBody& prepared_;
    const hir::Body& body_;
    const hir::Function* function_;
    Value* vars_;
    std::vector<Frame>* frames_ = nullptr;
    Value result_;
};

}  // namespace smec::interp
