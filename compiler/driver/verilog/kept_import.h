#pragma once

#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "driver/cache/cache.h"
#include "driver/verilog/kept_warnings.h"

/// Imports of Verilog in the cache.
namespace smec::driver {

// The files of an entry.
inline constexpr const char* kImportedText = "design.sme";
inline constexpr const char* kImportedModules = "modules.json";
inline constexpr const char* kImportedReader = "reader";

struct ImportedTexts {
    std::string design, modules, reader;
};

/// As Cache::keep(). `warnings`: keptWarnings().
std::optional<CacheEntry> keepImport(const Cache& cache, const std::string& request,
                                     const std::vector<CacheInput>& inputs,
                                     const nlohmann::json& warnings, const ImportedTexts& texts);

struct KeptImport {
    CacheEntry entry;
    std::vector<KeptWarning> warnings;
};

/// As Cache::find(). It has all files, and all that is to be said again is known.
std::optional<KeptImport> findImport(const Cache& cache, const std::string& request);

}  // namespace smec::driver
