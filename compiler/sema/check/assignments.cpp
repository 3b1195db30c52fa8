#include "sema/check/assignments.h"

#include "ast/spelling.h"
#include "sema/check/buses.h"
#include "sema/check/conversions.h"
#include "sema/check/expressions.h"
#include "sema/check/judgements.h"
#include "sema/check/operators.h"
#include "sema/check/targets.h"
#include "sema/operand_types.h"

namespace smec::sema {

void Assignments::assign(const ast::Assign& node, SourceRange range, hir::Block& out) {
    std::optional<Target> to = targets_.target(node.target);
    if (!to) {
        expressions_.check(node.value);
        return;
    }
    if (to->isBus) return assignBus(*to, node, range, out);
    if (node.op) return assignCompound(node, *to, range, out);
    Destination destination{to->place.type, "'" + to->name + "'", false, false};
    const std::size_t mark = uses_.named();
    Operand given = expressions_.checkFor(node.value, destination);
    judgements_.stored(given, destination.type, mark);
    hir::ExprId value = conversions_.store(std::move(given), destination);
    if (value.valid()) out.push_back({range, hir::Assign{std::move(to->place), value}});
}

/// x op= e is x = x op e.
void Assignments::assignCompound(const ast::Assign& node, Target& target, SourceRange range,
                                 hir::Block& out) {
    if (target.isField)
        reporter_.report(DiagId::CompoundField, range, fmt::format("{}=", spelling(*node.op)));
    std::size_t siteBegin = uses_.siteCount();
    Operand left = targets_.readBack(target);
    Operand right = expressions_.check(node.value);
    if (types_.isError(target.place.type)) return;
    Operand result =
        operators_.binary(*node.op, range, std::move(left), std::move(right), range, siteBegin);
    result.range = module_[node.value].range;
    hir::ExprId value = conversions_.store(
        std::move(result), {target.place.type, "'" + target.name + "'", false, false});
    if (value.valid()) out.push_back({range, hir::Assign{std::move(target.place), value}});
}

/// All fields the target may drive are copied; flip fields go the other way.
void Assignments::assignBus(Target& target, const ast::Assign& node, SourceRange range,
                            hir::Block& out) {
    Operand source = expressions_.check(node.value);
    if (source.isError()) return;
    if (source.kind != Operand::Kind::Bus || node.op) {
        const auto& fields = ports_.fields(target.bus.port);
        reporter_.report(DiagId::CopyBus, range, target.name, target.name,
                         fields.empty() ? "field" : fields.front().name);
        return;
    }
    const Operand& to = target.bus;
    for (const Operand* bus : {&to, static_cast<const Operand*>(&source)}) {
        if (bus->dimension == ports_[bus->port].dimensions.size()) continue;
        reporter_.report(DiagId::BusIndexMissing, bus->range, reporter_.text(bus->range));
        return;
    }
    const std::vector<hir::FieldShape> fields =
        declaredFields(busTypes_, scope_, *process_, ports_, to.port);
    for (const hir::FieldShape& field : fields) {
        const bool isAllowed = field.flip ? copyField(source, to, field, range, out)
                                          : copyField(to, source, field, range, out);
        if (!isAllowed) return;
    }
}

/// False: the process may not write to that bus, which is the same for the other fields.
bool Assignments::copyField(const Operand& to, const Operand& from, const hir::FieldShape& field,
                            SourceRange range, hir::Block& out) {
    std::string fromName = reporter_.text(from.range), toName = reporter_.text(to.range);
    auto find = [&](const Operand& bus) -> std::optional<std::uint32_t> {
        return ports_.fieldNamed(bus.port, field.name);
    };
    auto target = find(to), source = find(from);
    if (!target || !source) {
        reporter_.report(DiagId::CopyMissing, range, fromName, toName, target ? fromName : toName,
                         field.name);
        return true;
    }
    const hir::FieldShape& a = ports_.fields(to.port)[*target];
    const hir::FieldShape& b = ports_.fields(from.port)[*source];
    if (a.type != b.type) {
        reporter_.report(DiagId::CopyType, range, fromName, toName, field.name, types_.name(b.type),
                         types_.name(a.type));
        return true;
    }
    hir::TypeId type = a.type;
    hir::ExprId value = build_.emit(operandType(types_, type), from.range,
                                    hir::ReadField{from.port, *source, buses_.elementExpr(from)});
    ports_.noteRead(from, *source);
    hir::ExprId element = buses_.elementExpr(to);
    if (!ports_.noteWrite(to, *target, range)) return false;
    hir::Place place{hir::FieldRef{to.port, *target, element}, {}, type, to.range};
    out.push_back({range, hir::Assign{std::move(place), value}});
    return true;
}

}  // namespace smec::sema
