#include "interp/context.h"

#include <fmt/format.h>

#include "hir/waits.h"
#include "source/overloaded.h"

namespace smec::interp {

namespace {

TypeFacts::Kind kindOf(const hir::Type& type) {
    using enum TypeFacts::Kind;
    return smec::visit(Overloaded{
                           [](const hir::ArrayType&) { return Array; },
                           [](const hir::StructType&) { return Struct; },
                           [](const hir::IntType& t) {
                               return t.flavour == hir::IntFlavour::Ranged ? Ranged : Integer;
                           },
                           [](const AnyOf<hir::ErrorType, hir::BoolType, hir::FloatType,
                                          hir::StringType, hir::EnumType> auto&) { return Other; },
                       },
                       type);
}

std::vector<TypeFacts> describe(const TypeTable& types) {
    std::vector<TypeFacts> result(types.size());
    for (std::uint32_t i = 0; i < types.size(); ++i) {
        const TypeId id{i};
        TypeFacts& facts = result[i];
        facts.width = widthOf(types, id);
        facts.isSigned = isSignedType(types, id);
        facts.kind = kindOf(types[id]);
        if (facts.kind != TypeFacts::Kind::Ranged) continue;
        facts.low = number(types.minimum(id));
        facts.high = number(types.maximum(id));
    }
    return result;
}

PreparedBody prepare(const hir::Body& body, const std::vector<hir::Port>& ports) {
    PreparedBody prepared{&body, std::vector<Value>(body.exprs.size()), {}};
    for (std::size_t i = 0; i < body.exprs.size(); ++i) {
        const auto* constant = std::get_if<hir::Constant>(&body.exprs[i].node);
        if (constant) prepared.constants[i] = fromHir(constant->value);
    }
    std::uint32_t start = 0;
    for (const hir::Port& port : ports) {
        prepared.portStart.push_back(start);
        start += port.elements;
    }
    prepared.waits = hir::waitsOf(body);
    return prepared;
}

}  // namespace

Context::Context(const hir::Design& theDesign, const SourceManager& theSources,
                 const Settings& theSettings)
    : design(theDesign),
      sources(theSources),
      settings(theSettings),
      types(describe(theDesign.types)) {
    for (const hir::Value& value : design.values)
        values.push_back(fromHir(value));
    for (const hir::Specialisation& spec : design.specs)
        bodies.push_back(prepare(spec.body, spec.ports));
    for (const hir::Function& function : design.functions)
        functions.push_back(prepare(function.body, {}));
    for (const std::vector<hir::Value>& set : design.defaultSets) {
        defaults.emplace_back();
        for (const hir::Value& value : set)
            defaults.back().push_back(fromHir(value));
    }
}

void Context::report(const Process& process, const Failure& failure) {
    failed = true;
    std::string place;
    if (failure.range.valid()) {
        const LineColumn position = sources.position(failure.range.file, failure.range.begin);
        place = fmt::format("{}:{}:{}: ", sources.path(failure.range.file), position.line,
                            position.column);
    }
    messages.push_back({process.id.index, true,
                        fmt::format("{}error: {}\n  in instance '{}', cycle {}", place,
                                    failure.message, hir::pathOf(design, process.id), cycle)});
}

void Context::requestStop(const Process& process, int status) {
    if (!stop || process.id.index < stop->instance) stop = StopRequest{process.id.index, status};
}

bool Context::mustEnd() const {
    if (settings.interrupt && *settings.interrupt != 0) return true;
    return settings.deadline && std::chrono::steady_clock::now() >= *settings.deadline;
}

}  // namespace smec::interp
