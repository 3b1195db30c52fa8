#pragma once

#include <filesystem>

#include "driver/compile/options.h"

namespace smec::driver {

/// Where a compilation with these options keeps what it makes: --build-dir, or one in the cache.
std::filesystem::path buildFolder(const CompileOptions& options);

/// Makes and marks the folder that --build-dir names, or takes one that is empty or smec's. Throws
/// FileError for every other one, since files there are overwritten and removed. Does nothing where
/// no folder is named.
void claimFolder(const CompileOptions& options);

/// Whether smec has written this text of C++.
bool isGenerated(const std::filesystem::path& file);

}  // namespace smec::driver
