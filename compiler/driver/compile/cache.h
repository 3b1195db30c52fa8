#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "driver/cache/cache.h"
#include "driver/compile/build.h"
#include "driver/compile/options.h"
#include "driver/system/installation.h"
#include "hir/design.h"
#include "sema/program.h"
#include "source/output_file.h"
#include "source/source_manager.h"

namespace smec::driver {

/// What a finished compilation depended on, and said.
struct Stamp {
    std::vector<CacheInput> inputs;   ///< sources and data files
    std::vector<CacheInput> foreign;  ///< what `extern` and --link brought in, as Ninja found it
    std::vector<std::string>
        absent;  ///< files that must still not exist: they would win the search for an import
    std::vector<std::string> foreignNames;  ///< files in other languages that `extern` names
    std::string warnings;                   ///< printed again
    std::string built{};                    ///< what Ninja made, by its name
};

/// The places of the cache for these options: those of the run, or the build folder that was named.
CacheFolders cacheOf(const CompileOptions& options);

/// Hash of everything besides the sources that decides what is built, that is, options, tools, and
/// what the processor has that code is made for.
std::string requestOf(const CompileOptions& options, const Installation& installation,
                      const Toolchain& toolchain);

Stamp makeStamp(const sema::Program& program, const SourceManager& sources,
                const hir::Design& design, const CompileOptions& options);

/// Every file that a compilation reads: none of them is to be written.
InputFiles filesRead(const Stamp& stamp, const CompileOptions& options);

/// What lies in `folder`, where Ninja built it, as an entry; nothing where it cannot be kept.
std::optional<CacheEntry> keepBuilt(const Cache& cache, const std::string& request,
                                    const Stamp& stamp, const std::filesystem::path& folder,
                                    const CompileOptions& options);
/// What was built before for the same request from the same inputs, and its stamp.
std::optional<CacheEntry> findBuilt(const Cache& cache, const std::string& request,
                                    const CompileOptions& options);
/// Throws what json throws where it is none of keepBuilt().
Stamp stampOf(const CacheEntry& entry);
/// The simulator, library or code in an entry, by its name; empty where it is not what is asked for.
std::string nameBuilt(const CacheEntry& entry, const CompileOptions& options);

/// Make rule `target: inputs…` with spaces escaped.
std::string dependencyRule(const std::string& target, const std::vector<CacheInput>& inputs);

}  // namespace smec::driver
