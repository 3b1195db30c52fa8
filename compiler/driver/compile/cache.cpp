#include "driver/compile/cache.h"

#include "driver/compile/library.h"

#include <sys/stat.h>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "driver/system/files.h"
#include "driver/system/version.h"

namespace smec::driver {
namespace fs = std::filesystem;
using nlohmann::json;

namespace {

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

std::string optionsKey(const CompileOptions& o, const Installation& installation,
                       const std::string& toolchainIdentity) {
    json key = {kVersion,
                statKey(installation.executable),
                statKey(installation.runtimeLibrary),
                statKey(installation.include / "sme/kernel.h"),
                statKey(installation.include / "sme/model.h"),
                toolchainIdentity,
                absolutePaths(o.files),
                o.top,
                o.parameters,
                o.includeDirs,
                std::string(1, o.optimisation),
                o.march,
                o.partitionSize,
                o.unchecked,
                o.unwrittenHold,
                o.smeil,
                o.maxInstances,
                o.simd,
                o.cxxFlags,
                o.links,
                o.warningWords,
                o.rendering.json,
                o.rendering.errorLimit,
                o.library ? libraryName(o) : ""};
    return contentHash(key.dump());
}

Stamp makeStamp(const sema::Program& program, const SourceManager& sources,
                const hir::Design& design, const CompileOptions& options) {
    Stamp stamp;
    stamp.foreign = foreignFiles(design);
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
    for (const auto* list : {&options.files, &options.verilogRead, &options.links, &stamp.foreign})
        for (const std::string& path : *list)
            files.add(path);
    for (const Stamp::Input& input : stamp.inputs)
        files.add(input.path);
    return files;
}

void writeStamp(const fs::path& buildDir, const Stamp& stamp) {
    json inputs = json::array();
    for (const auto& input : stamp.inputs)
        inputs.push_back({input.path, input.hash});
    const json all = {{"key", stamp.key},           {"inputs", inputs},
                      {"absent", stamp.absent},     {"foreignFiles", stamp.foreign},
                      {"warnings", stamp.warnings}, {"generated", stamp.generated},
                      {"foreign", stamp.isForeign}, {"simulator", statKey(buildDir / "simulator")}};
    writeIfChanged(buildDir / "stamp.json", all.dump(1) + "\n");
}

std::optional<Stamp> validStamp(const fs::path& buildDir, const std::string& key) {
    const auto text = readFile(buildDir / "stamp.json");
    if (!text) return std::nullopt;
    const json all = json::parse(*text, nullptr, false);
    if (!all.is_object() || all.value("key", "") != key
        || all.value("simulator", "") != statKey(buildDir / "simulator"))
        return std::nullopt;
    Stamp stamp;
    stamp.key = key;
    stamp.warnings = all.value("warnings", "");
    stamp.isForeign = all.value("foreign", false);
    stamp.foreign = all.value("foreignFiles", std::vector<std::string>{});
    std::error_code error;
    for (const auto& path : all.value("absent", json::array())) {
        if (fs::exists(path.get<std::string>(), error)) return std::nullopt;
    }
    for (const auto& input : all.value("inputs", json::array())) {
        const auto content = readFile(input.at(0).get<std::string>());
        if (!content || contentHash(*content) != input.at(1).get<std::string>())
            return std::nullopt;
        stamp.inputs.push_back({input.at(0), input.at(1)});
    }
    return stamp;
}

std::string dependencyRule(const std::string& target, const std::vector<Stamp::Input>& inputs) {
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
