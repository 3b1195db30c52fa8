#include "sema/checker.h"
#include "sema/operand_types.h"

namespace smec::sema {

using hir::TypeTable;

void Checker::assign(const ast::Assign& node, SourceRange range, hir::Block& out) {
    std::optional<Target> to = target(node.target);
    if (!to) {
        check(node.value);
        return;
    }
    if (to->isBus) return assignBus(*to, node, range, out);
    if (node.op) return assignCompound(node, *to, range, out);
    Destination destination{to->place.type, "'" + to->name + "'", false, false};
    const std::size_t mark = namedConstants_;
    Operand given = checkFor(node.value, destination);
    judgeStored(given, destination.type, mark);
    hir::ExprId value = store(std::move(given), destination);
    if (value.valid()) out.push_back({range, hir::Assign{std::move(to->place), value}});
}

/// x op= e is x = x op e.
void Checker::assignCompound(const ast::Assign& node, Target& target, SourceRange range,
                             hir::Block& out) {
    static constexpr const char* kTexts[] = {"*=", "/=", "%=", "+=", "-=", "<<=", ">>=", "",
                                             "",   "",   "",   "",   "",   "&=",  "^=",  "|="};
    if (target.isField)
        core_.report(DiagId::CompoundField, range, kTexts[static_cast<std::size_t>(*node.op)]);
    std::size_t siteBegin = sites_.size();
    Operand left = readBack(target);
    Operand right = check(node.value);
    if (core_.types().isError(target.place.type)) return;
    Operand result = binary(*node.op, range, std::move(left), std::move(right), range, siteBegin);
    result.range = module_[node.value].range;
    hir::ExprId value =
        store(std::move(result), {target.place.type, "'" + target.name + "'", false, false});
    if (value.valid()) out.push_back({range, hir::Assign{std::move(target.place), value}});
}

/// All fields the target may drive are copied; flip fields go the other way.
void Checker::assignBus(Target& target, const ast::Assign& node, SourceRange range,
                        hir::Block& out) {
    Operand source = check(node.value);
    if (source.isError()) return;
    if (source.kind != Operand::Kind::Bus || node.op) {
        core_.report(DiagId::CopyBus, range, target.name);
        return;
    }
    const Operand& to = target.bus;
    for (const Operand* bus : {&to, static_cast<const Operand*>(&source)}) {
        if (bus->dimension == ports_[bus->port].dimensions.size()) continue;
        core_.report(DiagId::BusIndexMissing, bus->range, core_.text(bus->range));
        return;
    }
    const std::vector<hir::FieldShape> fields = core_.design.shapes[fieldsOf(to.port).index].fields;
    for (const hir::FieldShape& field : fields) {
        if (field.flip)
            copyField(source, to, field, range, out);
        else
            copyField(to, source, field, range, out);
    }
}

/// A port has the fields of its type, if it has one; the bus behind it may have more.
hir::ShapeId Checker::fieldsOf(std::uint32_t port) {
    std::uint32_t number = 0;
    for (const ast::Param& param : process_->params) {
        if (param.kind == ast::ParamKind::Const) continue;
        if (number++ != port) continue;
        if (!param.type) break;
        const auto declared = core_.resolveBusType(*param.type, *scope_);
        return declared ? declared->shape : ports_[port].shape;
    }
    return ports_[port].shape;
}

void Checker::copyField(const Operand& to, const Operand& from, const hir::FieldShape& field,
                        SourceRange range, hir::Block& out) {
    std::string fromName = core_.text(from.range), toName = core_.text(to.range);
    auto find = [&](const Operand& bus) -> std::optional<std::uint32_t> {
        const auto& fields = core_.design.shapes[ports_[bus.port].shape.index].fields;
        for (std::uint32_t i = 0; i < fields.size(); ++i)
            if (fields[i].name == field.name) return i;
        return std::nullopt;
    };
    auto target = find(to), source = find(from);
    if (!target || !source) {
        core_.report(DiagId::CopyMissing, range, fromName, toName, target ? fromName : toName,
                     field.name);
        return;
    }
    const hir::FieldShape& a = core_.design.shapes[ports_[to.port].shape.index].fields[*target];
    const hir::FieldShape& b = core_.design.shapes[ports_[from.port].shape.index].fields[*source];
    if (a.type != b.type) {
        core_.report(DiagId::CopyType, range, fromName, toName, field.name,
                     core_.types().name(b.type), core_.types().name(a.type));
        return;
    }
    hir::TypeId type = a.type;
    hir::ExprId value = emit(operandType(core_.types(), type), from.range,
                             hir::ReadField{from.port, *source, elementExpr(from)});
    noteRead(from, *source);
    hir::ExprId element = elementExpr(to);
    if (!writeField(to, *target, range)) return;
    hir::Place place{hir::FieldRef{to.port, *target, element}, {}, type, to.range};
    out.push_back({range, hir::Assign{std::move(place), value}});
}

}  // namespace smec::sema
