#include "codegen/cpp/unit.h"

#include <algorithm>
#include <map>
#include <span>

#include "codegen/cpp/statement.h"
#include "ir/arithmetic.h"

namespace smec::codegen::cpp {
namespace {

/// Instances that merged loops take at a time.
constexpr std::uint32_t kMergedInstances = 1024;

constexpr const char* kKernelParameters = "const sme::Context& context, u32 begin, u32 end";

/// Classes of a unit whose bodies its kernels print.
std::vector<ir::ClassId> classesOf(const Program& program, const plan::TranslationUnit& unit) {
    std::vector<ir::ClassId> classes;
    for (const std::uint32_t index : unit.kernels) {
        const plan::Kernel& kernel = program.plan.kernels[index];
        if (kernel.kind == plan::KernelKind::Loop) classes.push_back(kernel.cls);
        for (const plan::InstanceRef& step : kernel.steps)
            classes.push_back(step.cls);
    }
    std::sort(classes.begin(), classes.end());
    classes.erase(std::unique(classes.begin(), classes.end()), classes.end());
    return classes;
}

bool isWide(const ir::StorageType& type) {
    return type.scalar.kind == ir::ScalarKind::Int && type.scalar.width > 128;
}

/// Whether an operator that looks at whole values needs a word that holds operands of both signs.
bool joinsWide(const BodyInfo& info, const ir::Expr& expr) {
    const auto* node = std::get_if<ir::Binary>(&expr.node);
    if (!node || info.body->exprs[node->left.index].type != ir::ExprType::Int) return false;
    return wordFor(ir::hull(info.intervals[node->left.index], info.intervals[node->right.index]))
        .isWide();
}

bool usesWide(const ir::Design& design, const BodyInfo& info) {
    const auto isWideWord = [](const ir::Machine& machine) { return machine.bits > 128; };
    const auto isWideLocal = [](const ir::Local& local) { return isWide(local.type); };
    const auto isWideTable = [&](std::uint32_t table) { return isWide(design.tables[table].type); };
    const auto isWideNode = [&](const ir::Expr& expr) { return joinsWide(info, expr); };
    return std::any_of(info.machines.begin(), info.machines.end(), isWideWord)
           || std::any_of(info.body->exprs.begin(), info.body->exprs.end(), isWideNode)
           || std::any_of(info.body->locals.begin(), info.body->locals.end(), isWideLocal)
           || std::any_of(info.tables.begin(), info.tables.end(), isWideTable);
}

/// What the bodies of a unit use of the rest of the design.
struct Uses {
    std::set<std::uint32_t> functions;
    std::set<std::uint32_t> tables;
    std::set<std::uint32_t> sites;  ///< classes whose number is mentioned
    bool wide = false;
};

Uses usesOf(const Program& program, const std::vector<ir::ClassId>& classes) {
    Uses uses;
    for (const ir::ClassId cls : classes) {
        const BodyInfo& info = program.classes[cls.index];
        for (const std::uint32_t id : reachableFunctions(info.functions, program.functions))
            uses.functions.insert(id);
        uses.tables.insert(info.tables.begin(), info.tables.end());
        if (info.needs.instance) uses.sites.insert(cls.index);
        for (const ir::Input& input : program.design.classes[cls.index].inputs)
            uses.wide = uses.wide || isWide(input.type);
        uses.wide = uses.wide || usesWide(program.design, info);
    }
    for (const std::uint32_t id : uses.functions) {
        const BodyInfo& info = program.functions[id];
        uses.tables.insert(info.tables.begin(), info.tables.end());
        uses.wide = uses.wide || usesWide(program.design, info);
    }
    return uses;
}

void printKernels(Program& program, const plan::TranslationUnit& unit, Writer& out) {
    LoopFunctions known;
    for (const std::uint32_t index : unit.kernels) {
        switch (program.plan.kernels[index].kind) {
        case plan::KernelKind::Loop: printLoop(program, index, known, out); break;
        case plan::KernelKind::Block: printBlock(program, index, out); break;
        case plan::KernelKind::Ordered: printOrdered(program, index, out); break;
        case plan::KernelKind::Merged: printMerged(program, index, out); break;
        }
    }
}

}  // namespace

void printOrdered(Program& program, std::uint32_t index, Writer& out) {
    const plan::Kernel& kernel = program.plan.kernels[index];
    std::map<ir::ClassId, std::uint32_t> numbers;
    for (const plan::OrderedRow& row : kernel.rows)
        numbers.emplace(row.cls, 0);
    std::uint32_t count = 0;
    for (auto& [cls, number] : numbers)
        number = count++;
    std::vector<std::uint32_t> rows;
    for (const plan::OrderedRow& row : kernel.rows)
        rows.insert(rows.end(), {numbers[row.cls], row.begin, row.end});
    const std::uint64_t offset = program.data.add(wordsAsBytes(rows), 64);

    std::map<ir::ClassId, std::string> loops;
    for (std::size_t i = 0; i < program.plan.kernels.size(); ++i) {
        const plan::Kernel& other = program.plan.kernels[i];
        if (other.kind == plan::KernelKind::Loop && numbers.contains(other.cls))
            loops[other.cls] = program.kernelNames[i];
    }
    for (const auto& [cls, loop] : loops)
        out.line("void {}({});", loop, kKernelParameters);
    out.blank();
    out.line("// in topological order: which loop, first instance, end");
    out.open("void {}(const sme::Context& context, u32, u32)", program.kernelNames[index]);
    out.line("const u32* row = sme::at<u32>(context.constants, {});", offset);
    out.open("for (u32 i = 0; i < {}; ++i, row += 3)", kernel.rows.size());
    out.open("switch (row[0])");
    for (const auto& [cls, loop] : loops)
        out.line("case {}: {}(context, row[1], row[2]); break;", numbers[cls], loop);
    out.close();
    out.close();
    out.close();
    out.blank();
}

void printMerged(Program& program, std::uint32_t index, Writer& out) {
    const plan::Kernel& kernel = program.plan.kernels[index];
    const auto loops =
        std::span(program.kernelNames).subspan(index - kernel.parts.size(), kernel.parts.size());
    for (const std::string& loop : loops)
        out.line("void {}({});", loop, kKernelParameters);
    out.blank();
    out.line("// what one loop writes, the next one reads while it is in the cache");
    out.open("void {}({})", program.kernelNames[index], kKernelParameters);
    out.open("for (u32 last = begin; begin < end; begin = last)");
    out.line("last = end - begin > {0} ? begin + {0} : end;", kMergedInstances);
    for (const std::string& loop : loops)
        out.line("{}(context, begin, last);", loop);
    out.close();
    out.close();
    out.blank();
}

void printTables(const Program& program, const std::set<std::uint32_t>& ids, Writer& out) {
    if (ids.empty()) return;
    out.margin("namespace tables {");
    for (const std::uint32_t id : ids) {
        const ir::Table& table = program.design.tables[id];
        const std::string type = nameOf(storedWord(table.type.scalar));
        const std::string name =
            program.globals.tables[id].substr(program.globals.tables[id].rfind(':') + 1);
        if (isTableInData(table)) {
            out.line("inline const {}* const {} = sme::at<{}>({}, {});", type, name, type,
                     program.dataSymbol, program.tableOffsets[id]);
            continue;
        }
        std::string list;
        for (const ir::Constant& value : table.values)
            list += (list.empty() ? "" : ", ") + literal(value, table.type.scalar);
        out.line("constexpr {} {}[] = {{{}}};", type, name, list);
    }
    out.margin("}  // namespace tables");
    out.blank();
}

std::string printUnit(Program& program, const plan::TranslationUnit& unit) {
    const Uses uses = usesOf(program, classesOf(program, unit));
    Writer out;
    out.line("// Generated by smec from network {}. Do not edit.", comment(program.design.name));
    out.line("#include <sme/kernel.h>");
    if (uses.wide) out.line("#include <sme/wide.h>");
    out.blank();
    const bool usesData =
        std::any_of(uses.tables.begin(), uses.tables.end(),
                    [&](std::uint32_t id) { return isTableInData(program.design.tables[id]); });
    if (usesData)
        out.line("extern \"C\" [[gnu::visibility(\"hidden\")]] const std::byte {}[];\n",
                 program.dataSymbol);
    out.margin("namespace " + program.space + " {");
    out.line("using namespace sme::words;");
    out.blank();
    if (!uses.sites.empty()) out.margin("namespace classes {");
    for (const std::uint32_t cls : uses.sites)
        out.line("extern const u32 {};", program.classNames[cls]);
    if (!uses.sites.empty()) out.margin("}  // namespace classes\n");
    printTables(program, uses.tables, out);
    printFunctions(program, uses.functions, out);
    printKernels(program, unit, out);
    out.margin("}  // namespace " + program.space);
    return out.take();
}

}  // namespace smec::codegen::cpp
