#include "driver/compile/compile.h"

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <string_view>

#include <unistd.h>

#include <fmt/format.h>

#include "ast/print.h"
#include "driver/cache/layout.h"
#include "driver/cache/work_folder.h"
#include "driver/compile/build.h"
#include "driver/compile/cache.h"
#include "driver/compile/emit_graph.h"
#include "driver/compile/generate.h"
#include "driver/compile/library.h"
#include "driver/compile/option_words.h"
#include "driver/compile/processor.h"
#include "driver/compile/shown_phases.h"
#include "driver/compile/signatures.h"
#include "driver/compile/verilog_reader.h"
#include "driver/system/exit_status.h"
#include "driver/system/files.h"
#include "elab/elaborate.h"

namespace smec::driver {
namespace fs = std::filesystem;

namespace {

/// Verilog beside a design that has nothing made of Verilog.
void warnOfUnread(const hir::Design& design, const CompileOptions& options,
                  Diagnostics& diagnostics) {
    const bool isImport = !options.verilogRead.empty();
    if (isImport || options.verilog.files.empty() || namesVerilog(design)) return;
    diagnostics.report(DiagId::VerilogUnread, {}, options.verilog.files[0]);
}

}  // namespace

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
    elaboration.rules = {options.unwrittenHold, options.smeil};
    elaboration.maxInstances = options.maxInstances;
    elaboration.checkOnly = checkOnly;
    elaboration.networks = networks;
    stats.phase("elaborate");
    const Diagnostics before = front.diagnostics;
    front.design = elab::elaborate(front.program, front.sources, elaboration, front.diagnostics);
    if (!front.design) return;  // errors, or a library
    warnOfUnread(*front.design, options, front.diagnostics);
    if (networks)
        options.reader->checkClockedBodies(*front.design, options.verilog, front.sources,
                                           front.diagnostics);
    // hardware has the Verilog itself
    if (!networks && hasVerilogProcesses(*front.design)) {
        stats.phase("import");
        Diagnostics imported = before;  // what elaboration said will be said again
        options.reader->importProcesses(front.program, *front.design, options.verilog,
                                        front.sources, imported);
        front.design.reset();
        front.diagnostics = std::move(imported);
        if (front.diagnostics.hasErrors()) return;
        stats.phase("elaborate");
        front.design =
            elab::elaborate(front.program, front.sources, elaboration, front.diagnostics);
        if (!front.design) return;
    }
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
        const bool isCode = suffix == ".cpp" || suffix == ".s" || suffix == ".h";
        if (isCode && !bundle.files.count(name) && isGenerated(entry.path()))
            fs::remove(entry.path(), error);
    }
}

void writeBundle(const fs::path& folder, const codegen::cpp::SourceBundle& bundle) {
    for (const auto& [name, content] : bundle.files) {
        // what only moved down its file need not be compiled again
        clearWay(folder / name);
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

bool wantsDepfile(const CompileOptions& options) {
    return options.writeDepfile || !options.depfile.empty();
}

std::string depfileName(const CompileOptions& options) {
    return options.depfile.empty() ? outputName(options) + ".d" : options.depfile;
}

bool isSameName(const fs::path& a, const fs::path& b) {
    std::error_code error;
    return fs::weakly_canonical(fs::absolute(a, error), error)
           == fs::weakly_canonical(fs::absolute(b, error), error);
}

/// `program`: empty where there is no file of it.
void checkExplanation(const CompileOptions& options, const std::string& program,
                      const InputFiles& inputs) {
    const std::string& file = options.explanation;
    if (file.empty() || file == "-") return;
    findOutput(file, inputs);
    if (!program.empty() && isSameName(program, file))
        throw FileError{fmt::format("-o and --explain-json name one file, '{}'", program), true};
    if (wantsDepfile(options) && isSameName(depfileName(options), file))
        throw FileError{fmt::format("-MF and --explain-json name one file, '{}'", file), true};
}

/// Before anything is written or built.
void checkOutputs(const CompileOptions& options, const std::string& program,
                  const InputFiles& inputs) {
    const bool isFile =
        !program.empty() && findOutput(program, inputs).kind == OutputPlace::Kind::File;
    if (options.library && !program.empty()) checkLibraryHeaders(program, inputs);
    if (options.loadable && !program.empty()) checkModelBeside(program, inputs);
    checkExplanation(options, isFile ? program : "", inputs);
    if (!wantsDepfile(options)) return;
    findOutput(depfileName(options), inputs);
    if (isFile && isSameName(program, depfileName(options)))
        throw FileError{fmt::format("-o and -MF name one file, '{}'", program), true};
}

void writeDepfile(const CompileOptions& options, const Stamp& stamp, const InputFiles& inputs) {
    if (wantsDepfile(options))
        writeIfChanged(depfileName(options), dependencyRule(outputName(options), stamp.inputs),
                       inputs);
}

/// What a compilation is given, beside the options.
struct Job {
    const CompileOptions& options;
    const Installation& installation;
    const Toolchain& toolchain;
    const std::string program;  ///< to copy the simulator to; empty: it stays where it is
    const CacheFolders folders;
    const std::string request;  ///< empty: nothing is built
};

/// The front and middle of smec, with what it does at a terminal. Nothing is printed before it
/// ends.
struct Translated {
    bool isDesign = false;
    std::optional<Generated> generated;
};

Translated translate(FrontEnd& front, const CompileOptions& options, Stats& stats) {
    const ShownPhases shown(stats, options, "compiling " + options.files[0]);
    runFrontEnd(front, options.files[0], options, false, stats);
    Translated result{front.design.has_value(), {}};
    const bool isShown = options.emit == "hir" || options.emit == "graph";
    if (result.isDesign && !isShown) result.generated = generate(front, options, stats);
    return result;
}

/// What Ninja makes in the build folder.
std::vector<std::string> namesBuilt(const codegen::cpp::SourceBundle& bundle,
                                    const CompileOptions& options) {
    std::vector<std::string> names{".ninja_log", ".ninja_deps",
                                   builtName(options, staysApart(bundle, options))};
    for (const std::string& source : bundle.translationUnits)
        for (const char* ending : {".o", ".o.d"})
            names.push_back(source + ending);
    return names;
}

/// Lets Ninja build. What it left the last time it sees only where it is as it was.
int build(const Job& job, const WorkFolder& work, const std::vector<std::string>& names) {
    struct Recording {
        const WorkFolder& work;
        const std::vector<std::string>& names;
        ~Recording() { work.record(names); }  // also of what was built before it failed
    };
    work.removeDamaged(names);
    const Recording recording{work, names};
    return runNinja(work.path(), job.toolchain, job.options);
}

/// Files that `extern` and --link brought in. False where that cannot be told.
bool addForeign(const Job& job, const fs::path& folder, const codegen::cpp::SourceBundle& bundle,
                Stamp& stamp) {
    std::vector<std::string> files;
    if (bundle.files.contains(codegen::cpp::kForeignUnit)) {
        std::optional<std::vector<std::string>> headers = headersRead(folder, job.toolchain);
        if (!headers) return false;
        files = std::move(*headers);
    }
    std::error_code error;
    for (const std::string& word : job.options.links)
        if (fs::is_regular_file(word, error)) files.push_back(fs::absolute(word, error).string());
    for (const std::string& file : files) {
        const std::optional<std::string> content = readFile(file);
        if (!content) return false;
        stamp.foreign.push_back({file, contentHash(*content)});
    }
    return true;
}

/// What --explain and --explain-json asked for.
void tell(const Explanation& explanation, const Job& job, const FrontEnd& front) {
    fmt::print(stderr, "{}{}", explanation.warnings, explanation.text);
    const CompileOptions& options = job.options;
    if (explanation.json.empty()) return;
    if (options.explanation == "-") return fmt::print("{}", explanation.json);
    const Stamp stamp = makeStamp(front.program, front.sources, *front.design, options);
    const InputFiles inputs = filesRead(stamp, options);
    checkOutputs(options, job.program, inputs);
    writeOutput(options.explanation, explanation.json, inputs);
}

Compiled builtIn(const fs::path& folder, const std::string& name, InputFiles inputs) {
    return {exit_status::kGood, std::move(inputs), folder / name};
}

/// Everything from source to simulator, in order: the pipeline on one screen. `work`: null where
/// nothing is written.
Compiled compileFresh(const Job& job, const WorkFolder* work, Stats& stats) {
    const CompileOptions& options = job.options;
    FrontEnd front(options.warnings);
    const auto [isDesign, generated] = translate(front, options, stats);
    if (!isDesign) {
        printDiagnostics(front, options);
        return {exit_status::kSource, {}, {}};
    }
    if (emitFrontEnd(front, options.emit)) return {exit_status::kGood, {}, {}};
    const auto& [bundle, emitted, explanation] = *generated;
    const std::string warnings = printDiagnostics(front, options);
    tell(explanation, job, front);
    if (!bundle) return {emitted ? exit_status::kGood : exit_status::kSource, {}, {}};
    if (options.emit == "cpp") {
        printBundle(*bundle);
        return {exit_status::kGood, {}, {}};
    }
    stats.phase("write");
    Stamp stamp = makeStamp(front.program, front.sources, *front.design, options);
    stamp.warnings = warnings;
    stamp.built = builtName(options, staysApart(*bundle, options));
    InputFiles inputs = filesRead(stamp, options);
    checkOutputs(options, job.program, inputs);
    const fs::path& folder = work->path();
    writeBundle(folder, *bundle);
    clearWay(folder / "build.ninja");
    writeIfChanged(folder / "build.ninja",
                   ninjaFile(*bundle, job.toolchain, job.installation, options));
    writeDepfile(options, stamp, inputs);
    if (!options.build) return {exit_status::kGood, std::move(inputs), {}};
    stats.phase("c++");
    front.design.reset();  // the C++ compiler needs the memory more
    if (const int status = build(job, *work, namesBuilt(*bundle, options)); status != 0)
        return {status, {}, {}};
    if (addForeign(job, folder, *bundle, stamp))
        if (const auto kept = keepBuilt(Cache(job.folders), job.request, stamp, folder, options))
            return builtIn(kept->folder, stamp.built, std::move(inputs));
    return builtIn(folder, stamp.built, std::move(inputs));
}

/// What was compiled before is still right.
Compiled compileAgain(const Job& job, const CacheEntry& entry) {
    const Stamp stamp = stampOf(entry);
    fmt::print(stderr, "{}", stamp.warnings);
    InputFiles inputs = filesRead(stamp, job.options);
    checkOutputs(job.options, job.program, inputs);
    writeDepfile(job.options, stamp, inputs);
    return builtIn(entry.folder, nameBuilt(entry, job.options), std::move(inputs));
}

/// What was built before. A whole simulator serves as well as code and model apart.
std::optional<CacheEntry> findFor(const Job& job, const Cache& cache) {
    if (auto entry = findBuilt(cache, job.request, job.options)) return entry;
    if (!job.options.apart) return std::nullopt;
    CompileOptions other = job.options;
    if (other.loadable)  // what `smec run` made of designs without C++ of the user's
        other.loadable = false;
    else
        other.apart = false;
    const auto entry = findBuilt(cache, requestOf(other, job.installation, job.toolchain), other);
    return entry && !nameBuilt(*entry, job.options).empty() ? entry : std::nullopt;
}

/// What is there, or else the whole way. While one process compiles a design others wait, and find
/// what it made.
Compiled compileOrFind(const Job& job, Stats& stats) {
    const CompileOptions& options = job.options;
    const Cache cache(job.folders);
    const bool mayFind = options.build && options.stats.empty() && !isExplained(options);
    const auto found = [&] { return mayFind ? findFor(job, cache) : std::nullopt; };
    if (const auto entry = found()) return compileAgain(job, *entry);
    const WorkFolder work(buildFolder(options), options.buildDir.empty());
    if (const auto entry = found()) return compileAgain(job, *entry);
    return compileFresh(job, &work, stats);
}

Compiled noToolchain(const std::string& error) {
    fmt::print(stderr, "smec: error: {}\nnote: 'smec run --interpret' needs no C++ compiler\n",
               error);
    return {exit_status::kEnvironment, {}, {}};
}

}  // namespace

std::string outputName(const CompileOptions& options) {
    if (!options.output.empty()) return options.output;
    const std::string stem = fs::path(options.files[0]).stem().string();
    if (options.loadable) return stem + ".so";
    return options.library ? "lib" + stem + ".so" : stem;
}

Compiled compile(const CompileOptions& options, const Installation& installation,
                 const std::string& program) {
    Stats stats;
    if (options.emit == "ast") return {emitAst(options, stats), {}, {}};
    ToolchainResult tools = findToolchain(options);
    if (!tools.error.empty() && options.build && options.emit.empty())
        return noToolchain(tools.error);
    if (!options.emit.empty())
        return compileFresh({options, installation, tools.toolchain, "", {}, ""}, nullptr, stats);
    claimFolder(options);
    const CacheFolders folders = cacheOf(options);
    if (!tools.toolchain.cxx.empty())
        tools.toolchain.facts = askCompiler(tools.toolchain, Cache(folders));
    if (options.build && !tools.toolchain.facts.unusable.empty())
        return noToolchain(fmt::format("the C++ compiler '{}' {}", tools.toolchain.cxx,
                                       tools.toolchain.facts.unusable));
    if (options.build)
        tools.toolchain.processor =
            processorFor(tools.toolchain, installation, options, Cache(folders));
    const Job job{options,         installation,
                  tools.toolchain, options.build ? program : "",
                  folders,         requestOf(options, installation, tools.toolchain)};
    Compiled result = compileOrFind(job, stats);
    if (result.status == exit_status::kGood && !job.program.empty()) {
        if (options.loadable)
            copyOutput(result.built.parent_path() / codegen::cpp::kModelImage,
                       modelBeside(job.program), result.inputs);
        copyOutput(result.built, job.program, result.inputs);
        if (options.library)
            writeLibraryHeaders(options, job.program, result.built.parent_path(), result.inputs);
    }
    stats.phase("");
    if (!options.stats.empty()) fmt::print(stderr, "{}", stats.render(options.stats == "json"));
    return result;
}

}  // namespace smec::driver
