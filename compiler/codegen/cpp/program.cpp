#include "codegen/cpp/program.h"

#include <algorithm>

#include "ir/arithmetic.h"
#include "ir/visit.h"
#include "source/internal_error.h"

namespace smec::codegen::cpp {
namespace {

constexpr std::size_t kTableBytes = 2048;

/// Names of kernels: the process's for loops, its first process's for blocks. What stands beside
/// them has names from the same scope.
void nameKernels(Program& program) {
    Names names;
    for (const plan::Kernel& kernel : program.plan.kernels) {
        const ir::ClassId first = kernel.kind == plan::KernelKind::Block ? kernel.steps.front().cls
                                  : kernel.kind == plan::KernelKind::Ordered
                                      ? kernel.rows.front().cls
                                  : kernel.kind == plan::KernelKind::Merged ? kernel.parts.back()
                                                                            : kernel.cls;
        const char* suffix = kernel.kind == plan::KernelKind::Block     ? "_block"
                             : kernel.kind == plan::KernelKind::Ordered ? "_ordered"
                             : kernel.kind == plan::KernelKind::Merged  ? "_merged"
                                                                        : "";
        const std::string& name = program.kernelNames.emplace_back(
            names.add(program.design.classes[first.index].name + suffix));
        program.loopNames.push_back(
            {names.add(name + (kernel.kind == plan::KernelKind::Loop ? "_instances" : "_steps")),
             names.add(name + "_strided"), names.add(name + "_seams"), names.add(name + "_checks"),
             names.add(name + "_sure"), names.add(name + "_rows")});
    }
}

void analyseBodies(Program& program) {
    const ir::Design& design = program.design;
    for (const ir::Function& function : design.functions) {
        program.functions.push_back(
            analyse(design, function.body, {}, {}, program.globals.functionNeeds));
        Needs needs = program.functions.back().needs;
        needs.fails = needs.fails || function.mayFail;
        program.globals.functionNeeds.push_back(needs);
    }
    for (const ir::Class& cls : design.classes) {
        program.classes.push_back(
            analyse(design, cls.body, cls.columns, cls.inputs, program.globals.functionNeeds));
    }
}

void widen(std::vector<std::vector<ir::Interval>>& sites, std::uint32_t site,
           const std::vector<ir::ExprId>& args, const BodyInfo& info) {
    if (site >= sites.size()) sites.resize(site + 1);
    for (std::size_t i = 0; i < args.size(); ++i) {
        const ir::Interval& range = info.intervals[args[i].index];
        if (i < sites[site].size())
            sites[site][i] = ir::hull(sites[site][i], range);
        else
            sites[site].push_back(range);
    }
}

/// A site may be reached from several statements (unrolled loops); its arguments travel in one
/// form.
void collectArguments(const BodyInfo& info, SiteArguments& arguments) {
    ir::forEachStmt(info.body->statements, [&](const ir::Stmt& stmt) {
        if (const auto* trace = std::get_if<ir::Trace>(&stmt.node))
            widen(arguments.traces, trace->site, trace->args, info);
        if (const auto* check = std::get_if<ir::Check>(&stmt.node))
            widen(arguments.fails, check->site, check->args, info);
    });
}

void collectArguments(Program& program) {
    for (std::size_t i = 0; i < program.classes.size(); ++i) {
        const ir::Body& body = program.design.classes[i].body;
        program.arguments.push_back({std::vector<std::vector<ir::Interval>>(body.traces.size()),
                                     std::vector<std::vector<ir::Interval>>(body.fails.size())});
        collectArguments(program.classes[i], program.arguments.back());
    }
    for (std::size_t i = 0; i < program.functions.size(); ++i) {
        const ir::ClassId owner = program.design.functions[i].owner;
        if (owner.valid()) collectArguments(program.functions[i], program.arguments[owner.index]);
    }
}

}  // namespace

Program prepare(const ir::Design& design, const plan::Plan& plan, const SourceManager& sources,
                const Options& options) {
    Program program{design, plan, sources, options};
    program.space = "sme_" + identifier(design.name);
    program.dataSymbol = program.space + "_data";
    Names constants, tables, functions;
    for (const ir::Class& cls : design.classes)
        program.classNames.push_back(constants.add(cls.name));
    for (const ir::Table& table : design.tables) {
        program.globals.tables.push_back("tables::" + tables.add("table"));
        program.tableOffsets.push_back(isTableInData(table) ? program.data.add(
                                           storedBytes(table.values, table.type.scalar), 64)
                                                            : 0);
    }
    for (const ir::Function& function : design.functions)
        program.globals.functions.push_back(functions.add(function.name));
    nameKernels(program);
    analyseBodies(program);
    collectArguments(program);
    return program;
}

bool isTableInData(const ir::Table& table) {
    return table.values.size() * plan::storageBytes(table.type.scalar) > kTableBytes;
}

std::string locationComment(const Program& program, const SourceRange& range,
                            const std::string& name) {
    if (!range.valid()) return comment(name);
    const LineColumn position = program.sources.position(range.file, range.begin);
    return comment(fmt::format("{}:{} {}", program.sources.path(range.file), position.line, name));
}

bool isUniform(const ir::InitialData& initial) {
    return std::all_of(initial.values.begin(), initial.values.end(),
                       [&](const ir::Constant& c) { return c == initial.values.front(); });
}

const ir::Constant& initialOf(const ir::Plane& plane, std::uint32_t instance,
                              std::uint32_t element) {
    const std::size_t index = plane.initial.perInstance
                                  ? instance * plane.ownType().elements() + element
                                  : element % plane.type.elements();
    require(index < plane.initial.values.size(), "codegen: plane without initial values");
    return plane.initial.values[index];
}

std::uint64_t addInitial(DataFile& data, const ir::Plane& plane) {
    const std::uint32_t one = plan::storageBytes(plane.type.scalar) == 16 ? 16 : 8;
    return data.add(storedBytes(plane.initial.values, plane.type.scalar),
                    plane.initial.values.size() > 1 ? 64 : one);
}

bool isReadInWriteSlot(const ir::Plane& plane) {
    return plane.kind == ir::PlaneKind::Output && (plane.combinational || plane.lag == 0);
}

std::uint64_t elementIndex(const Program& program, ir::PlaneId plane, std::int64_t instance) {
    const plan::Placement& place = program.plan.placements[plane.index];
    return place.offset / place.bytesPerElement
           + static_cast<std::uint64_t>(instance)
                 * program.design.planes[plane.index].type.elements();
}

}  // namespace smec::codegen::cpp
