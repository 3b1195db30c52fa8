#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "driver/compile/options.h"
#include "driver/system/installation.h"
#include "hir/design.h"
#include "sema/program.h"
#include "source/output_file.h"
#include "source/source_manager.h"

namespace smec::driver {

/// What a finished compilation depended on, kept as `stamp.json` in the build folder. While it
/// holds, nothing needs to be done.
struct Stamp {
    struct Input {
        std::string path;
        std::string hash;
    };
    std::string key;            ///< options and tools
    std::vector<Input> inputs;  ///< sources and data files
    std::vector<std::string>
        absent;  ///< files that must still not exist: they would win the search for an import
    std::vector<std::string> foreign;  ///< files in other languages that `extern` names
    std::string warnings;              ///< printed again
    std::string generated;             ///< hash over the generated files
    bool isForeign = false;  ///< takes in headers and objects of the user, which Ninja looks after
};

/// Everything besides the sources that decides what is built.
std::string optionsKey(const CompileOptions& options, const Installation& installation,
                       const std::string& toolchainIdentity);

Stamp makeStamp(const sema::Program& program, const SourceManager& sources,
                const hir::Design& design, const CompileOptions& options);

/// Every file that a compilation reads: none of them is to be written.
InputFiles filesRead(const Stamp& stamp, const CompileOptions& options);

void writeStamp(const std::filesystem::path& buildDir, const Stamp& stamp);

/// The stamp, if it has this key, its inputs are unchanged and the simulator is there.
std::optional<Stamp> validStamp(const std::filesystem::path& buildDir, const std::string& key);

/// Make rule `target: inputs…` with spaces escaped.
std::string dependencyRule(const std::string& target, const std::vector<Stamp::Input>& inputs);

}  // namespace smec::driver
