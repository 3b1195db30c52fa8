#include <utility>

#include <fmt/format.h>

#include "syntax/builder.h"

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

ast::Block Builder::block(P::BlockContext& context) {
    ast::Block out{rangeOf(context), {}};
    out.statements.reserve(context.statements.size());
    for (P::StatementContext* inner : context.statements)
        out.statements.push_back(statement(*inner));
    return out;
}

ast::Stmt Builder::statement(P::StatementContext& context) {
    SourceRange range = rangeOf(context);
    return {range, statementNode(context)};
}

ast::Stmt Builder::variableStatement(P::VariableDeclarationContext& context) {
    SourceRange range = rangeOf(context);
    return {range, variable(context)};
}

decltype(ast::Stmt::node) Builder::statementNode(P::StatementContext& context) {
    if (context.assignment) return assignment(*context.assignment);
    if (context.variable) return variable(*context.variable);
    if (context.if_) return ifStatement(*context.if_);
    if (context.for_) return forStatement(*context.for_);
    if (context.while_) {
        ast::ExprId condition = expression(*context.while_->condition);
        return ast::While{condition, block(*context.while_->body)};
    }
    if (context.switch_) return switchStatement(*context.switch_);
    if (context.simple) return simpleStatement(context.simple->word->getType());
    if (context.return_) return ast::Return{optionalExpression(context.return_->value)};
    if (context.trace) {
        ast::ExprId format = stringLiteral(context.trace->format);
        return ast::Trace{format, expressions(context.trace->arguments)};
    }
    if (context.assertion) return assertStatement(*context.assertion);
    if (context.cover) {
        ast::ExprId condition = expression(*context.cover->condition);
        return ast::Cover{condition, stringLiteral(context.cover->name)};
    }
    if (context.stop) return ast::Stop{optionalExpression(context.stop->status)};
    if (context.wait && context.wait->condition)
        return ast::WaitUntil{expression(*context.wait->condition)};
    if (context.wait) return ast::Wait{optionalExpression(context.wait->count), false};
    return block(*context.inner);
}

decltype(ast::Stmt::node) Builder::simpleStatement(std::size_t word) {
    if (word == P::Break) return ast::Break{};
    if (word == P::Continue) return ast::Continue{};
    return ast::Wait{{}, true};
}

ast::Assign Builder::assignment(P::AssignmentStatementContext& context) {
    ast::Identifier name = identifier(*context.target);
    ast::ExprId target = add(name.range, ast::Name{std::move(name.text)});
    if (deeper(context.accessors.size(), rangeOf(context.start)))
        for (P::AccessorContext* accessor : context.accessors)
            target = accessed(*accessor, target);
    warnAboutSign(context.op, context.value->start);
    return {target, compoundOperator(context.op->getType()), expression(*context.value)};
}

/// `a =+ 1`: the sign touches the operator and not the operand.
void Builder::warnAboutSign(const Token* op, const Token* sign) {
    const bool isSign = sign->getType() == P::Plus || sign->getType() == P::Minus;
    if (op->getType() != P::Assign || !isSign) return;
    const SourceRange range = rangeOf(op, sign);
    const bool touches = range.end - range.begin == 2;
    if (!touches || rangeOf(next(sign)).begin == range.end) return;
    diagnostics_.report(DiagId::SignedAssign, range, textOf(range),
                        fmt::format("{}=", textOf(sign)));
}

ast::If Builder::ifStatement(P::IfStatementContext& context) {
    ast::If out;
    out.branches.reserve(context.conditions.size());
    for (std::size_t i = 0; i < context.conditions.size(); ++i) {
        ast::ExprId condition = expression(*context.conditions[i]);
        out.branches.push_back({condition, block(*context.bodies[i])});
    }
    if (context.otherwise) out.otherwise = block(*context.otherwise);
    return out;
}

ast::For Builder::forStatement(P::ForStatementContext& context) {
    ast::For out;
    out.variable = declared(*context.variable);
    out.from = expression(*context.from_);
    out.direction = directionOf(context.direction->getType());
    out.to = expression(*context.to_);
    out.body = block(*context.body);
    return out;
}

ast::Switch Builder::switchStatement(P::SwitchStatementContext& context) {
    ast::Switch out{expression(*context.subject), {}, {}};
    for (P::SwitchCaseContext* part : context.cases) {
        std::vector<ast::CaseLabel> labels;
        for (P::CaseLabelContext* label : part->labels) {
            labels.push_back({expression(*label->first)});
            if (label->last) labels.back().last = expression(*label->last);
        }
        out.cases.push_back({rangeOf(*part), std::move(labels), block(*part->body)});
    }
    for (P::DefaultCaseContext* part : context.defaults) {
        if (out.otherwise)
            diagnostics_.report(DiagId::GivenTwice, rangeOf(part->start), "default");
        else
            out.otherwise = block(*part->body);
    }
    return out;
}

ast::Assert Builder::assertStatement(P::AssertStatementContext& context) {
    std::vector<ast::ExprId> list = expressions(context.arguments);
    ast::Assert out{context.word->getType() == P::Assume, list[0], {}, {}, isString(list[0])};
    if (out.messageFirst && list.size() > 1) {
        out.message = list[0];
        out.condition = list[1];
    } else if (list.size() > 1) {
        out.message = list[1];
    }
    bool wellFormed = out.message.valid() ? isString(out.message) : !out.messageFirst;
    if (!wellFormed)
        diagnostics_.report(DiagId::AssertForm, rangeOf(context), textOf(context.word));
    if (list.size() > 2) out.arguments.assign(list.begin() + 2, list.end());
    return out;
}

bool Builder::isString(ast::ExprId id) const {
    return std::holds_alternative<ast::StringLiteral>(module_[id].node);
}

}  // namespace smec::syntax
