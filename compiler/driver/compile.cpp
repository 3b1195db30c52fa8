#include "driver/compile.h"

#include <algorithm>
#include <cstdio>

#include <unistd.h>

#include <fmt/format.h>

#include "ast/print.h"
#include "driver/build.h"
#include "driver/cache.h"
#include "driver/emit_graph.h"
#include "driver/exit_status.h"
#include "driver/files.h"
#include "driver/generate.h"
#include "driver/signatures.h"
#include "elab/elaborate.h"

namespace smec::driver {
namespace fs = std::filesystem;

void runFrontEnd(FrontEnd& front, const std::string& file, const CompileOptions& options,
                 bool checkOnly, Stats& stats, bool networks) {
    sema::LoadOptions load;
    for (const std::string& folder : options.includeDirs)
        load.includeDirs.emplace_back(folder);
    load.standardLibrary = findInstallation().standardLibrary;
    stats.phase("parse");
    front.program = sema::load(file, load, front.sources, front.diagnostics);
    if (front.diagnostics.hasErrors()) return;
    elab::Options elaboration;
    elaboration.top = options.top;
    elaboration.parameters = options.parameters;
    elaboration.unwrittenHold = options.unwrittenHold;
    elaboration.maxInstances = options.maxInstances;
    elaboration.checkOnly = checkOnly;
    elaboration.networks = networks;
    stats.phase("elaborate");
    front.design = elab::elaborate(front.program, front.sources, elaboration, front.diagnostics);
    if (!front.design) return;  // errors, or a library
    checkSignatures(front, options);
    if (front.diagnostics.hasErrors()) front.design.reset();
}

/// At a terminal: where more is said about an error.
void printHint(const Diagnostics& diagnostics, const CompileOptions& options) {
    if (options.rendering.json || isatty(2) == 0) return;
    for (const Diagnostic& found : diagnostics.all()) {
        if (found.severity != Severity::Error) continue;
        return fmt::print(stderr, "for more: smec explain {}\n", info(found.id).name);
    }
}

std::string printDiagnostics(const FrontEnd& front, const CompileOptions& options) {
    std::string text = render(front.diagnostics, front.sources, options.rendering);
    fmt::print(stderr, "{}", text);
    printHint(front.diagnostics, options);
    return text;
}

fs::path buildFolder(const CompileOptions& options) {
    if (!options.buildDir.empty()) return options.buildDir;
    std::error_code error;
    std::string key = fs::absolute(options.files[0], error).string();
    key += fmt::format("|{}|{}|{}|{}|{}|{}|{}|{}", options.top, fmt::join(options.parameters, ","),
                       options.optimisation, options.march, options.partitionSize,
                       options.unchecked, options.unwrittenHold, options.simd);
    key += fmt::format("|{}|{}|{}", options.cxx, fmt::join(options.cxxFlags, ","),
                       fmt::join(options.links, ","));
    std::string stem = fs::path(options.files[0]).stem().string();
    for (char& c : stem) {
        if (!std::isalnum(static_cast<unsigned char>(c)) && c != '_' && c != '-') c = '_';
    }
    return fs::path(".smec") / fmt::format("{}-{}", stem, contentHash(key).substr(0, 10));
}

namespace {

bool emitFrontEnd(const FrontEnd& front, const std::string& stage) {
    if (stage == "hir") fmt::print("{}", hir::dump(*front.design, front.sources));
    if (stage == "graph") fmt::print("{}", processGraph(*front.design));
    return stage == "hir" || stage == "graph";
}

/// Removes files of an earlier generation that this one does not have.
void removeStale(const fs::path& folder, const codegen::cpp::SourceBundle& bundle) {
    std::error_code error;
    for (const auto& entry : fs::directory_iterator(folder, error)) {
        const std::string name = entry.path().filename().string();
        const std::string suffix = entry.path().extension().string();
        if ((suffix == ".cpp" || suffix == ".S" || suffix == ".h") && !bundle.files.count(name))
            fs::remove(entry.path(), error);
    }
}

void writeBundle(const fs::path& folder, const codegen::cpp::SourceBundle& bundle) {
    for (const auto& [name, content] : bundle.files) {
        // what only moved down its file need not be compiled again
        const auto old = name.ends_with(".cpp") ? readFile(folder / name) : std::nullopt;
        if (!old || !codegen::cpp::isSameCode(*old, content))
            writeIfChanged(folder / name, content);
    }
    removeStale(folder, bundle);
}

void printBundle(const codegen::cpp::SourceBundle& bundle) {
    for (const auto& [name, content] : bundle.files) {
        if (name.size() > 4 && name.compare(name.size() - 4, 4, ".bin") == 0) continue;
        fmt::print("// ---- {}\n{}", name, content);
    }
}

int statusOf(const FrontEnd& front) {
    return front.diagnostics.hasErrors() ? exit_status::kSource : exit_status::kGood;
}

int emitAst(const CompileOptions& options, Stats& stats) {
    FrontEnd front(options.warnings);
    sema::LoadOptions load;
    for (const std::string& folder : options.includeDirs)
        load.includeDirs.emplace_back(folder);
    load.standardLibrary = findInstallation().standardLibrary;
    stats.phase("parse");
    front.program = sema::load(options.files[0], load, front.sources, front.diagnostics);
    printDiagnostics(front, options);
    if (!front.program.modules.empty()) fmt::print("{}", ast::dump(front.program.modules[0].ast));
    return statusOf(front);
}

void writeDepfile(const CompileOptions& options, const Stamp& stamp) {
    if (!options.writeDepfile && options.depfile.empty()) return;
    const std::string output =
        options.output.empty() ? fs::path(options.files[0]).stem().string() : options.output;
    const std::string file = options.depfile.empty() ? output + ".d" : options.depfile;
    writeIfChanged(fs::absolute(file), dependencyRule(output, stamp.inputs));
}

/// Everything from source to simulator, in order: the pipeline on one screen.
int compileFresh(const CompileOptions& options, const Installation& installation,
                 const Toolchain& toolchain, const std::string& key, Stats& stats) {
    FrontEnd front(options.warnings);
    runFrontEnd(front, options.files[0], options, false, stats);
    if (!front.design) {
        printDiagnostics(front, options);
        return exit_status::kSource;
    }
    if (emitFrontEnd(front, options.emit)) return exit_status::kGood;
    const auto [bundle, emitted] = generate(front, options, stats);
    const std::string warnings = printDiagnostics(front, options);
    if (!bundle) return emitted ? exit_status::kGood : exit_status::kSource;
    if (options.emit == "cpp") {
        printBundle(*bundle);
        return exit_status::kGood;
    }
    stats.phase("write");
    const fs::path folder = buildFolder(options);
    writeBundle(folder, *bundle);
    writeIfChanged(folder / "build.ninja", ninjaFile(*bundle, toolchain, installation, options));
    Stamp stamp = makeStamp(front.program, front.sources, options, installation);
    writeDepfile(options, stamp);
    if (!options.build) return exit_status::kGood;
    stats.phase("c++");
    front.design.reset();  // the C++ compiler needs the memory more
    if (const int status = runNinja(folder, toolchain, options); status != 0) return status;
    stamp.key = key;
    stamp.warnings = warnings;
    stamp.isForeign = bundle->files.contains(codegen::cpp::kForeignUnit);
    writeStamp(folder, stamp);
    return exit_status::kGood;
}

/// Headers and objects of the user may have changed: Ninja knows.
int refresh(const fs::path& folder, const Stamp& stamp, const Toolchain& toolchain,
            const CompileOptions& options) {
    const int status = runNinja(folder, toolchain, options);
    if (status == exit_status::kGood) writeStamp(folder, stamp);
    return status;
}

int noToolchain(const std::string& error) {
    fmt::print(stderr, "smec: error: {}\nnote: 'smec run --interpret' needs no C++ compiler\n",
               error);
    return exit_status::kEnvironment;
}

}  // namespace

int compile(const CompileOptions& options, const Installation& installation) {
    Stats stats;
    if (options.emit == "ast") return emitAst(options, stats);
    const ToolchainResult tools = findToolchain(options);
    if (!tools.error.empty() && options.build && options.emit.empty())
        return noToolchain(tools.error);
    if (!options.emit.empty())
        return compileFresh(options, installation, tools.toolchain, "", stats);
    const fs::path folder = buildFolder(options);
    makeDirectories(folder);
    const FileLock lock(folder / ".lock");
    const std::string key = optionsKey(options, installation, tools.toolchain.identity);
    int status = exit_status::kGood;
    if (const auto stamp = options.build ? validStamp(folder, key) : std::nullopt) {
        fmt::print(stderr, "{}", stamp->warnings);
        writeDepfile(options, *stamp);
        if (stamp->isForeign) status = refresh(folder, *stamp, tools.toolchain, options);
    } else {
        status = compileFresh(options, installation, tools.toolchain, key, stats);
    }
    stats.phase("");
    if (!options.stats.empty()) fmt::print(stderr, "{}", stats.render(options.stats == "json"));
    return status;
}

}  // namespace smec::driver
