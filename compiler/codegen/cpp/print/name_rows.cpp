#include "codegen/cpp/print/name_rows.h"

#include <bit>
#include <map>
#include <utility>
#include <vector>

#include "codegen/cpp/print/table.h"
#include "plan/plan.h"
#include "source/line_names.h"

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
std::string printLeaves(const ir::NameRun& run, const NameRow& row, const std::string& number,
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

/// The tables of the places at which processes wait: one of all names, and one of their lists.
class WaitRows {
public:
    explicit WaitRows(const Program& program) : program_(program) {}

    /// What an instance run says of it at its end.
    std::string add(const ir::InstanceRun& run) {
        if (run.body == 0) return "";
        const std::string body = fmt::format(", 0x{:016x}u", run.body);
        if (!run.waits) return ", nullptr" + body;
        std::vector<std::string> names = lineNames(program_.sources, run.waits->statements);
        const auto [known, isNew] =
            numbers_.try_emplace({run.waits->plane.index, std::move(names)}, numbers_.size());
        if (isNew) addList(known->first.first, known->first.second);
        return fmt::format(", waitTable + {}{}", known->second, body);
    }

    void print(Writer& out) const {
        if (lists_.empty()) return;
        printTable("EnumMember", "waitNames", members_, out);
        printTable("WaitPlaces", "waitTable", lists_, out);
    }

private:
    void addList(std::uint32_t plane, const std::vector<std::string>& names) {
        const std::size_t first = members_.size();
        members_.emplace_back("{\"start\", 0}");
        for (std::size_t i = 0; i < names.size(); ++i)
            members_.push_back(fmt::format("{{{}, {}}}", stringLiteral(names[i]), i + 1));
        lists_.push_back(
            fmt::format("{{{}, {{sme::Kind::Enum, {}, {}, \"wait\", 0, {}, waitNames + {}, "
                        "nullptr, 0, 0}}}}",
                        plane, std::bit_width(names.size()),
                        plan::storageBytes(program_.design.planes[plane].type.scalar),
                        names.size() + 1, first));
    }

    static void printTable(const char* type, const char* name, const std::vector<std::string>& rows,
                           Writer& out) {
        Table table(out, type, name);
        for (const std::string& row : rows)
            table.row("{},", row);
        table.close();
    }

    const Program& program_;
    /// By plane and names.
    std::map<std::pair<std::uint32_t, std::vector<std::string>>, std::size_t> numbers_;
    std::vector<std::string> members_, lists_;  ///< rows
};

struct Runs {
    const std::vector<ir::NameRun>& names;
    const std::vector<NameRow>& rows;
    const char* prefix;  ///< of the tables of leaves
    const char* table;
};

std::string printRuns(const Program& program, const Runs& runs, Writer& out) {
    const ir::Design& design = program.design;
    std::vector<std::string> leaves(runs.names.size());
    for (std::size_t i = 0; i < runs.names.size(); ++i)
        leaves[i] =
            printLeaves(runs.names[i], runs.rows[i], fmt::format("{}{}", runs.prefix, i), out);
    Table table(out, "NameRun", runs.table);
    for (std::size_t i = 0; i < runs.names.size(); ++i) {
        const ir::NameRun& run = runs.names[i];
        table.row(
            "{{{}, {}, {}u, {}, {}, {}, {}, {}, {}{}}},", stringLiteral(run.prefix),
            optionalText(run.suffix), run.index, run.count, run.plane.index, run.start, run.stride,
            flags({{run.exposed, "kExposed"},
                   {run.variable, "kVariable"},
                   {runs.rows[i].startsAnew, "kStartsAnew"},
                   {design.planes[run.plane.index].kind == ir::PlaneKind::Undriven, "kUndriven"}}),
            location(program.sources, run.range), leaves[i]);
    }
    return table.close();
}

}  // namespace

std::string printInstances(const Program& program, Writer& out) {
    const ir::Design& design = program.design;
    WaitRows waits(program);
    std::vector<std::string> ends;
    for (const ir::Class& cls : design.classes)
        for (const ir::InstanceRun& run : cls.runs)
            ends.push_back(waits.add(run));
    waits.print(out);
    auto end = ends.begin();
    Table table(out, "InstanceRun", "instanceTable");
    for (std::size_t i = 0; i < design.classes.size(); ++i) {
        for (const ir::InstanceRun& run : design.classes[i].runs)
            table.row("{{{}, {}, {}, {}, {}, {}u, {}u, {}u, {}{}}},", i, run.first, run.count,
                      stringLiteral(run.prefix), optionalText(run.suffix), run.index, run.order,
                      run.orderStride, location(program.sources, run.range), *end++);
    }
    return table.close();
}

std::string printNames(const Program& program, Writer& out) {
    return printRuns(program, {program.design.names, program.model.names, "", "nameTable"}, out);
}

std::string printHiddenNames(const Program& program, Writer& out) {
    return printRuns(
        program, {program.design.hiddenNames, program.model.hiddenNames, "Hidden", "hiddenTable"},
        out);
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
