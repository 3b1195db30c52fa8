#include "codegen/cpp/decide/unit_uses.h"

#include <algorithm>

#include "codegen/cpp/decide/word.h"

namespace smec::codegen::cpp {
namespace {

/// Classes of a unit whose bodies its kernels print.
std::vector<ir::ClassId> classesOf(const Program& program, const plan::TranslationUnit& unit) {
    std::vector<ir::ClassId> classes;
    for (const std::uint32_t index : unit.kernels) {
        const plan::Kernel& kernel = program.plan.kernels[index];
        if (kernel.kind == plan::KernelKind::Loop) classes.push_back(kernel.cls);
        for (const plan::InstanceRef& step : kernel.steps)
            classes.push_back(step.cls);
    }
    std::sort(classes.begin(), classes.end());
    classes.erase(std::unique(classes.begin(), classes.end()), classes.end());
    return classes;
}

bool isStraight(const Program& program, std::uint32_t unit) {
    std::uint64_t inBlocks = 0, inLoops = 0;
    for (const std::uint32_t number : program.plan.units[unit].kernels) {
        const plan::Kernel& kernel = program.plan.kernels[number];
        (kernel.kind == plan::KernelKind::Block ? inBlocks : inLoops) += kernel.statements;
    }
    return program.options.ledger.ask(rules::Rule::UnitFlags, rules::Subject::ofUnit(unit),
                                      {{rules::Condition::StraightStatements, inBlocks, inLoops}});
}

bool isCut(const plan::Plan& plan, const plan::TranslationUnit& unit) {
    return std::ranges::any_of(
        unit.kernels, [&](std::uint32_t number) { return !plan.kernels[number].cuts.empty(); });
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
    uses.isStraight = isStraight(program, index);
    uses.isCut = isCut(program.plan, unit);
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
