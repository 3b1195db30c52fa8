#include "syntax/build_statements.h"

#include <utility>

#include <fmt/format.h>

#include "syntax/build_literals.h"

namespace smec::syntax {

namespace {

using P = grammar::SmeParser;

std::optional<ast::BinaryOp> compoundOperator(std::size_t type) {
    switch (type) {
    case P::PlusAssign: return ast::BinaryOp::Add;
    case P::MinusAssign: return ast::BinaryOp::Sub;
    case P::StarAssign: return ast::BinaryOp::Mul;
    case P::AndAssign: return ast::BinaryOp::And;
    case P::OrAssign: return ast::BinaryOp::Or;
    case P::XorAssign: return ast::BinaryOp::Xor;
    case P::ShiftLeftAssign: return ast::BinaryOp::Shl;
    case P::ShiftRightAssign: return ast::BinaryOp::Shr;
    default: return std::nullopt;
    }
}

ast::LoopDirection directionOf(std::size_t type) {
    switch (type) {
    case P::Downto: return ast::LoopDirection::Downto;
    case P::Until: return ast::LoopDirection::Until;
    default: return ast::LoopDirection::To;
    }
}

}  // namespace

ast::Block StatementBuilder::block(P::BlockContext& context) {
    ast::Block out{in_.rangeOf(context), {}};
    out.statements.reserve(context.statements.size());
    for (P::StatementContext* inner : context.statements)
        out.statements.push_back(statement(*inner));
    return out;
}

ast::Stmt StatementBuilder::statement(P::StatementContext& context) {
    SourceRange range = in_.rangeOf(context);
    return {range, statementNode(context)};
}

ast::Stmt StatementBuilder::variableStatement(P::VariableDeclarationContext& context) {
    SourceRange range = in_.rangeOf(context);
    return {range, variable(context)};
}

ast::VarDecl StatementBuilder::variable(P::VariableDeclarationContext& context) {
    ast::VarDecl out{
        in_.declared(*context.name), types_.bounded(*context.annotation, context.bounds), {}};
    out.init = expressions_.optional(context.init);
    return out;
}

decltype(ast::Stmt::node) StatementBuilder::statementNode(P::StatementContext& context) {
    if (context.assignment) return assignment(*context.assignment);
    if (context.variable) return variable(*context.variable);
    if (context.if_) return ifStatement(*context.if_);
    if (context.for_) return forStatement(*context.for_);
    if (context.while_) {
        ast::ExprId condition = expressions_.expression(*context.while_->condition);
        return ast::While{condition, block(*context.while_->body)};
    }
    if (context.switch_) return switchStatement(*context.switch_);
    if (context.simple) return simpleStatement(context.simple->word->getType());
    if (context.return_) return ast::Return{expressions_.optional(context.return_->value)};
    if (context.trace) {
        ast::ExprId format = buildString(in_, context.trace->format);
        return ast::Trace{format, expressions_.list(context.trace->arguments)};
    }
    if (context.assertion) return assertStatement(*context.assertion);
    if (context.cover) {
        ast::ExprId condition = expressions_.expression(*context.cover->condition);
        return ast::Cover{condition, buildString(in_, context.cover->name)};
    }
    if (context.stop) return ast::Stop{expressions_.optional(context.stop->status)};
    if (context.wait && context.wait->condition)
        return ast::WaitUntil{expressions_.expression(*context.wait->condition)};
    if (context.wait) return ast::Wait{expressions_.optional(context.wait->count), false};
    return block(*context.inner);
}

decltype(ast::Stmt::node) StatementBuilder::simpleStatement(std::size_t word) {
    if (word == P::Break) return ast::Break{};
    if (word == P::Continue) return ast::Continue{};
    return ast::Wait{{}, true};
}

ast::Assign StatementBuilder::assignment(P::AssignmentStatementContext& context) {
    const ast::ExprId target = expressions_.target(context);
    warnAboutSign(context.op, context.value->start);
    return {target, compoundOperator(context.op->getType()),
            expressions_.expression(*context.value)};
}

/// `a =+ 1`: the sign touches the operator and not the operand.
void StatementBuilder::warnAboutSign(const Token* op, const Token* sign) {
    const bool isSign = sign->getType() == P::Plus || sign->getType() == P::Minus;
    if (op->getType() != P::Assign || !isSign) return;
    const SourceRange range = in_.rangeOf(op, sign);
    const bool touches = range.end - range.begin == 2;
    if (!touches || in_.rangeOf(in_.next(sign)).begin == range.end) return;
    in_.diagnostics.report(DiagId::SignedAssign, range, in_.textOf(range),
                           fmt::format("{}=", in_.textOf(sign)));
}

ast::If StatementBuilder::ifStatement(P::IfStatementContext& context) {
    ast::If out;
    out.branches.reserve(context.conditions.size());
    for (std::size_t i = 0; i < context.conditions.size(); ++i) {
        ast::ExprId condition = expressions_.expression(*context.conditions[i]);
        out.branches.push_back({condition, block(*context.bodies[i])});
    }
    if (context.otherwise) out.otherwise = block(*context.otherwise);
    return out;
}

ast::For StatementBuilder::forStatement(P::ForStatementContext& context) {
    ast::For out;
    out.variable = in_.declared(*context.variable);
    out.from = expressions_.expression(*context.from_);
    out.direction = directionOf(context.direction->getType());
    out.to = expressions_.expression(*context.to_);
    out.body = block(*context.body);
    return out;
}

ast::Switch StatementBuilder::switchStatement(P::SwitchStatementContext& context) {
    ast::Switch out{expressions_.expression(*context.subject), {}, {}};
    for (P::SwitchCaseContext* part : context.cases) {
        std::vector<ast::CaseLabel> labels;
        for (P::CaseLabelContext* label : part->labels) {
            labels.push_back({expressions_.expression(*label->first)});
            if (label->last) labels.back().last = expressions_.expression(*label->last);
        }
        out.cases.push_back({in_.rangeOf(*part), std::move(labels), block(*part->body)});
    }
    for (P::DefaultCaseContext* part : context.defaults) {
        if (out.otherwise)
            in_.diagnostics.report(DiagId::GivenTwice, in_.rangeOf(part->start), "default");
        else
            out.otherwise = block(*part->body);
    }
    return out;
}

ast::Assert StatementBuilder::assertStatement(P::AssertStatementContext& context) {
    std::vector<ast::ExprId> list = expressions_.list(context.arguments);
    ast::Assert out{context.word->getType() == P::Assume, list[0], {}, {}, isString(list[0])};
    if (out.messageFirst && list.size() > 1) {
        out.message = list[0];
        out.condition = list[1];
    } else if (list.size() > 1) {
        out.message = list[1];
    }
    bool wellFormed = out.message.valid() ? isString(out.message) : !out.messageFirst;
    if (!wellFormed)
        in_.diagnostics.report(DiagId::AssertForm, in_.rangeOf(context), in_.textOf(context.word));
    if (list.size() > 2) out.arguments.assign(list.begin() + 2, list.end());
    return out;
}

bool StatementBuilder::isString(ast::ExprId id) const {
    return std::holds_alternative<ast::StringLiteral>(in_.module[id].node);
}

}  // namespace smec::syntax
