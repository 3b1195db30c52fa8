#include <fmt/format.h>

#include "ir/analysis.h"
#include "ir/printer.h"

namespace smec::ir {

std::string nameOf(const Scalar& type) {
    switch (type.kind) {
    case ScalarKind::Bool: return "bool";
    case ScalarKind::F32: return "f32";
    case ScalarKind::F64: return "f64";
    case ScalarKind::Int: break;
    }
    return fmt::format("{}{}", type.isSigned ? 'i' : 'u', type.width);
}

std::string nameOf(const StorageType& type) {
    return type.isArray() ? fmt::format("[{}]{}", type.length, nameOf(type.scalar))
                          : nameOf(type.scalar);
}

std::string textOf(const Constant& value) {
    if (const auto* integer = std::get_if<Integer>(&value.value)) return integer->str();
    return fmt::format("{}", std::get<double>(value.value));
}

namespace {

constexpr std::size_t kShown = 16;  // of long lists

template <typename List>
std::string values(const List& list) {
    std::string result;
    for (std::size_t i = 0; i < list.size() && i < kShown; ++i)
        result += (i ? ", " : "") + textOf(list[i]);
    if (list.size() > kShown) result += fmt::format(", ... ({})", list.size());
    return result;
}

template <typename T>
std::string path(const T& run) {
    if (!run.suffix) return run.prefix;
    return fmt::format("{}{}..{}{}", run.prefix, run.index, run.index + run.count - 1, *run.suffix);
}

std::string planes(const Design& design) {
    constexpr std::string_view kinds[] = {"output", "input", "undriven", "state"};
    std::string out;
    for (std::size_t i = 0; i < design.planes.size(); ++i) {
        const Plane& p = design.planes[i];
        out += fmt::format("plane {} {} '{}': {} x {}", i, kinds[static_cast<int>(p.kind)], p.name,
                           p.instances, nameOf(p.type));
        if (p.perOwner != 1) out += fmt::format(" by {}", p.perOwner);
        if (p.enumeration) out += " " + design.enums[*p.enumeration].name;
        if (p.range) out += fmt::format(" range {} to {}", p.range->low.str(), p.range->high.str());
        if (p.hold) out += " hold";
        if (p.combinational) out += " combinational";
        out += fmt::format(" = {}\n", values(p.initial.values));
    }
    return out;
}

std::string sites(const Body& body) {
    constexpr std::string_view kinds[] = {"assert",     "assume",         "division by zero",
                                          "index",      "negative shift", "range",
                                          "enum value", "loop limit",     "wait count"};
    std::string out;
    for (std::size_t i = 0; i < body.traces.size(); ++i) {
        out += fmt::format("    trace site {} \"{}\" ({})\n", i, body.traces[i].format,
                           body.traces[i].args.size());
    }
    for (std::size_t i = 0; i < body.fails.size(); ++i) {
        const FailSite& site = body.fails[i];
        out += fmt::format("    fail site {} {}", i, kinds[static_cast<int>(site.kind)]);
        if (!site.subject.empty()) out += " of " + site.subject;
        if (site.hasText) out += fmt::format(" \"{}\"", site.text.format);
        out += "\n";
    }
    return out;
}

std::string classText(const Design& design, const Class& cls, std::size_t index) {
    std::string out = fmt::format("class {} {}: {} instances{}\n", index, cls.name, cls.instances,
                                  cls.combinational ? " combinational" : "");
    for (const InstanceRun& run : cls.runs) {
        out += fmt::format("    instance {} {} order {} by {}\n", run.first, path(run), run.order,
                           run.orderStride);
    }
    for (const Input& input : cls.inputs) {
        out += fmt::format("    input {}: {}\n", input.name, nameOf(input.type));
        for (const Connection& connection : input.elements) {
            for (const Run& r : connection.runs) {
                out += fmt::format("        {} + {}: plane {} from {} by {}\n", r.first, r.count,
                                   r.plane.index, r.start, r.stride);
            }
        }
    }
    for (const Output& output : cls.outputs) {
        out += fmt::format("    output {}: plane {}{}\n", output.name, output.plane.index,
                           output.hold ? " hold" : "");
    }
    for (PlaneId plane : cls.state)
        out += fmt::format("    variable {}: plane {}\n", design.planes[plane.index].name,
                           plane.index);
    for (const Column& column : cls.columns) {
        out += fmt::format("    column {}: {} = {}\n", column.name, nameOf(column.type),
                           values(column.values));
    }
    return out + sites(cls.body) + printBody(cls.body, &cls, design, "    ");
}

}  // namespace

std::string print(const Design& design) {
    std::string out = fmt::format("design '{}', {} processes{}\n", design.name, design.processCount,
                                  design.unchecked ? ", unchecked" : "");
    if (design.uncountedRounds != 0)
        out += fmt::format("up to {} rounds are not counted\n", design.uncountedRounds);
    for (const Enum& e : design.enums) {
        out += fmt::format("enum {}: {}{}\n", e.name, e.isSigned ? 'i' : 'u', e.width);
        for (const EnumMember& member : e.members)
            out += fmt::format("    {} = {}\n", member.name, member.value.str());
    }
    out += planes(design);
    for (std::size_t i = 0; i < design.tables.size(); ++i) {
        out += fmt::format("table {}: {} = {}\n", i, nameOf(design.tables[i].type),
                           values(design.tables[i].values));
    }
    for (std::size_t i = 0; i < design.functions.size(); ++i) {
        const Function& f = design.functions[i];
        std::vector<std::string> results;
        for (const StorageType& type : f.results)
            results.push_back(nameOf(type));
        out += fmt::format("function {} {}: {}", i, f.name, fmt::join(results, ", "));
        if (f.owner.valid()) out += fmt::format(" of class {}", f.owner.index);
        if (f.external) out += fmt::format(" is {} of {}", f.external->name, f.external->header);
        out += fmt::format("{}{}\n", f.mayFail ? " fails" : "", f.mayTrace ? " traces" : "");
        out += printBody(f.body, nullptr, design, "    ");
    }
    for (std::size_t i = 0; i < design.classes.size(); ++i)
        out += classText(design, design.classes[i], i);
    for (const NameRun& run : design.names) {
        out += fmt::format("name {}: plane {} from {} by {}{}{}\n", path(run), run.plane.index,
                           run.start, run.stride, run.exposed ? " exposed" : "",
                           run.variable ? " variable" : "");
    }
    return out;
}

}  // namespace smec::ir
