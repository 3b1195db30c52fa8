#include "codegen/cpp/print/names.h"

#include "codegen/cpp/print/text.h"

namespace smec::codegen::cpp {
namespace {

/// Names of kernels: the process's for loops, its first process's for blocks. What stands beside
/// them has names from the same scope.
void nameKernels(const Program& program, SharedNames& shared) {
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
        const std::string& name = shared.kernels.emplace_back(
            names.add(program.design.classes[first.index].name + suffix));
        shared.loops.push_back(
            {names.add(name + (kernel.kind == plan::KernelKind::Loop ? "_instances" : "_steps")),
             names.add(name + "_strided"), names.add(name + "_seams"), names.add(name + "_checks"),
             names.add(name + "_sure"), names.add(name + "_checks_seams"),
             names.add(name + "_sure_seams"), names.add(name + "_filled"),
             names.add(name + "_rows")});
    }
}

}  // namespace

const std::string& LoopNames::of(WalkKind kind) const {
    switch (kind) {
    case WalkKind::Segment: return inner;
    case WalkKind::Strided: return strided;
    case WalkKind::Ahead: return checks;
    case WalkKind::Sure: return sure;
    case WalkKind::Seams: return seams;
    case WalkKind::AheadAtSeams: return checksAtSeams;
    case WalkKind::SureAtSeams: return sureAtSeams;
    }
    return inner;
}

SharedNames namesOf(const Program& program) {
    const ir::Design& design = program.design;
    SharedNames shared;
    shared.space = "sme_" + identifier(design.name);
    shared.dataSymbol = shared.space + "_data";
    Names constants, tables, functions;
    for (const ir::Class& cls : design.classes)
        shared.classes.push_back(constants.add(cls.name));
    for (std::size_t i = 0; i < design.tables.size(); ++i)
        shared.tables.push_back(tables.add("table"));
    for (const ir::Function& function : design.functions)
        shared.functions.push_back(functions.add(function.name));
    nameKernels(program, shared);
    return shared;
}

std::string locationComment(const Program& program, const SourceRange& range,
                            const std::string& name) {
    if (!range.valid()) return comment(name);
    const LineColumn position = program.sources.position(range.file, range.begin);
    return comment(fmt::format("{}:{} {}", program.sources.path(range.file), position.line, name));
}

}  // namespace smec::codegen::cpp
