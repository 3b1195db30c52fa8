#include <fmt/format.h>

#include "hir/dump_body.h"

// Functions, then specialisations, then the instance tree with its wiring, then buses with their
// drivers.

namespace smec::hir {

namespace {

std::string place(const SourceManager& sources, SourceRange range) {
    if (!range.valid()) return "";
    return fmt::format("  // line {}", sources.position(range.file, range.begin).line);
}

std::string varLines(const Design& design, const Body& body, VarKind kind) {
    std::string text;
    for (std::size_t i = 0; i < body.vars.size(); ++i)
        if (body.vars[i].kind == kind)
            text += fmt::format("  var {}%{}: {}\n", body.vars[i].name, i,
                                design.types.name(body.vars[i].type));
    return text;
}

std::string functionText(const Design& design, const Function& function) {
    std::string params;
    for (std::uint32_t i = 0; i < function.paramCount; ++i) {
        const Variable& param = function.body.vars[i];
        params +=
            fmt::format("{}{}: {}", i == 0 ? "" : ", ", param.name, design.types.name(param.type));
    }
    BodyDumper dumper(design, nullptr, function.body);
    return fmt::format("func {}({}): {}\n{}", function.name, params,
                       design.types.name(function.result),
                       dumper.block(function.body.statements, 1));
}

std::string portText(const Design& design, const Port& port) {
    static constexpr const char* kOrigins[] = {"port", "own", "reference"};
    std::string text =
        fmt::format("  {} {}", kOrigins[static_cast<std::size_t>(port.origin)], port.name);
    for (std::uint64_t size : port.dimensions)
        text += fmt::format("[{}]", size);
    text += " {";
    const BusShape& shape = design.shapes[port.shape.index];
    for (std::size_t i = 0; i < shape.fields.size(); ++i) {
        const FieldShape& field = shape.fields[i];
        std::string access =
            fmt::format("{}{}", port.fields[i].read ? "r" : "", port.fields[i].written ? "w" : "");
        text += fmt::format(" {}{}{}: {}{};", field.hold ? "hold " : "", field.flip ? "flip " : "",
                            field.name, design.types.name(field.type),
                            access.empty() ? "" : " " + access);
    }
    return text + (shape.delay == 1 ? " }\n" : fmt::format(" }} delay {}\n", shape.delay));
}

std::string specText(const Design& design, const Specialisation& spec, std::size_t number,
                     const SourceManager& sources) {
    static constexpr const char* kKinds[] = {"proc", "async proc", "sim proc"};
    std::string text =
        fmt::format("{} {}#{} x{}{}\n", kKinds[static_cast<std::size_t>(spec.kind)], spec.name,
                    number, spec.instances.size(), place(sources, spec.range));
    for (const Port& port : spec.ports)
        text += portText(design, port);
    for (std::size_t i = 0; i < spec.constants.size(); ++i)
        text += fmt::format("  const {}#{}: {}\n", spec.constants[i].name, i,
                            design.types.name(spec.constants[i].type));
    text += varLines(design, spec.body, VarKind::Process)
            + varLines(design, spec.body, VarKind::Loop)
            + varLines(design, spec.body, VarKind::Block);
    return text + "  body\n" + BodyDumper(design, &spec, spec.body).block(spec.body.statements, 2);
}

std::string instanceText(const Design& design, InstanceId id) {
    const Instance& instance = design.instances[id.index];
    std::string path = pathOf(design, id);
    if (instance.kind == InstanceKind::Network)
        return fmt::format("network {}\n", path.empty() ? design.topName : path);
    const Specialisation& spec = design.specs[instance.spec.index];
    std::string text = fmt::format("instance {} of {}#{}", path, spec.name, instance.spec.index);
    std::uint32_t next = instance.firstBus;
    for (const Port& port : spec.ports) {
        text += fmt::format(" {}=", port.name);
        for (std::uint32_t i = 0; i < port.elements; ++i)
            text += (i == 0 ? "" : ",") + pathOf(design, design.bindings[next++]);
    }
    for (std::size_t i = 0; i < spec.constants.size(); ++i)
        text += fmt::format(" #{}={}", i,
                            toString(design.types, spec.constants[i].type,
                                     design.constant(instance, static_cast<std::uint32_t>(i))));
    for (std::size_t i = 0; i < spec.body.vars.size() && spec.body.vars[i].kind == VarKind::Process;
         ++i)
        text += fmt::format(" %{}={}", i,
                            toString(design.types, spec.body.vars[i].type,
                                     design.initial(instance, static_cast<std::uint32_t>(i))));
    return text + "\n";
}

std::string busText(const Design& design, BusId id) {
    static constexpr const char* kDrivers[] = {"undriven", "clocked", "combinational"};
    const Bus& bus = design.buses[id.index];
    std::string text = fmt::format(
        "{}bus {}\n", design.busGroups[bus.group].exposed ? "exposed " : "", pathOf(design, id));
    const BusShape& shape = design.shapes[bus.shape.index];
    for (std::uint32_t i = 0; i < shape.fields.size(); ++i) {
        const Field& field = design.fields[bus.firstField + i];
        text += fmt::format("  {}: {} = {} {}{}\n", shape.fields[i].name,
                            design.types.name(shape.fields[i].type),
                            toString(design.types, shape.fields[i].type, design.defaultOf(id, i)),
                            kDrivers[static_cast<std::size_t>(field.kind)],
                            field.driver.valid() ? " by " + pathOf(design, field.driver) : "");
    }
    return text;
}

}  // namespace

std::string dump(const Design& design, const SourceManager& sources) {
    std::string text;
    for (const Function& function : design.functions)
        text += functionText(design, function);
    for (std::size_t i = 0; i < design.specs.size(); ++i)
        text += specText(design, design.specs[i], i, sources);
    for (std::uint32_t i = 0; i < design.instances.size(); ++i)
        text += instanceText(design, InstanceId{i});
    for (std::uint32_t i = 0; i < design.buses.size(); ++i)
        text += busText(design, BusId{i});
    return text;
}

}  // namespace smec::hir
