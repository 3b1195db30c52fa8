#include "driver/verilog/kept_import.h"

#include <nlohmann/json.hpp>

namespace smec::driver {
namespace {

constexpr const char* kImport = "verilog";
constexpr const char* kWarnings = "warnings";

}  // namespace

std::optional<CacheEntry> keepImport(const Cache& cache, const std::string& request,
                                     const std::vector<CacheInput>& inputs,
                                     const nlohmann::json& warnings, const ImportedTexts& texts) {
    return cache.keep(kImport, request, inputs, {{kWarnings, warnings}},
                      {{kImportedText, {}, texts.design},
                       {kImportedModules, {}, texts.modules},
                       {kImportedReader, {}, texts.reader}});
}

std::optional<KeptImport> findImport(const Cache& cache, const std::string& request) {
    std::optional<std::vector<KeptWarning>> warnings;
    std::optional<CacheEntry> entry = cache.find(kImport, request, [&](const CacheEntry& found) {
        warnings = readWarnings(nlohmann::json::parse(found.about).at(kWarnings));
        return warnings && found.has(kImportedText) && found.has(kImportedModules)
               && found.has(kImportedReader);
    });
    if (!entry) return std::nullopt;
    return KeptImport{std::move(*entry), std::move(*warnings)};
}

}  // namespace smec::driver
