#include "sema/checker.h"
#include "sema/operand_types.h"

namespace smec::sema {

using hir::TypeId;
using hir::TypeTable;
using hir::Value;

// ---------------------------------------------------------------- plain names

Checker::Local* Checker::findLocal(std::string_view name) {
    for (auto local = locals_.rbegin(); local != locals_.rend(); ++local)
        if (local->name == name) return &*local;
    return nullptr;
}

Operand Checker::notConstant(std::string_view what, std::string_view name, SourceRange range) {
    core_.report(DiagId::NotConstant, range, name, what);
    return {};
}

Operand Checker::readVar(hir::VarId var, SourceRange range) {
    const hir::Variable& variable = body_.vars[var.index];
    if (core_.types().isError(variable.type)) return {};
    if (constantOnly_ > 0 && typeOnly_ == 0) return notConstant("a variable", variable.name, range);
    return valueOperand(emit(operandType(core_.types(), variable.type), range, hir::ReadVar{var}),
                        variable.type, range);
}

Operand Checker::name(ast::ExprId id, const std::string& text, SourceRange range) {
    if (Local* local = findLocal(text)) {
        local->used = true;
        return readVar(local->var, range);
    }
    if (auto port = portNames_.find(text); port != portNames_.end())
        return busOperand(port->second, range);
    if (Symbol* symbol = scope_->find(text)) return symbolOperand(*symbol, range, id);
    bool found = false;
    Operand member = bareEnumMember(text, range, found);
    if (found) return member;
    PathResolver* paths = mode_ == Mode::Process ? paths_ : core_.paths;
    if (paths && mode_ != Mode::Function)
        if (auto path = paths->resolveBus({scope_->module(), id}, *scope_, true))
            return referenceTo(id, *path);
    reportUnknown(text, range);
    return {};
}

void Checker::reportUnknown(std::string_view name, SourceRange range) {
    std::vector<std::string> more;
    if (core_.mayAdvise()) more = core_.memberNames(*scope_);
    for (const Local& local : locals_)
        more.push_back(local.name);
    for (const hir::Port& port : ports_)
        more.push_back(port.name);
    core_.report(DiagId::UnknownName, range, name,
                 core_.suggestion(*scope_, name, std::move(more)));
}

Operand Checker::bareEnumMember(const std::string& text, SourceRange range, bool& found) {
    std::vector<Core::EnumHit> hits = core_.enumMembers(*scope_, text);
    found = !hits.empty();
    if (!found) return {};
    if (hits.size() > 1) {
        core_.report(DiagId::AmbiguousMember, range, text, hits[0].symbol->name,
                     hits[1].symbol->name);
        return {};
    }
    hits[0].symbol->used = true;
    const TypeSymbol& type = std::get<TypeSymbol>(hits[0].symbol->node);
    dependOn(type);
    return constantOperand(Value{hits[0].member->value}, hits[0].type, range);
}

Operand Checker::constantSymbol(Symbol& symbol, ast::ExprId id, SourceRange range) {
    ++namedConstants_;
    if (!core_.evaluate(symbol)) return {};
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
        result.type = smallestType(core_.types(), typed.value.integer());
        result.interval = Interval::of(typed.value.integer());
    } else {
        result.type = operandType(core_.types(), typed.type);
        if (core_.types().isInteger(typed.type))
            result.interval =
                unite(intervalOf(core_.types(), typed.type), Interval::of(typed.value.integer()));
    }
    if (constant.perInstance || !constant.decl) {
        result.perInstance = true;
        touched_.push_back({scope_->module(), id});
    }
    return result;
}

Operand Checker::symbolOperand(Symbol& symbol, SourceRange range, ast::ExprId id) {
    symbol.used = true;
    if (isUnimported(symbol)) return {};
    if (std::holds_alternative<ConstSymbol>(symbol.node)) return constantSymbol(symbol, id, range);
    if (const VarSymbol* var = std::get_if<VarSymbol>(&symbol.node)) {
        if (mode_ == Mode::Process) return readVar(var->var, range);
        if (mode_ == Mode::Constant && typeOnly_ > 0)
            return valueOperand({}, resolveType(var->decl->type), range);
        if (mode_ == Mode::Constant) return notConstant("a variable", symbol.name, range);
        core_.report(DiagId::FunctionScope, range, symbol.name, "a variable of the process");
        return {};
    }
    bool isValueLess = std::holds_alternative<TypeSymbol>(symbol.node)
                       || std::holds_alternative<FuncSymbol>(symbol.node)
                       || std::holds_alternative<ModuleSymbol>(symbol.node);
    if (isValueLess) {
        bool isFunction = std::holds_alternative<FuncSymbol>(symbol.node);
        core_.report(DiagId::NotAValue, range, symbol.name, kindOf(symbol),
                     isFunction ? "; call it with arguments" : "");
        return {};
    }
    return pathOperand(id);
}

Operand Checker::enumMember(Symbol& symbol, const ast::Identifier& name, SourceRange range) {
    symbol.used = true;
    if (!core_.resolve(symbol)) return {};
    const TypeSymbol& type = std::get<TypeSymbol>(symbol.node);
    const hir::EnumType* enumeration =
        type.shape ? nullptr : core_.types().as<hir::EnumType>(type.type);
    if (!enumeration) {
        core_.report(DiagId::NotAValue, range, symbol.name, "a type", "");
        return {};
    }
    dependOn(type);
    std::vector<std::string> names;
    for (const hir::EnumMember& member : enumeration->members) {
        if (member.name == name.text) return constantOperand(Value{member.value}, type.type, range);
        names.push_back(member.name);
    }
    std::string nearest = nearestName(name.text, names);
    core_.report(DiagId::UnknownMember, name.range, symbol.name, name.text,
                 nearest.empty() ? "" : "; did you mean '" + nearest + "'?");
    return {};
}

// ---------------------------------------------------------------- members

Symbol* Checker::symbolAt(ast::ExprId id, bool& failed) {
    const auto& node = module_[id].node;
    if (const auto* name = std::get_if<ast::Name>(&node)) {
        if (findLocal(name->text) || portNames_.contains(name->text)) return nullptr;
        return scope_->find(name->text);
    }
    const auto* member = std::get_if<ast::Member>(&node);
    if (!member) return nullptr;
    Symbol* base = symbolAt(member->base, failed);
    const ModuleSymbol* from = base ? std::get_if<ModuleSymbol>(&base->node) : nullptr;
    if (!from) return nullptr;
    base->used = true;
    Symbol* symbol =
        from->module.valid() ? core_.exported(from->module, member->name.text) : nullptr;
    if (symbol) return symbol;
    failed = true;
    if (from->module.valid())
        core_.report(DiagId::UnknownImport, member->name.range, base->name, member->name.text,
                     core_.suggestion(core_.moduleScope(from->module), member->name.text));
    return nullptr;
}

Operand Checker::member(ast::ExprId id, const ast::Member& node, SourceRange range) {
    bool failed = false;
    if (Symbol* symbol = symbolAt(id, failed)) return symbolOperand(*symbol, range, id);
    if (failed) return {};
    Symbol* base = symbolAt(node.base, failed);
    if (failed) return {};
    if (base && std::holds_alternative<TypeSymbol>(base->node))
        return enumMember(*base, node.name, range);
    if (startsOutside(id)) return pathOperand(id);
    return memberOf(check(node.base), node.name, range);
}

Operand Checker::memberOf(Operand base, const ast::Identifier& name, SourceRange range) {
    if (base.kind == Operand::Kind::Bus) return fieldOf(std::move(base), name, range);
    if (!base.isValue()) {
        if (base.kind == Operand::Kind::Undefined) core_.report(DiagId::UndefinedUse, base.range);
        return {};
    }
    const hir::StructType* type = core_.types().as<hir::StructType>(base.type);
    if (!type) {
        core_.report(DiagId::NoMembers, name.range, core_.text(base.range), typeName(base));
        return {};
    }
    std::vector<std::string> names;
    for (std::uint32_t i = 0; i < type->members.size(); ++i) {
        const hir::StructMember& member = type->members[i];
        names.push_back(member.name);
        if (member.name != name.text) continue;
        TypeId declared = member.type;
        if (base.isConstant()) {
            Operand result = constantOperand(base.value().list()[i], declared, range);
            merge(result, base);
            return result;
        }
        return valueOperand(
            emit(operandType(core_.types(), declared), range, hir::StructMemberOf{base.id, i}),
            declared, range);
    }
    std::string nearest = nearestName(name.text, names);
    core_.report(DiagId::UnknownMember, name.range, core_.text(base.range), name.text,
                 nearest.empty() ? "" : "; did you mean '" + nearest + "'?");
    return {};
}

// ---------------------------------------------------------------- indices and slices

Operand Checker::index(ast::ExprId id, const ast::Index& node, SourceRange range) {
    if (startsOutside(id)) return pathOperand(id);
    return indexOf(check(node.base), node.index, range);
}

Operand Checker::indexOf(Operand base, ast::ExprId index, SourceRange range) {
    if (base.kind == Operand::Kind::Bus) return busElement(std::move(base), index, range, false);
    if (base.isValue() && core_.types().is<hir::ArrayType>(base.type))
        return elementOf(std::move(base), index, range);
    if (base.isValue() && core_.types().isInteger(base.type))
        return bitOfInteger(std::move(base), index, range);
    check(index);
    if (base.kind == Operand::Kind::Undefined) core_.report(DiagId::UndefinedUse, base.range);
    if (base.isValue())
        core_.report(DiagId::NotIndexable, range, core_.text(base.range), typeName(base));
    return {};
}

/// An integer, as an index has to be.
std::optional<Operand> Checker::indexValue(ast::ExprId expr) {
    Operand index = check(expr);
    if (index.isError() || !operandsAreValues(index, index)) return std::nullopt;
    if (core_.types().isInteger(index.type)) return index;
    core_.report(DiagId::IndexType, index.range, typeName(index));
    return std::nullopt;
}

/// An index below `count`, tested when it is constant.
std::optional<Operand> Checker::checkedIndex(ast::ExprId expr, std::uint64_t count,
                                             const std::string& what, std::string_view unit) {
    const std::size_t mark = namedConstants_;
    auto index = indexValue(expr);
    if (!index) return std::nullopt;
    if (index->isConstant() && (index->integer() < 0 || index->integer() >= count)) {
        if (unevaluated_ == 0)
            core_.report(DiagId::IndexRange, index->range, index->integer().str(), what, count,
                         std::string(unit) + (count == 1 ? "" : "s"));
        return std::nullopt;
    }
    judgeIndex(*index, count, mark);
    return index;
}

hir::ExprId Checker::useIndex(Operand& index, std::uint64_t count) {
    SiteNeeds needs;
    needs.use = index.unsized ? SiteUse::Width : SiteUse::Free;
    needs.nonNegative = true;
    needs.below = count;
    demand(index, kAllBits);
    bool isSafe =
        !index.interval.unbounded && index.interval.low >= 0 && index.interval.high < count;
    body_.canFail |= !index.isConstant() && !isSafe;
    return use(index, std::move(needs));
}

Operand Checker::elementOf(Operand base, ast::ExprId expr, SourceRange range) {
    const hir::ArrayType array = *core_.types().as<hir::ArrayType>(base.type);
    auto index = checkedIndex(expr, array.count, core_.text(base.range), "element");
    if (!index) return {};
    if (!base.isConstant() || !index->isConstant()) {
        hir::ExprId from = use(base), at = useIndex(*index, array.count);
        return valueOperand(
            emit(operandType(core_.types(), array.element), range, hir::ArrayElement{from, at}),
            array.element, range);
    }
    auto at = index->integer().convert_to<std::size_t>();
    const Value& element = base.value().list()[at];
    bool isUnsized = array.element == TypeTable::kUint || array.element == TypeTable::kInt;
    Operand result = isUnsized ? unsizedConstant(element.integer(), range)
                               : constantOperand(element, array.element, range);
    merge(result, base);
    merge(result, *index);
    return result;
}

Operand Checker::bitOfInteger(Operand base, ast::ExprId expr, SourceRange range) {
    std::uint32_t width = widthOf(base.type);
    auto index = checkedIndex(expr, width, core_.text(base.range), "bit");
    if (!index) return {};
    if (base.isConstant() && index->isConstant()) {
        Operand result = constantOperand(
            Value{bitOf(base.integer(), index->integer().convert_to<std::uint64_t>())},
            TypeTable::kBool, range);
        merge(result, base);
        merge(result, *index);
        return result;
    }
    demand(base, width);
    hir::ExprId from = leaf(base), at = useIndex(*index, width);
    return valueOperand(emit(TypeTable::kBool, range, hir::BitSelect{from, at}), TypeTable::kBool,
                        range);
}

std::optional<Checker::BitRange> Checker::sliceBounds(const ast::Slice& node, std::uint32_t width,
                                                      const std::string& what) {
    auto high = integer(node.high, "a slice bound");
    auto low = integer(node.low, "a slice bound");
    if (!high || !low) return std::nullopt;
    SourceRange range = smec::cover(module_[node.high].range, module_[node.low].range);
    if (*high >= width || *low < 0 || *high < 0 || *low >= width) {
        core_.report(DiagId::SliceRange, range, high->str() + ":" + low->str(), what, width);
        return std::nullopt;
    }
    if (*high < *low) {
        core_.report(DiagId::SliceOrder, range, high->str(), low->str());
        return std::nullopt;
    }
    return BitRange{high->convert_to<std::uint32_t>(), low->convert_to<std::uint32_t>()};
}

std::optional<Checker::BitRange> Checker::IndexedBits::known() const {
    if (!low.isConstant() || low.perInstance) return std::nullopt;
    const auto first = low.integer().convert_to<std::uint32_t>();
    return BitRange{first + width - 1, first};
}

std::optional<Checker::IndexedBits>
Checker::indexedBits(const ast::IndexedSlice& node, std::uint32_t width, const std::string& what) {
    const std::size_t mark = namedConstants_;
    auto low = indexValue(node.low);
    auto wanted = integer(node.width, "the width of a slice");
    if (!low || !wanted) return std::nullopt;
    if (*wanted < 1) {
        core_.report(DiagId::SliceWidth, module_[node.width].range, wanted->str());
        return std::nullopt;
    }
    const bool isBehind = *wanted > width;
    const bool isKnown = low->isConstant();
    if (isBehind || (isKnown && (low->integer() < 0 || low->integer() + *wanted > width))) {
        SourceRange range = smec::cover(low->range, module_[node.width].range);
        const std::string first = isKnown ? low->integer().str() : core_.text(low->range);
        if (unevaluated_ == 0)
            core_.report(DiagId::SliceRange, range, first + " +: " + wanted->str(), what, width);
        return std::nullopt;
    }
    const auto count = wanted->convert_to<std::uint32_t>();
    judgeIndex(*low, width - count + 1, mark);
    return IndexedBits{std::move(*low), count};
}

bool Checker::isSliceable(const Operand& base, SourceRange range) {
    if (base.isError() || !operandsAreValues(base, base)) return false;
    if (core_.types().isInteger(base.type)) return true;
    core_.report(DiagId::NotSliceable, range, core_.text(base.range), typeName(base));
    return false;
}

Operand Checker::sliceOfInteger(const Operand& base, const BitRange& bits, SourceRange range) {
    TypeId type = core_.types().integer(bits.high - bits.low + 1, false);
    if (base.isConstant()) {
        Operand result =
            constantOperand(Value{sliceOf(base.integer(), bits.high, bits.low)}, type, range);
        merge(result, base);
        return result;
    }
    demand(base, std::uint64_t{bits.high} + 1);
    return valueOperand(emit(type, range, hir::SliceSelect{base.id, bits.high, bits.low}), type,
                        range);
}

Operand Checker::slice(const ast::Slice& node, SourceRange range) {
    Operand base = check(node.base);
    if (!isSliceable(base, range)) return {};
    auto bits = sliceBounds(node, widthOf(base.type), core_.text(base.range));
    return bits ? sliceOfInteger(base, *bits, range) : Operand{};
}

Operand Checker::slice(const ast::IndexedSlice& node, SourceRange range) {
    Operand base = check(node.base);
    if (!isSliceable(base, range)) {
        check(node.low);
        return {};
    }
    const std::uint32_t width = widthOf(base.type);
    auto bits = indexedBits(node, width, core_.text(base.range));
    if (!bits) return {};
    if (const auto known = bits->known()) return sliceOfInteger(base, *known, range);
    demand(base, width);
    hir::ExprId from = leaf(base), low = useIndex(bits->low, width - bits->width + 1);
    TypeId type = core_.types().integer(bits->width, false);
    return valueOperand(emit(type, range, hir::IndexedSliceSelect{from, low, bits->width}), type,
                        range);
}

}  // namespace smec::sema
