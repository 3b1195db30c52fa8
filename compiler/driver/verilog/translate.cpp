#include "driver/verilog/translate.h"

#include <nlohmann/json.hpp>

#include "ast/print.h"
#include "driver/cache/cache.h"
#include "driver/cache/work_folder.h"
#include "driver/compile/imported_text.h"
#include "driver/system/files.h"
#include "driver/verilog/import_options.h"
#include "driver/verilog/imports.h"
#include "driver/verilog/kept_import.h"
#include "driver/verilog/yosys.h"
#include "rtl/import.h"
#include "syntax/format.h"

namespace smec::driver {
namespace fs = std::filesystem;

namespace {

constexpr std::size_t kPiece = std::size_t{1} << 20;  // bytes of text that are formatted together

/// Where the next piece of printed text begins: at a process or network after a blank line.
std::size_t endOfPiece(std::string_view text) {
    std::size_t at = kPiece;
    while (at < text.size()) {
        at = text.find("\n\n", at);
        if (at == std::string_view::npos) break;
        at += 2;
        const std::string_view rest = text.substr(at);
        if (rest.starts_with("proc ") || rest.starts_with("async ") || rest.starts_with("network "))
            return at;
    }
    return text.size();
}

/// Piece by piece: the formatter takes forty times the memory of its text.
std::optional<std::string> formatted(std::string_view text, SourceManager& sources,
                                     Diagnostics& diagnostics) {
    std::string all;
    while (!text.empty()) {
        const std::size_t end = endOfPiece(text);
        SourceManager own;
        Diagnostics unseen;
        const std::string source(text.substr(0, end));
        const FileId printed = own.add("import.sme", source);
        const std::optional<std::string> piece = syntax::format(own, printed, unseen);
        if (!piece) {  // told of a text that stays
            syntax::format(sources, sources.add("import.sme", source), diagnostics);
            return std::nullopt;
        }
        all += (all.empty() ? "" : "\n") + *piece;
        text.remove_prefix(end);
    }
    return all;
}

std::vector<CacheInput> inputsOf(const std::vector<VerilogFile>& files) {
    std::vector<CacheInput> inputs;
    for (const VerilogFile& file : files)
        inputs.push_back({file.path, file.hash});
    return inputs;
}

ImportedFile importedAs(const fs::path& path, const std::vector<CacheInput>& inputs) {
    ImportedFile imported{path, {}, {}};
    for (const CacheInput& input : inputs)
        (input.hash.empty() ? imported.absent : imported.inputs).push_back(input.path);
    return imported;
}

ImportedFile put(const CacheEntry& entry, const fs::path& path, const WorkFolder& folder) {
    bool isNew = putInPlace(entry, kImportedText, path);
    isNew |= putInPlace(entry, kImportedModules, modulesPath(path));
    isNew |= putInPlace(entry, kImportedReader, readerPath(path));
    if (isNew)
        folder.record({path.filename().string(), modulesPath(path).filename().string(),
                       readerPath(path).filename().string()});
    return importedAs(path, entry.inputs);
}

}  // namespace

std::optional<TranslatedVerilog> translateVerilog(const VerilogInput& input, SourceManager& sources,
                                                  Diagnostics& diagnostics) {
    std::optional<Elaborated> made = elaborateVerilog(input, sources, diagnostics);
    if (!made) return std::nullopt;
    const std::string top = made->top.empty() ? input.top : made->top;
    if (top.empty()) {
        diagnostics.report(DiagId::ImportNoTop, {});
        return std::nullopt;
    }
    std::optional<rtl::Imported> imported =
        rtl::import(std::move(made->design), top, importOptions(input), sources, diagnostics);
    if (!imported) return std::nullopt;
    const std::string text = ast::print(imported->text);
    imported->text = {};
    std::optional<std::string> all = formatted(text, sources, diagnostics);
    if (!all) return std::nullopt;
    return TranslatedVerilog{std::move(*all), std::move(imported->modules), made->reader};
}

std::optional<ImportedFile> importVerilog(const VerilogInput& input, SourceManager& sources,
                                          Diagnostics& diagnostics) {
    const std::string key = importKey(input);
    std::string stem = fs::path(input.files[0]).stem().string();
    for (char& c : stem) {
        if (!std::isalnum(static_cast<unsigned char>(c)) && c != '_' && c != '-') c = '_';
    }
    // the file keeps its name while what it holds changes: it is in messages, and in generated C++
    const WorkFolder folder(
        input.cache.written() / (stem + "-verilog-" + contentHash(key).substr(0, 10)), true);
    const fs::path path = folder.path() / (stem + ".sme");
    const Cache cache(input.cache);
    if (const std::optional<KeptImport> kept = findImport(cache, longHash(key))) {
        repeatWarnings(kept->warnings, sources, diagnostics);
        if (diagnostics.hasErrors()) return std::nullopt;
        return put(kept->entry, path, folder);
    }
    const std::vector<CacheInput> inputs = inputsOf(importedFiles(input));
    Diagnostics found;  // whatever this run wants to hear, the next one may want another thing
    const std::optional<TranslatedVerilog> made = translateVerilog(input, sources, found);
    for (const Diagnostic& one : found.all())
        diagnostics.repeat(one);
    diagnostics.countUnkept(found);
    if (!made) return std::nullopt;
    const std::string modules =
        nlohmann::json(made->modules).dump(1, ' ', false, nlohmann::json::error_handler_t::replace)
        + "\n";
    const std::optional<CacheEntry> entry =
        keepImport(cache, longHash(key), inputs, keptWarnings(found, sources),
                   {made->text, modules, made->reader});
    if (diagnostics.hasErrors()) return std::nullopt;
    if (entry) return put(*entry, path, folder);
    for (const fs::path& file : {path, modulesPath(path), readerPath(path)})
        clearWay(file);
    writeIfChanged(path, made->text);
    writeIfChanged(modulesPath(path), modules);
    writeIfChanged(readerPath(path), made->reader);
    return importedAs(path, inputs);
}

}  // namespace smec::driver
