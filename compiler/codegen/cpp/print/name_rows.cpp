#include "codegen/cpp/print/name_rows.h"

#include <vector>

#include "codegen/cpp/print/table.h"

namespace smec::codegen::cpp {
namespace {

/// The end of a leaf's row: nothing, or the name of the table of its elements' planes.
std::string printElements(const ir::NameRun::Place& leaf, const std::string& name, Writer& out) {
    if (leaf.elements.empty()) return "";
    std::string list;
    for (const ir::PlaneId plane : leaf.elements)
        list += fmt::format("{}{}", list.empty() ? "" : ", ", plane.index);
    out.line("constexpr std::uint32_t {}[] = {{{}}};", name, list);
    return ", " + name;
}

/// The end of a name's row: nothing, or its type and the name of the table of its leaves.
std::string printLeaves(const ir::NameRun& run, const NameRow& row, std::size_t number,
                        Writer& out) {
    if (!run.shape) return "";
    std::string list;
    for (std::size_t i = 0; i < run.leaves.size(); ++i) {
        const ir::NameRun::Place& leaf = run.leaves[i];
        list += fmt::format("{}{{{}, {}, {}{}}}", list.empty() ? "" : ", ", leaf.plane.index,
                            leaf.start, leaf.stride,
                            printElements(leaf, fmt::format("elements{}_{}", number, i), out));
    }
    out.line("constexpr sme::LeafPlace leaves{}[] = {{{}}};", number, list);
    return fmt::format(", {}, leaves{}", *row.type, number);
}

}  // namespace

std::string printInstances(const Program& program, Writer& out) {
    const ir::Design& design = program.design;
    Table table(out, "InstanceRun", "instanceTable");
    for (std::size_t i = 0; i < design.classes.size(); ++i) {
        for (const ir::InstanceRun& run : design.classes[i].runs)
            table.row("{{{}, {}, {}, {}, {}, {}u, {}u, {}u, {}}},", i, run.first, run.count,
                      stringLiteral(run.prefix), optionalText(run.suffix), run.index, run.order,
                      run.orderStride, location(program.sources, run.range));
    }
    return table.close();
}

std::string printNames(const Program& program, Writer& out) {
    const ir::Design& design = program.design;
    std::vector<std::string> leaves(design.names.size());
    for (std::size_t i = 0; i < design.names.size(); ++i)
        leaves[i] = printLeaves(design.names[i], program.model.names[i], i, out);
    Table table(out, "NameRun", "nameTable");
    for (std::size_t i = 0; i < design.names.size(); ++i) {
        const ir::NameRun& run = design.names[i];
        table.row(
            "{{{}, {}, {}u, {}, {}, {}, {}, {}{}}},", stringLiteral(run.prefix),
            optionalText(run.suffix), run.index, run.count, run.plane.index, run.start, run.stride,
            flags({{run.exposed, "kExposed"},
                   {run.variable, "kVariable"},
                   {program.model.names[i].startsAnew, "kStartsAnew"},
                   {design.planes[run.plane.index].kind == ir::PlaneKind::Undriven, "kUndriven"}}),
            leaves[i]);
    }
    return table.close();
}

std::string printCovers(const ir::Design& design, Writer& out) {
    Table table(out, "Cover", "coverTable");
    for (std::size_t i = 0; i < design.classes.size(); ++i) {
        for (const ir::Cover& cover : design.classes[i].covers)
            table.row("{{{}, {}, {}}},", stringLiteral(cover.name), i, cover.counter.index);
    }
    return table.close();
}

}  // namespace smec::codegen::cpp
