#include "sema/check/names.h"

#include "sema/check/bus_paths.h"
#include "sema/check/buses.h"
#include "sema/check/written_types.h"
#include "sema/elsewhere.h"
#include "sema/operand_types.h"

namespace smec::sema {

using hir::TypeTable;
using hir::Value;

Operand Names::notConstant(std::string_view what, std::string_view name, SourceRange range) {
    reporter_.report(DiagId::NotConstant, range, name, what);
    return {};
}

Operand Names::readVar(hir::VarId var, SourceRange range) {
    const hir::Variable& variable = build_.body().vars[var.index];
    if (types_.isError(variable.type)) return {};
    if (nesting_.constantOnly && !nesting_.typeOnly)
        return notConstant("a variable", variable.name, range);
    return build_.valueOperand(
        build_.emit(operandType(types_, variable.type), range, hir::ReadVar{var}), variable.type,
        range);
}

Operand Names::name(ast::ExprId id, const std::string& text, SourceRange range) {
    if (Local* local = locals_.find(text)) {
        local->used = true;
        return readVar(local->var, range);
    }
    if (auto port = ports_.find(text)) return busOperand(*port, range);
    if (Symbol* symbol = scope_.find(text)) return symbolOperand(*symbol, range, id);
    bool found = false;
    Operand member = bareEnumMember(text, range, found);
    if (found) return member;
    if (paths_)
        if (auto path = paths_->resolveBus({scope_.module(), id}, scope_, true))
            return busPaths_.referenceTo(id, *path);
    reportUnknown(text, range);
    return {};
}

void Names::reportUnknown(std::string_view name, SourceRange range) {
    const bool isFirst = locals_.miss(name);
    if (isFirst && reporter_.mayAdvise() && reportElsewhere(name, range)) return;
    const auto hint = [&] {
        return hints_.importHint(scope_.module(), name, NameKind::Value, nearName(name));
    };
    reporter_.reportUnknownWith(hint, DiagId::UnknownName, range, name);
}

/// A variable of the same body that is declared below, or in another block.
bool Names::reportElsewhere(std::string_view name, SourceRange range) {
    const ast::Decl* decl = modules_.declarationAt(range);
    const auto local = decl ? localElsewhere(*decl, range, name) : std::nullopt;
    if (!local) return false;
    const auto line = reporter_.sources().position(local->name.file, local->name.begin).line;
    if (local->isBelow)
        reporter_.reportUnknown(DiagId::UsedBefore, range, name, line);
    else if (local->isLoop)
        reporter_.reportUnknown(DiagId::OutOfScope, range, name, "its loop", line,
                                "keep it in a variable in front of the loop");
    else
        reporter_.reportUnknown(DiagId::OutOfScope, range, name, "the block of its declaration",
                                line, "declare it in front of that block");
    return true;
}

std::string Names::nearName(std::string_view name) {
    std::vector<std::string> more;
    if (reporter_.mayAdvise()) more = memberNames(scope_);
    for (const Local& local : locals_.all())
        more.push_back(local.name);
    for (const hir::Port& port : ports_.all())
        more.push_back(port.name);
    return hints_.suggestion(scope_, name, std::move(more));
}

Operand Names::bareEnumMember(const std::string& text, SourceRange range, bool& found) {
    std::vector<TypeSymbols::EnumHit> hits = typeSymbols_.enumMembers(scope_, text);
    found = !hits.empty();
    if (!found) return {};
    if (hits.size() > 1) {
        reporter_.report(DiagId::AmbiguousMember, range, text, hits[0].symbol->name,
                         hits[1].symbol->name);
        return {};
    }
    hits[0].symbol->used = true;
    const TypeSymbol& type = std::get<TypeSymbol>(hits[0].symbol->node);
    uses_.dependOn(type);
    return build_.constantOperand(Value{hits[0].member->value}, hits[0].type, range);
}

Operand Names::constantSymbol(Symbol& symbol, ast::ExprId id, SourceRange range) {
    uses_.countNamed();
    if (!constantSymbols_.evaluate(symbol)) return {};
    const ConstSymbol& constant = std::get<ConstSymbol>(symbol.node);
    const TypedValue& typed = constant.value;
    bool isUnsized = typed.type == TypeTable::kUint || typed.type == TypeTable::kInt;
    Operand result;
    result.kind = Operand::Kind::Constant;
    result.shared = &typed.value;
    result.symbol = &symbol;
    result.declared = typed.type;
    result.range = range;
    if (isUnsized) {
        result.unsized = true;
        result.type = smallestType(types_, typed.value.integer());
        result.interval = Interval::of(typed.value.integer());
    } else {
        result.type = operandType(types_, typed.type);
        if (types_.isInteger(typed.type))
            result.interval =
                unite(intervalOf(types_, typed.type), Interval::of(typed.value.integer()));
    }
    if (constant.perInstance || !constant.decl) {
        result.perInstance = true;
        uses_.touch({scope_.module(), id});
    }
    return result;
}

Operand Names::symbolOperand(Symbol& symbol, SourceRange range, ast::ExprId id) {
    symbol.used = true;
    if (isUnimported(symbol)) return {};
    if (std::holds_alternative<ConstSymbol>(symbol.node)) return constantSymbol(symbol, id, range);
    if (const VarSymbol* var = std::get_if<VarSymbol>(&symbol.node)) {
        if (mode_ == CheckMode::Process) return readVar(var->var, range);
        if (mode_ == CheckMode::Constant && nesting_.typeOnly)
            return build_.valueOperand({}, writtenTypes_.resolve(var->decl->type), range);
        if (mode_ == CheckMode::Constant) return notConstant("a variable", symbol.name, range);
        reporter_.report(DiagId::FunctionScope, range, symbol.name, "a variable of the process");
        return {};
    }
    bool isValueLess = std::holds_alternative<TypeSymbol>(symbol.node)
                       || std::holds_alternative<FuncSymbol>(symbol.node)
                       || std::holds_alternative<ModuleSymbol>(symbol.node);
    if (isValueLess) {
        bool isFunction = std::holds_alternative<FuncSymbol>(symbol.node);
        reporter_.report(DiagId::NotAValue, range, symbol.name, kindOf(symbol),
                         isFunction ? "; call it with arguments" : "");
        return {};
    }
    return busPaths_.pathOperand(id);
}

Operand Names::enumMember(Symbol& symbol, const ast::Identifier& name, SourceRange range) {
    symbol.used = true;
    if (!typeSymbols_.resolve(symbol)) return {};
    const TypeSymbol& type = std::get<TypeSymbol>(symbol.node);
    const hir::EnumType* enumeration = type.shape ? nullptr : types_.as<hir::EnumType>(type.type);
    if (!enumeration) {
        reporter_.report(DiagId::NotAValue, range, symbol.name, "a type", "");
        return {};
    }
    uses_.dependOn(type);
    if (const auto number = enumeration->memberNamed(name.text))
        return build_.constantOperand(Value{enumeration->members[*number].value}, type.type, range);
    std::vector<std::string> names;
    for (const hir::EnumMember& member : enumeration->members)
        names.push_back(member.name);
    reporter_.report(DiagId::UnknownMember, name.range, symbol.name, name.text,
                     hintAmong(name.text, names));
    return {};
}

Symbol* Names::symbolAt(ast::ExprId id, bool& failed) {
    const auto& node = module_[id].node;
    if (const auto* name = std::get_if<ast::Name>(&node)) {
        if (locals_.find(name->text) || ports_.find(name->text)) return nullptr;
        return scope_.find(name->text);
    }
    const auto* member = std::get_if<ast::Member>(&node);
    if (!member) return nullptr;
    Symbol* base = symbolAt(member->base, failed);
    const ModuleSymbol* from = base ? std::get_if<ModuleSymbol>(&base->node) : nullptr;
    if (!from) return nullptr;
    base->used = true;
    Symbol* symbol =
        from->module.valid() ? modules_.exported(from->module, member->name.text) : nullptr;
    if (symbol) return symbol;
    failed = true;
    if (from->module.valid())
        reporter_.report(DiagId::UnknownImport, member->name.range, base->name, member->name.text,
                         hints_.suggestion(modules_.scope(from->module), member->name.text));
    return nullptr;
}

}  // namespace smec::sema
