#include <algorithm>

#include "sema/checker.h"
#include "sema/operand_types.h"

// Buses: ports of the process, its own buses, and paths that leave it (`a.ping.v`,
// `w[3].status.n`), which elab resolves.

namespace smec::sema {

using hir::ExprId;
using hir::TypeId;
using hir::Value;

Operand Checker::busOperand(std::uint32_t port, SourceRange range) {
    Operand result;
    result.kind = Operand::Kind::Bus;
    result.port = port;
    result.range = range;
    result.constantElement = 0;
    return result;
}

// ---------------------------------------------------------------- elements of bus arrays

/// A term of the row-major element number. Each index of several is tested by a look-up in a table
/// of its multiples.
ExprId Checker::elementOffset(Operand& index, std::uint64_t count, std::uint64_t stride,
                              SourceRange range) {
    if (stride == 1 && index.isConstant()) return useIndex(index, count);
    Value::List multiples;
    for (std::uint64_t i = 0; i < count; ++i)
        multiples.push_back(Value{hir::Integer(i * stride)});
    TypeId type = smallestType(core_.types(), multiples.back().integer());
    ExprId table =
        emit(core_.types().array(type, count), range, hir::Constant{Value{std::move(multiples)}});
    return emit(type, range, hir::ArrayElement{table, useIndex(index, count)});
}

Operand Checker::busElement(Operand bus, ast::ExprId expr, SourceRange range, bool isTarget) {
    const hir::Port& port = ports_[bus.port];
    if (bus.dimension >= port.dimensions.size()) {
        core_.report(DiagId::NotIndexable, range, core_.text(bus.range), "bus");
        return {};
    }
    std::vector<std::uint64_t> dimensions = port.dimensions;
    std::uint64_t count = dimensions[bus.dimension], stride = 1;
    for (std::size_t i = bus.dimension + 1; i < dimensions.size(); ++i)
        stride *= dimensions[i];
    auto index = checkedIndex(expr, count, core_.text(bus.range), "element");
    if (!index) return {};
    ++bus.dimension;
    bus.range = range;
    const bool isShaping = shapesElements(isTarget);
    if (index->perInstance && isShaping) dependOn(*index);
    if (index->isConstant() && bus.constantElement && (isShaping || !index->perInstance)) {
        bus.constantElement =
            *bus.constantElement + index->integer().convert_to<std::uint64_t>() * stride;
        return bus;
    }
    TypeId type = smallestType(core_.types(), hir::Integer(port.elements - 1));
    if (bus.constantElement && *bus.constantElement > 0) bus.element = elementExpr(bus);
    bus.constantElement.reset();
    ExprId offset = dimensions.size() == 1 ? useIndex(*index, count)
                                           : elementOffset(*index, count, stride, range);
    bus.element = bus.element.valid()
                      ? emit(type, range, hir::BinaryExpr{hir::BinaryOp::Add, bus.element, offset})
                      : offset;
    return bus;
}

/// The element number of a completely indexed bus; invalid for a single bus.
ExprId Checker::elementExpr(const Operand& bus) {
    if (!ports_[bus.port].isArray || !bus.constantElement) return bus.element;
    hir::Integer number(*bus.constantElement);
    TypeId type = smallestType(core_.types(), number);
    return emit(type, bus.range, hir::Constant{Value{number}});
}

// ---------------------------------------------------------------- fields

std::optional<std::uint32_t> Checker::fieldIndex(const Operand& bus, const ast::Identifier& name) {
    const hir::Port& port = ports_[bus.port];
    if (bus.dimension < port.dimensions.size()) {
        core_.report(DiagId::BusIndexMissing, bus.range, core_.text(bus.range));
        return std::nullopt;
    }
    const hir::BusShape& shape = core_.design.shapes[port.shape.index];
    std::vector<std::string> names;
    for (std::uint32_t i = 0; i < shape.fields.size(); ++i) {
        if (shape.fields[i].name == name.text) return i;
        names.push_back(shape.fields[i].name);
    }
    std::string nearest = nearestName(name.text, names);
    core_.report(DiagId::UnknownField, name.range, core_.text(bus.range), name.text,
                 nearest.empty() ? "" : "; did you mean '" + nearest + "'?");
    return std::nullopt;
}

Operand Checker::fieldOf(Operand bus, const ast::Identifier& name, SourceRange range) {
    auto field = fieldIndex(bus, name);
    if (!field) return {};
    if (constantOnly_ > 0 && typeOnly_ == 0)
        return notConstant("a field of a bus", core_.text(range), range);
    TypeId type = core_.design.shapes[ports_[bus.port].shape.index].fields[*field].type;
    ExprId element = elementExpr(bus);
    if (typeOnly_ == 0) noteRead(bus, *field);
    return valueOperand(
        emit(operandType(core_.types(), type), range, hir::ReadField{bus.port, *field, element}),
        type, range);
}

// ---------------------------------------------------------------- paths that leave the process

const ast::Name* Checker::rootOf(ast::ExprId id) const {
    while (true) {
        const auto& node = module_[id].node;
        if (const auto* name = std::get_if<ast::Name>(&node)) return name;
        if (const auto* member = std::get_if<ast::Member>(&node))
            id = member->base;
        else if (const auto* index = std::get_if<ast::Index>(&node))
            id = index->base;
        else
            return nullptr;
    }
}

bool Checker::startsOutside(ast::ExprId id) {
    const ast::Name* root = rootOf(id);
    if (!root || findLocal(root->text) || portNames_.contains(root->text)) return false;
    Symbol* symbol = scope_->find(root->text);
    if (!symbol) return core_.enumMembers(*scope_, root->text).empty();
    if (std::holds_alternative<ModuleSymbol>(symbol->node)) {
        // alias.process.bus: the second part decides
        ast::ExprId at = id, before = id;
        while (!std::holds_alternative<ast::Name>(module_[at].node)) {
            before = at;
            const auto& node = module_[at].node;
            at = std::holds_alternative<ast::Member>(node) ? std::get<ast::Member>(node).base
                                                           : std::get<ast::Index>(node).base;
        }
        bool failed = false;
        Core::Quiet quiet(core_);
        Symbol* target = symbolAt(before, failed);
        return target && std::holds_alternative<EntitySymbol>(target->node);
    }
    return std::holds_alternative<EntitySymbol>(symbol->node)
           || std::holds_alternative<InstanceSymbol>(symbol->node)
           || std::holds_alternative<BusSymbol>(symbol->node)
           || std::holds_alternative<PortSymbol>(symbol->node);
}

Operand Checker::busPath(ast::ExprId id, std::vector<ast::ExprId>& rest) {
    std::vector<ast::ExprId> chain{id};
    while (!std::holds_alternative<ast::Name>(module_[chain.back()].node)) {
        const auto& node = module_[chain.back()].node;
        chain.push_back(std::holds_alternative<ast::Member>(node)
                            ? std::get<ast::Member>(node).base
                            : std::get<ast::Index>(node).base);
    }
    const auto& root = std::get<ast::Name>(module_[chain.back()].node);
    SourceRange rootRange = module_[chain.back()].range;
    Symbol* symbol = scope_->find(root.text);
    if (symbol && isUnimported(*symbol)) return {};
    PathResolver* paths = mode_ == Mode::Process    ? paths_
                          : mode_ == Mode::Constant ? core_.paths
                                                    : nullptr;
    if (!paths) {
        if (!symbol)
            reportUnknown(root.text, rootRange);
        else if (mode_ == Mode::Function)
            core_.report(DiagId::FunctionScope, rootRange, root.text, kindOf(*symbol));
        else
            core_.report(DiagId::NotConstant, rootRange, root.text, kindOf(*symbol));
        return {};
    }
    for (std::size_t i = chain.size(); i-- > 0;) {
        auto path = paths->resolveBus({scope_->module(), chain[i]}, *scope_, true);
        if (!path) continue;
        rest.assign(chain.begin(), chain.begin() + static_cast<std::ptrdiff_t>(i));
        return referenceTo(chain[i], *path);
    }
    std::size_t errors = core_.diagnostics.errorCount();
    ast::ExprId shown =
        chain.size() > 1 && std::holds_alternative<ast::Member>(module_[id].node) ? chain[1] : id;
    if (chain.size() > 1 && symbol)
        paths->resolveBus({scope_->module(), shown}, *scope_, core_.isQuiet());
    if (core_.diagnostics.errorCount() != errors) return {};
    if (!symbol)
        reportUnknown(root.text, rootRange);
    else
        core_.report(DiagId::NotAValue, rootRange, root.text, kindOf(*symbol), "");
    return {};
}

Operand Checker::pathOperand(ast::ExprId id) {
    std::vector<ast::ExprId> rest;
    Operand operand = busPath(id, rest);
    for (; !rest.empty() && !operand.isError(); rest.pop_back()) {
        const ast::Expr& expr = module_[rest.back()];
        if (const auto* member = std::get_if<ast::Member>(&expr.node))
            operand = memberOf(std::move(operand), member->name, expr.range);
        else
            operand =
                indexOf(std::move(operand), std::get<ast::Index>(expr.node).index, expr.range);
        operand.range = expr.range;
    }
    return operand;
}

Operand Checker::referenceTo(ast::ExprId id, const ResolvedPath& path) {
    std::string text;
    for (char c : core_.sources.text(module_[id].range))
        if (c != ' ' && c != '\n' && c != '\t' && c != '\r') text += c;
    auto [known, isNew] = references_.try_emplace(text, static_cast<std::uint32_t>(ports_.size()));
    if (isNew) {
        hir::Port port;
        port.name = text;
        port.origin = hir::PortOrigin::Reference;
        port.canWrite = true;
        port.shape = path.shape;
        port.isArray = !path.dimensions.empty();
        port.dimensions = path.dimensions;
        port.elements = static_cast<std::uint32_t>(path.buses.size());
        port.range = module_[id].range;
        port.fields.resize(core_.design.shapes[path.shape.index].fields.size());
        ports_.push_back(std::move(port));
        isOut_.push_back(true);
        elementUses_.emplace_back(ports_.back().fields.size());
        referencePaths_.push_back({scope_->module(), id});
    }
    return busOperand(known->second, module_[id].range);
}

}  // namespace smec::sema
