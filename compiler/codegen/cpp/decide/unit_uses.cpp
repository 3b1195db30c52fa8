#include "codegen/cpp/decide/unit_uses.h"

#include <algorithm>

#include "codegen/cpp/decide/word.h"
#include "codegen/cpp/target.h"
#include "ir/visit.h"
#include "plan/steps.h"
#include "plan/target.h"

namespace smec::codegen::cpp {
namespace {

/// Classes of a unit whose bodies its kernels print.
std::vector<ir::ClassId> classesOf(const Program& program, const plan::TranslationUnit& unit) {
    std::vector<ir::ClassId> classes;
    for (const std::uint32_t index : unit.kernels) {
        const plan::Kernel& kernel = program.plan.kernels[index];
        if (kernel.kind == plan::KernelKind::Loop) classes.push_back(kernel.cls);
    }
    plan::forEachStepIn(program.plan, unit,
                        [&](const plan::InstanceRef& step) { classes.push_back(step.cls); });
    std::sort(classes.begin(), classes.end());
    classes.erase(std::unique(classes.begin(), classes.end()), classes.end());
    return classes;
}

bool sameOperator(const ir::Expr& a, const ir::Expr& b) {
    if (a.type != b.type || a.node.index() != b.node.index()) return false;
    if (const auto* unary = std::get_if<ir::Unary>(&a.node))
        return unary->op == std::get<ir::Unary>(b.node).op;
    if (const auto* binary = std::get_if<ir::Binary>(&a.node))
        return binary->op == std::get<ir::Binary>(b.node).op;
    if (const auto* convert = std::get_if<ir::Convert>(&a.node))
        return convert->op == std::get<ir::Convert>(b.node).op;
    return true;
}

/// Whether two expressions are alike but for what they read and their constants. `most`: operators
/// that are looked at.
bool sameShape(const ir::Body& body, ir::ExprId a, ir::ExprId b, std::uint32_t& most) {
    if (most == 0 || !sameOperator(body[a], body[b])) return false;
    --most;
    std::vector<ir::ExprId> left, right;
    ir::forEachOperand(body[a], [&](ir::ExprId id) { left.push_back(id); });
    ir::forEachOperand(body[b], [&](ir::ExprId id) { right.push_back(id); });
    return std::ranges::equal(
        left, right, [&](ir::ExprId l, ir::ExprId r) { return sameShape(body, l, r, most); });
}

bool areAlike(const ir::Body& body, const ir::Stmt& a, const ir::Stmt& b) {
    const auto* left = std::get_if<ir::Set>(&a.node);
    const auto* right = std::get_if<ir::Set>(&b.node);
    if (!left || !right || left->index.valid() || right->index.valid()) return false;
    const auto scalarOf = [&](ir::LocalId id) { return body.locals[id.index].type.scalar; };
    std::uint32_t most = target::kMostAlike;
    return scalarOf(left->local) == scalarOf(right->local)
           && sameShape(body, left->value, right->value, most);
}

/// Statements, and how many of them stand in rows of alike ones: of variables that lie side by side
/// g++ makes vectors of those.
struct AlikeRows {
    std::uint64_t statements = 0, alike = 0;

    void add(const ir::Body& body, const ir::Block& block) {
        std::size_t first = 0;  // of the row
        for (std::size_t i = 0; i < block.size(); ++i) {
            ir::forEachBlock(block[i], [&](const ir::Block& inner) { add(body, inner); });
            if (i + 1 < block.size() && areAlike(body, block[i], block[i + 1])) continue;
            const std::size_t length = i + 1 - first;
            alike += length >= target::kAlikeRow ? length : 0;
            first = i + 1;
        }
        statements += block.size();
    }
};

/// Whether it has functions of a block that had to be cut, whatever the bound of units.
bool isOfLongBlock(const plan::Plan& plan, const plan::TranslationUnit& unit) {
    return std::ranges::any_of(unit.functions, [&](const plan::CutFunction& part) {
        return plan.kernels[part.kernel].statements > plan::target::longestFunction();
    });
}

CodeShape shapeOf(const Program& program, std::uint32_t index) {
    const plan::TranslationUnit& unit = program.plan.units[index];
    std::uint64_t inBlocks = 0, inLoops = 0;
    for (const std::uint32_t number : unit.kernels) {
        const plan::Kernel& kernel = program.plan.kernels[number];
        if (kernel.kind != plan::KernelKind::Block) inLoops += kernel.statements;
    }
    AlikeRows rows;
    plan::forEachStepIn(program.plan, unit, [&](const plan::InstanceRef& step) {
        const ir::Body& body = program.design.classes[step.cls.index].body;
        inBlocks += program.facts.classes[step.cls.index].size;
        rows.add(body, body.statements);
    });
    const double most = target::kAlikeShare * static_cast<double>(rows.statements);
    const bool isStraight =
        program.options.ledger.ask(rules::Rule::UnitFlags, rules::Subject::ofUnit(index),
                                   {{rules::Condition::StraightStatements, inBlocks, inLoops},
                                    {rules::Condition::AlikeStatements, rows.alike, most}});
    if (!isStraight) return CodeShape::Loops;
    if (isOfLongBlock(program.plan, unit)) return CodeShape::CutStraight;
    return rows.statements >= target::kLongStraight ? CodeShape::LongStraight : CodeShape::Straight;
}

bool isWide(const ir::StorageType& type) {
    return type.scalar.kind == ir::ScalarKind::Int && type.scalar.width > 128;
}

/// Whether an operator that looks at whole values needs a word that holds operands of both signs.
bool joinsWide(const BodyInfo& info, const ir::Expr& expr) {
    const auto* node = std::get_if<ir::Binary>(&expr.node);
    if (!node || info.body->exprs[node->left.index].type != ir::ExprType::Int) return false;
    return wordFor(hull(info.facts[node->left.index].extent, info.facts[node->right.index].extent))
        .isWide();
}

bool usesWide(const ir::Design& design, const BodyInfo& info) {
    const auto isWideWord = [](const ExprFacts& facts) { return facts.word.bits > 128; };
    const auto isWideLocal = [](const ir::Local& local) { return isWide(local.type); };
    const auto isWideTable = [&](std::uint32_t table) { return isWide(design.tables[table].type); };
    const auto isWideNode = [&](const ir::Expr& expr) { return joinsWide(info, expr); };
    return std::any_of(info.facts.begin(), info.facts.end(), isWideWord)
           || std::any_of(info.body->exprs.begin(), info.body->exprs.end(), isWideNode)
           || std::any_of(info.body->locals.begin(), info.body->locals.end(), isWideLocal)
           || std::any_of(info.tables.begin(), info.tables.end(), isWideTable);
}

}  // namespace

UnitUses usesOf(const Program& program, std::uint32_t index) {
    const plan::TranslationUnit& unit = program.plan.units[index];
    UnitUses uses;
    uses.shape = shapeOf(program, index);
    for (const ir::ClassId cls : classesOf(program, unit)) {
        const BodyInfo& info = program.classes[cls.index];
        for (const std::uint32_t id : reachableFunctions(info.functions, program.functions))
            uses.functions.insert(id);
        uses.tables.insert(info.tables.begin(), info.tables.end());
        if (info.needs.instance) uses.sites.insert(cls.index);
        for (const ir::Input& input : program.design.classes[cls.index].inputs)
            uses.wide = uses.wide || isWide(input.type);
        uses.wide = uses.wide || usesWide(program.design, info);
    }
    for (const std::uint32_t id : uses.functions) {
        const BodyInfo& info = program.functions[id];
        uses.tables.insert(info.tables.begin(), info.tables.end());
        uses.wide = uses.wide || usesWide(program.design, info);
    }
    uses.data = std::any_of(uses.tables.begin(), uses.tables.end(),
                            [&](std::uint32_t id) { return program.tableOffsets[id].has_value(); });
    return uses;
}

}  // namespace smec::codegen::cpp
