#include <unordered_map>

#include <fmt/format.h>

#include "sema/check/constant_checker.h"

namespace smec::sema {

hir::ShapeId BusTypes::intern(hir::BusShape shape) {
    std::string key = fmt::format("{}{}", shape.delay, shape.isDelayed ? "d" : "");
    for (const hir::FieldShape& field : shape.fields)
        key += fmt::format(" {}{}{}{}#{}", field.hold ? "h" : "", field.holdImplied ? "i" : "",
                           field.flip ? "f" : "", field.name, field.type.index);
    auto [at, isNew] = shapes_.try_emplace(
        std::move(key), hir::ShapeId{static_cast<std::uint32_t>(core_.design.shapes.size())});
    if (isNew) {
        shape.names = NameIndex(shape.fields);
        core_.design.shapes.push_back(std::move(shape));
    }
    return at->second;
}

const std::vector<hir::FieldShape>& BusTypes::fieldsOf(hir::ShapeId shape) const {
    return core_.design.shapes[shape.index].fields;
}

std::optional<hir::BusShape> BusTypes::shapeOf(const std::vector<ast::FieldDecl>& fields,
                                               ConstantChecker& checker,
                                               std::vector<hir::Value>& defaults) {
    hir::BusShape shape;
    bool ok = true;
    defaults.clear();
    std::unordered_map<std::string_view, SourceRange> seen;
    for (const ast::FieldDecl& field : fields) {
        const auto [first, isNew] = seen.try_emplace(field.name.text, field.name.range);
        if (!isNew) {
            core_.reporter.report(DiagId::DuplicateName, field.name.range, field.name.text)
                .note(DiagId::FirstDeclared, first->second, field.name.text);
            ok = false;
        }
        hir::TypeId type = checker.resolveType(field.type);
        shape.fields.push_back(
            {field.name.text, type, field.hold, field.flip, field.name.range, false});
        hir::Value value = hir::defaultValue(core_.types(), type);
        if (field.init.valid()) {
            auto given = checker.constantFor(
                field.init, {type, "field '" + field.name.text + "'", true, false});
            if (given)
                value = std::move(*given);
            else
                ok = false;
        }
        ok &= !core_.types().isError(type);
        defaults.push_back(std::move(value));
    }
    if (!ok) return std::nullopt;
    return shape;
}

namespace {

/// What to write for the type of a value where that of a bus belongs.
std::string asField(const std::string& type) {
    return fmt::format("; with 'type t: bus {{ v: {}; }};' write 't'", type);
}

}  // namespace

std::optional<ResolvedBus> BusTypes::resolve(const ast::TypeExpr& type, const Scope& scope) {
    const ast::NamedType* named = std::get_if<ast::NamedType>(&type.node);
    bool isReserved = false;
    if (!named
        || (named->path.size() == 1
            && (builtinType(core_.types(), named->path[0].text, isReserved) || isReserved))) {
        core_.reporter.report(DiagId::NotABusType, type.range, core_.reporter.text(type.range),
                              asField(core_.reporter.text(type.range)));
        return std::nullopt;
    }
    Symbol* symbol = core_.typeSymbols.named(named->path, scope);
    if (!symbol || !core_.typeSymbols.resolve(*symbol)) return std::nullopt;
    const TypeSymbol& node = std::get<TypeSymbol>(symbol->node);
    if (!node.shape) {
        core_.reporter.report(DiagId::NotABusType, type.range, symbol->name, asField(symbol->name));
        return std::nullopt;
    }
    return ResolvedBus{*node.shape, node.defaults};
}

std::optional<ResolvedBus> BusTypes::applyWords(const ast::BusDecl& bus, const Scope& scope,
                                                ConstantChecker& checker, hir::BusShape shape,
                                                std::vector<hir::Value> defaults) {
    constexpr std::uint64_t kMaxDelay = 1'000'000;
    if (bus.delay.valid()) {
        auto delay = checker.size(bus.delay, "a delay");
        if (!delay) return std::nullopt;
        if (*delay < 1 || *delay > kMaxDelay) {
            core_.reporter.report(DiagId::SizeRange,
                                  core_.modules.module(scope.module())[bus.delay].range,
                                  "the delay", *delay, fmt::format("1 to {}", kMaxDelay));
            return std::nullopt;
        }
        shape.delay = static_cast<std::uint32_t>(*delay);
        shape.isDelayed = true;
    }
    bool impliesHold =
        core_.rules.unwrittenHold && !core_.modules.entry(scope.module()).fromStandardLibrary;
    for (hir::FieldShape& field : shape.fields) {
        field.hold |= bus.hold;
        if (field.hold || !impliesHold) continue;
        field.hold = field.holdImplied = true;
    }
    if (bus.unique) core_.reporter.report(DiagId::UniqueWord, bus.name.range);
    return ResolvedBus{intern(std::move(shape)), std::move(defaults)};
}

std::optional<ResolvedBus> BusTypes::resolve(const ast::BusDecl& bus, const Scope& scope) {
    if (auto known = known_.find(&bus); known != known_.end()) return known->second;
    ConstantChecker checker(core_, scope);
    hir::BusShape shape;
    std::vector<hir::Value> defaults;
    bool typeDepends = false;
    if (bus.type) {
        auto type = resolve(*bus.type, scope);
        if (!type) return std::nullopt;
        shape = core_.design.shapes[type->shape.index];
        defaults = std::move(type->defaults);
        // A type declared beside the bus may mean something else in the next instance.
        for (const Scope* at = &scope; at->parent(); at = at->parent()) {
            const auto* named = std::get_if<ast::NamedType>(&bus.type->node);
            typeDepends |= named && at->findHere(named->path.front().text) != nullptr;
        }
    } else {
        auto fields = shapeOf(bus.fields, checker, defaults);
        if (!fields) return std::nullopt;
        shape = std::move(*fields);
    }
    auto result = applyWords(bus, scope, checker, std::move(shape), std::move(defaults));
    if (result && !typeDepends && !checker.dependsOnInstance() && !checker.usesPaths())
        known_.emplace(&bus, *result);
    return result;
}

}  // namespace smec::sema
