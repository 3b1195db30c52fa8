#include "lower/body/functions.h"

#include "ir/visit.h"
#include "lower/body/body.h"
#include "source/overloaded.h"

namespace smec::lower {

namespace {

bool alwaysReturns(const ir::Block& block) {
    if (block.empty()) return false;
    return smec::visit(
        Overloaded{
            [](const ir::Return&) { return true; },
            [](const ir::If& n) { return alwaysReturns(n.yes) && alwaysReturns(n.no); },
            [](const ir::AnyOf<ir::Set, ir::CopyArray, ir::FillArray, ir::Check, ir::For, ir::Loop,
                               ir::CountRound, ir::Switch, ir::Break, ir::Continue, ir::Call,
                               ir::Trace, ir::Stop> auto&) { return false; },
        },
        block.back().node);
}

ir::ExprId anyValue(ir::Function& function, ir::Builder& builder, const ir::StorageType& type) {
    if (type.isArray()) {
        function.body.locals.push_back({"nothing", ir::LocalKind::Temp, type, 0, std::nullopt});
        return builder.read({static_cast<std::uint32_t>(function.body.locals.size() - 1)});
    }
    switch (type.scalar.kind) {
    case ir::ScalarKind::Bool: return builder.constant(false);
    case ir::ScalarKind::Int: return builder.constant(ir::Integer(0));
    case ir::ScalarKind::F32: return builder.constant(0.0, ir::ExprType::F32);
    case ir::ScalarKind::F64: return builder.constant(0.0, ir::ExprType::F64);
    }
    return {};
}

/// What the checker knows to be unreachable still needs an end.
void closeEnd(ir::Function& function) {
    if (alwaysReturns(function.body.statements)) return;
    ir::Builder builder(function.body);
    ir::Return end;
    for (const ir::StorageType& type : function.results)
        end.values.push_back(anyValue(function, builder, type));
    function.body.statements.push_back({function.range, std::move(end)});
}

std::uint32_t countParams(Context& context, const hir::Function& source) {
    std::size_t count = 0;
    for (std::uint32_t i = 0; i < source.paramCount; ++i)
        count += context.layouts.of(source.body.vars[i].type).size();
    return static_cast<std::uint32_t>(count);
}

ir::Foreign lowerForeign(Context& context, hir::FunctionId id, const hir::Function& function) {
    const hir::Foreign& source = *function.external;
    if (source.header.empty() && !context.options.isHardware)
        context.diagnostics.report(DiagId::ExternBody, function.range, function.name);
    ir::Foreign result{source.isProcess, source.isSerial,  source.name,
                       source.header,    source.isFile,    source.range,
                       id.index,         source.constants, {}};
    for (const hir::ForeignPort& port : source.ports) {
        ir::Foreign::Port& out = result.ports.emplace_back(port.name, port.isArray, port.elements,
                                                           std::vector<ir::Foreign::Field>{});
        for (const hir::ForeignPort::Field& field : port.fields)
            out.fields.push_back({field.name, context.shape(field.type), field.written});
    }
    return result;
}

}  // namespace

ir::FunctionId lowerFunction(Context& context, hir::FunctionId id, const ClassShape& shape,
                             ir::Body& sites) {
    if (auto it = context.sharedFunctions.find(id.index); it != context.sharedFunctions.end())
        return it->second;
    const std::pair key(id.index, shape.id.index);
    if (auto it = context.ownedFunctions.find(key); it != context.ownedFunctions.end())
        return it->second;

    const hir::Function& source = context.hir.functions[id.index];
    ir::Function function;
    function.name = source.name;
    function.range = source.range;
    function.paramCount = countParams(context, source);
    for (const Leaf& leaf : context.layouts.of(source.result))
        function.results.push_back(storageOf(leaf));
    BodyLowering lowering(context, shape, source.body, function.body, sites, &source,
                          {nullptr, nullptr, &context.out.tables, nullptr});
    lowering.run();
    const Effects& effects = lowering.effects();
    if (source.external)
        function.external = lowerForeign(context, id, source);
    else
        closeEnd(function);
    function.callsForeign = source.body.callsForeign;
    function.mayFail = effects.mayFail;
    function.mayTrace = effects.mayTrace;
    if (effects.usesOwner) function.owner = shape.id;

    const ir::FunctionId result{static_cast<std::uint32_t>(context.out.functions.size())};
    context.out.functions.push_back(std::move(function));
    if (effects.usesOwner)
        context.ownedFunctions.emplace(key, result);
    else
        context.sharedFunctions.emplace(id.index, result);
    return result;
}

}  // namespace smec::lower
