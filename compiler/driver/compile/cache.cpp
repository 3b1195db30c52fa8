#include "driver/compile/cache.h"

#include <sys/stat.h>

#include <cstdlib>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "driver/compile/library.h"
#include "driver/compile/option_words.h"
#include "driver/system/files.h"
#include "driver/system/version.h"
#include "sme/whole_number.h"

namespace smec::driver {
namespace fs = std::filesystem;
using nlohmann::json;

namespace {

constexpr const char* kBuilt = "built";

/// What compilers and linkers read beside their words.
json environment() {
    json values = json::array();
    for (const char* name : {"CPATH", "CPLUS_INCLUDE_PATH", "LIBRARY_PATH", "COMPILER_PATH",
                             "GCC_EXEC_PREFIX", "SOURCE_DATE_EPOCH"}) {
        const char* value = std::getenv(name);
        values.push_back(value ? value : "");
    }
    return values;
}

std::string statKey(const fs::path& path) {
    struct stat status {};
    if (stat(path.c_str(), &status) != 0) return "-";
    return fmt::format("{}.{}.{}", status.st_size, status.st_mtim.tv_sec, status.st_mtim.tv_nsec);
}

/// The files that an import could have been, before the one that it is.
void addAbsent(const sema::Program::Entry& importer, const ast::Import& import,
               const fs::path& found, const CompileOptions& options,
               std::vector<std::string>& absent) {
    fs::path relative;
    for (const ast::Identifier& part : import.path)
        relative /= part.text;
    relative += ".sme";
    std::vector<fs::path> folders{importer.path.parent_path()};
    folders.insert(folders.end(), options.includeDirs.begin(), options.includeDirs.end());
    std::error_code error;
    for (const fs::path& folder : folders) {
        const fs::path candidate = fs::absolute(folder / relative, error);
        if (fs::equivalent(candidate, found, error)) return;
        absent.push_back(candidate.string());
    }
}

/// Files named by file("…") in a module, beside the module.
void addDataFiles(const sema::Program::Entry& entry, std::vector<fs::path>& files) {
    for (const ast::Expr& expr : entry.ast.exprs) {
        const auto* call = std::get_if<ast::Call>(&expr.node);
        if (!call || call->arguments.empty()) continue;
        const auto* callee = std::get_if<ast::Name>(&entry.ast[call->callee].node);
        const auto* text =
            std::get_if<ast::StringLiteral>(&entry.ast[call->arguments[0].value].node);
        if (callee && text && callee->text == "file")
            files.push_back(entry.path.parent_path() / text->value);
    }
}

/// The headers and the hardware that `extern` names.
std::vector<std::string> foreignFiles(const hir::Design& design) {
    std::vector<std::string> files;
    for (const hir::Function& function : design.functions) {
        if (!function.external) continue;
        if (function.external->isFile) files.push_back(function.external->header);
        for (const hir::Foreign::Hardware& hardware : function.external->hardware)
            if (hardware.isFile) files.push_back(hardware.file);
    }
    return files;
}

std::vector<std::string> absolutePaths(const std::vector<std::string>& files) {
    std::vector<std::string> paths;
    std::error_code error;
    for (const std::string& file : files)
        paths.push_back(fs::absolute(file, error).string());
    return paths;
}

}  // namespace

CacheFolders cacheOf(const CompileOptions& options) {
    return options.buildDir.empty() ? options.cache : cacheInside(options.buildDir, options.cache);
}

std::string requestOf(const CompileOptions& o, const Installation& installation,
                      const Toolchain& toolchain) {
    std::error_code error;
    json key = {kVersion,
                statKey(installation.executable),
                statKey(installation.runtimeLibrary),
                fs::current_path(error).string(),
                environment(),
                toolchain.identity,
                toolchain.processor,
                absolutePaths(o.files),
                o.top,
                o.parameters,
                o.includeDirs,
                verilogWords(o.verilog),
                std::string(1, o.optimisation),
                o.march,
                o.partitionSize,
                o.unchecked,
                o.unwrittenHold,
                o.smeil,
                o.maxInstances,
                o.simd,
                o.without.names(),
                o.numbers,
                o.cxxFlags,
                o.links,
                o.warningWords,
                o.rendering.json,
                o.rendering.errorLimit,
                o.library ? libraryName(o) : "",
                o.loadable};
    if (o.apart || installation.runtimeLibrary.empty()) {  // the code names it by its path
        key.push_back(installation.sharedRuntime.string());
        key.push_back(statKey(installation.sharedRuntime));
    }
    for (const fs::path& folder : installation.includes) {
        for (const char* header : {"kernel.h", "model.h", "code.h", "library.h", "processor.h"})
            key.push_back(statKey(folder / "sme" / header));
    }
    return longHash(key.dump(-1, ' ', false, json::error_handler_t::replace));
}

Stamp makeStamp(const sema::Program& program, const SourceManager& sources,
                const hir::Design& design, const CompileOptions& options) {
    Stamp stamp;
    stamp.foreignNames = foreignFiles(design);
    std::vector<fs::path> dataFiles;
    for (const auto& entry : program.modules) {
        stamp.inputs.push_back({entry.path.string(), contentHash(sources.text(entry.ast.file))});
        std::size_t next = 0;
        for (const ast::Decl& decl : entry.ast.decls) {
            const auto* import = std::get_if<ast::Import>(&decl.node);
            if (!import) continue;
            const sema::ModuleId target =
                next < entry.imports.size() ? entry.imports[next] : sema::ModuleId{};
            ++next;
            if (target.valid())
                addAbsent(entry, *import, program.modules[target.index].path, options,
                          stamp.absent);
        }
        addDataFiles(entry, dataFiles);
    }
    dataFiles.insert(dataFiles.end(), options.verilogRead.begin(), options.verilogRead.end());
    dataFiles.insert(dataFiles.end(), program.alsoRead.begin(), program.alsoRead.end());
    for (const fs::path& file : program.alsoMissed)
        stamp.absent.push_back(file.string());
    for (const fs::path& file : dataFiles) {
        if (const auto content = readFile(file))
            stamp.inputs.push_back({file.string(), contentHash(*content)});
    }
    return stamp;
}

InputFiles filesRead(const Stamp& stamp, const CompileOptions& options) {
    InputFiles files;
    for (const auto* list :
         {&options.files, &options.verilogRead, &options.links, &stamp.foreignNames})
        for (const std::string& path : *list)
            files.add(path);
    for (const auto* list : {&stamp.inputs, &stamp.foreign})
        for (const CacheInput& input : *list)
            files.add(input.path);
    return files;
}

std::optional<CacheEntry> keepBuilt(const Cache& cache, const std::string& request,
                                    const Stamp& stamp, const fs::path& folder,
                                    const CompileOptions& options) {
    std::vector<CacheInput> inputs = stamp.inputs;
    inputs.insert(inputs.end(), stamp.foreign.begin(), stamp.foreign.end());
    for (const std::string& path : stamp.absent)
        inputs.push_back({path, {}});
    const json about = {{"sources", stamp.inputs.size()},
                        {"warnings", stamp.warnings},
                        {"foreignNames", stamp.foreignNames}};
    std::vector<NewFile> files{{stamp.built, folder / stamp.built, {}}};
    if (stamp.built == kCodeLibrary)
        files.push_back({codegen::cpp::kModelImage, folder / codegen::cpp::kModelImage, {}});
    if (options.library)
        files.push_back({codegen::cpp::kTypedHeader, folder / codegen::cpp::kTypedHeader, {}});
    return cache.keep(kBuilt, request, inputs, about, files);
}

std::string nameBuilt(const CacheEntry& entry, const CompileOptions& options) {
    if (options.apart && entry.has(kCodeLibrary) && entry.has(codegen::cpp::kModelImage))
        return kCodeLibrary;
    if (options.loadable) return "";
    const char* whole = builtName(options, false);
    return entry.has(whole) ? whole : "";
}

std::optional<CacheEntry> findBuilt(const Cache& cache, const std::string& request,
                                    const CompileOptions& options) {
    return cache.find(kBuilt, request, [&](const CacheEntry& entry) {
        stampOf(entry);
        return !nameBuilt(entry, options).empty();
    });
}

Stamp stampOf(const CacheEntry& entry) {
    Stamp stamp;
    const json about = json::parse(entry.about);
    const auto sources =
        about.contains("sources") ? sme::wholeNumber<std::size_t>(about.at("sources")) : 0;
    for (const CacheInput& input : entry.inputs) {
        if (input.hash.empty())
            stamp.absent.push_back(input.path);
        else
            (stamp.inputs.size() < sources ? stamp.inputs : stamp.foreign).push_back(input);
    }
    stamp.warnings = about.value("warnings", "");
    stamp.foreignNames = about.value("foreignNames", std::vector<std::string>{});
    return stamp;
}

std::string dependencyRule(const std::string& target, const std::vector<CacheInput>& inputs) {
    const auto escape = [](const std::string& path) {
        std::string result;
        for (const char c : path) {
            if (c == ' ' || c == '#') result += '\\';
            if (c == '$') result += '$';
            result += c;
        }
        return result;
    };
    std::string text = escape(target) + ":";
    for (const auto& input : inputs)
        text += " \\\n  " + escape(input.path);
    return text + "\n";
}

}  // namespace smec::driver
