// The text is all of a design but where things stand in the source and its hashes: parse() reads it
// back. Its grammar is in docs/ir.md.

#include <fmt/format.h>

#include "ir/analysis.h"
#include "ir/printer.h"
#include "ir/text.h"

namespace smec::ir {

namespace {

/// "1, 2, 12 of 0": equal neighbours are told together.
template <typename List, typename Text>
std::string listed(const List& list, const Text& textOf) {
    constexpr std::size_t kFew = 4;
    std::string result;
    for (std::size_t i = 0; i < list.size();) {
        std::size_t end = i + 1;
        while (end < list.size() && list[end] == list[i])
            ++end;
        const bool isTold = end - i < kFew;
        for (std::size_t k = i; k < (isTold ? end : i + 1); ++k)
            result += (result.empty() ? "" : ", ") + (isTold ? "" : fmt::format("{} of ", end - i))
                      + textOf(list[k]);
        i = end;
    }
    return result;
}

template <typename List>
std::string values(const List& list) {
    return listed(list, [](const Constant& value) { return text::of(value); });
}

std::string numbers(const std::vector<std::uint64_t>& list) {
    return fmt::format("{}", fmt::join(list, " x "));
}

template <typename T>
std::string path(const T& run) {
    if (!run.suffix) return text::name(run.prefix);
    return fmt::format("{}{}..{}{}", text::quoted(run.prefix), run.index, run.index + run.count - 1,
                       text::quoted(*run.suffix));
}

std::string enumText(const std::optional<std::uint32_t>& enumeration) {
    return enumeration ? fmt::format(" enum {}", *enumeration) : "";
}

void printPlane(const Plane& p, std::size_t index, std::string& out) {
    out += fmt::format("plane {} {} {}", index, text::kPlaneKinds[static_cast<int>(p.kind)],
                       text::name(p.name));
    if (p.owner.valid()) out += fmt::format(" of {}", p.owner.index);
    out += fmt::format(": {} x {}", p.instances, text::of(p.type));
    if (p.perOwner != 1) out += fmt::format(" by {}", p.perOwner);
    out += enumText(p.enumeration) + rangeText(p.range);
    if (p.hold) out += " hold";
    if (p.combinational) out += " combinational";
    if (p.hidden) out += " hidden";
    if (p.objects) out += fmt::format(" objects {}", *p.objects);
    if (p.firstElement.valid()) out += fmt::format(" element of {}", p.firstElement.index);
    if (!p.dimensions.empty()) out += " dimensions " + numbers(p.dimensions);
    if (!p.initial.values.empty()) {
        out +=
            fmt::format(" = {}{}", p.initial.perInstance ? "each " : "", values(p.initial.values));
    }
    out += "\n";
}

std::string argsText(const std::vector<ArgFormat>& args) {
    std::string result;
    for (const ArgFormat& arg : args) {
        result += fmt::format("{}{} {}{}{}", result.empty() ? "" : ", ",
                              text::kTypes[static_cast<int>(arg.type)], arg.isSigned ? 'i' : 'u',
                              arg.bits, enumText(arg.enumeration));
    }
    return "(" + result + ")";
}

std::string siteText(const TraceSite& site) {
    return text::quoted(site.format) + " " + argsText(site.args);
}

/// Behind the subject: a text that is said, one that is not, or what there is of none.
std::string failText(const FailSite& site) {
    if (site.hasText) return " " + siteText(site.text);
    if (!site.text.format.empty()) return " unsaid " + siteText(site.text);
    return site.text.args.empty() ? "" : " " + argsText(site.text.args);
}

void printSites(const Body& body, std::string& out) {
    for (std::size_t i = 0; i < body.traces.size(); ++i)
        out += fmt::format("    trace site {} {}\n", i, siteText(body.traces[i]));
    for (std::size_t i = 0; i < body.fails.size(); ++i) {
        const FailSite& site = body.fails[i];
        out += fmt::format("    fail site {} {}", i, text::kFailures[static_cast<int>(site.kind)]);
        if (!site.subject.empty()) out += " of " + text::name(site.subject);
        out += failText(site);
        if (site.range.valid())
            out += fmt::format(" at {}:{}..{}", site.range.file.index, site.range.begin,
                               site.range.end);
        out += "\n";
    }
}

void printInput(const Input& input, const std::string& name, std::string& out) {
    out += fmt::format("    input {}: {}{}\n", name, text::of(input.type), rangeText(input.range));
    for (std::size_t i = 0; i < input.elements.size(); ++i) {
        if (input.elements.size() != 1) out += fmt::format("        element {}\n", i);
        for (const Run& r : input.elements[i].runs) {
            out += fmt::format("        {} + {}: plane {} from {} by {}\n", r.first, r.count,
                               r.plane.index, r.start, r.stride);
        }
    }
}

void printInstances(const InstanceRun& run, std::string& out) {
    out += fmt::format("    instance {} {} order {} by {}", run.first, path(run), run.order,
                       run.orderStride);
    if (run.waits)
        out += fmt::format(" waits {} at {}", run.waits->statements.size(), run.waits->plane.index);
    out += "\n";
}

void printColumn(const Column& column, const std::string& name, std::string& out) {
    out += fmt::format("    column {}: {}", name, text::of(column.type));
    if (column.range != Interval{}) out += rangeText(column.range);
    if (!column.values.empty()) out += " = " + values(column.values);
    out += "\n";
}

void printClass(const Printed& in, const Class& cls, std::size_t index, std::string& out) {
    const text::BodyNames names = text::namesOf(cls.body, &cls);
    out +=
        fmt::format("class {} {}: {} instances{}{}\n", index, text::name(cls.name), cls.instances,
                    cls.combinational ? " combinational" : "", cls.isDelayLine ? " delay" : "");
    for (const InstanceRun& run : cls.runs)
        printInstances(run, out);
    for (std::size_t i = 0; i < cls.inputs.size(); ++i)
        printInput(cls.inputs[i], names.inputs[i], out);
    for (const Output& output : cls.outputs) {
        out += fmt::format("    output {}: plane {}{}", text::name(output.name), output.plane.index,
                           output.hold ? " hold" : "");
        if (output.log)
            out += fmt::format(" log {} of {}{}", output.log->plane.index, output.log->form.entries,
                               output.log->form.isCounted ? " counted" : "");
        out += "\n";
    }
    for (PlaneId plane : cls.state)
        out += fmt::format("    variable {}: plane {}\n",
                           text::name(in.design.planes[plane.index].name), plane.index);
    for (std::size_t i = 0; i < cls.columns.size(); ++i)
        printColumn(cls.columns[i], names.columns[i], out);
    for (const Cover& cover : cls.covers)
        out +=
            fmt::format("    cover {}: plane {}\n", text::quoted(cover.name), cover.counter.index);
    printSites(cls.body, out);
    printBody(cls.body, &cls, in, out);
}

void printForeign(const Foreign& f, std::string& out) {
    out += fmt::format("    extern {}{} {} in {}{} id {} constants {}\n",
                       f.isProcess ? "process" : "function", f.isSerial ? " serial" : "",
                       text::name(f.name), text::quoted(f.header), f.isFile ? " file" : "", f.id,
                       f.constants);
    for (const Foreign::Port& port : f.ports) {
        out += fmt::format("        port {} x {}{}\n", text::name(port.name), port.elements,
                           port.isArray ? " array" : "");
        for (const Foreign::Field& field : port.fields)
            out += fmt::format("            field {} shape {}{}\n", text::name(field.name),
                               field.shape, field.written ? " written" : "");
    }
}

void printFunction(const Printed& in, const Function& f, std::size_t index, std::string& out) {
    std::vector<std::string> results;
    for (const StorageType& type : f.results)
        results.push_back(text::of(type));
    out += fmt::format("function {} {}:{}{}", index, text::name(f.name), results.empty() ? "" : " ",
                       fmt::join(results, ", "));
    if (f.owner.valid()) out += fmt::format(" of class {}", f.owner.index);
    out += fmt::format("{}{}{}\n", f.mayFail ? " fails" : "", f.mayTrace ? " traces" : "",
                       f.callsForeign ? " foreign" : "");
    if (f.external) printForeign(*f.external, out);
    printBody(f.body, nullptr, in, out);
}

void printShape(const Shape& shape, std::size_t index, std::string& out) {
    out += fmt::format("shape {} ", index);
    switch (shape.kind) {
    case Shape::Kind::Scalar:
        out += text::of(shape.scalar) + enumText(shape.enumeration) + rangeText(shape.range);
        break;
    case Shape::Kind::Array: out += fmt::format("{} of {}", shape.count, shape.element); break;
    case Shape::Kind::Struct: out += "struct " + text::name(shape.name); break;
    }
    out += "\n";
    for (const Shape::Member& member : shape.members)
        out += fmt::format("    member {} shape {} leaf {}\n", text::name(member.name),
                           member.shape, member.leaf);
}

void printName(std::string_view word, const NameRun& run, std::string& out) {
    out += fmt::format("{} {}: plane {} from {} by {}{}{}", word, path(run), run.plane.index,
                       run.start, run.stride, run.exposed ? " exposed" : "",
                       run.variable ? " variable" : "");
    if (run.shape) out += fmt::format(" shape {}", *run.shape);
    out += "\n";
    for (const NameRun::Place& leaf : run.leaves) {
        out += fmt::format("    leaf plane {} from {} by {}", leaf.plane.index, leaf.start,
                           leaf.stride);
        for (std::size_t i = 0; i < leaf.elements.size(); ++i)
            out += fmt::format("{}{}", i == 0 ? " elements " : ", ", leaf.elements[i].index);
        out += "\n";
    }
}

void printEnum(const Enum& e, std::size_t index, std::string& out) {
    out += fmt::format("enum {} {}: {}{}\n", index, text::name(e.name), e.isSigned ? 'i' : 'u',
                       e.width);
    for (const EnumMember& member : e.members)
        out += fmt::format("    member {} = {}\n", text::name(member.name), member.value.str());
}

void printTable(const Table& table, std::size_t index, std::string& out) {
    out += fmt::format("table {}", index);
    if (!table.name.empty()) out += " " + text::name(table.name);
    out += fmt::format(": {} = {}\n", text::of(table.type), values(table.values));
}

template <typename List, typename Print>
void printAll(const List& list, std::string& out, const Print& print) {
    for (std::size_t i = 0; i < list.size(); ++i)
        print(list[i], i, out);
}

}  // namespace

std::string rangeText(const std::optional<Interval>& range) {
    return range ? fmt::format(" range {} to {}", range->low.str(), range->high.str()) : "";
}

std::string print(const Design& design) {
    std::string out = fmt::format("design {}, {} processes{}", text::name(design.name),
                                  design.processCount, design.unchecked ? ", unchecked" : "");
    if (design.uncountedRounds != 0)
        out += fmt::format(", up to {} rounds not counted", design.uncountedRounds);
    out += "\n";
    printAll(design.enums, out, printEnum);
    printAll(design.shapes, out, printShape);
    printAll(design.planes, out, printPlane);
    printAll(design.tables, out, printTable);
    const Printed in{design, text::functionNames(design.functions)};
    for (std::size_t i = 0; i < design.functions.size(); ++i)
        printFunction(in, design.functions[i], i, out);
    for (std::size_t i = 0; i < design.classes.size(); ++i)
        printClass(in, design.classes[i], i, out);
    for (const NameRun& run : design.names)
        printName("name", run, out);
    for (const NameRun& run : design.hiddenNames)
        printName("hidden name", run, out);
    return out;
}

}  // namespace smec::ir
