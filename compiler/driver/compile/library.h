#pragma once

#include <filesystem>
#include <string>

#include "driver/compile/options.h"
#include "source/output_file.h"

namespace smec::driver {

/// What `smec compile --lib` calls the library: an identifier, "x" for libx.so.
std::string libraryName(const CompileOptions& options);

/// The header that stands beside a library: x.h beside libx.so.
std::filesystem::path libraryHeader(const std::filesystem::path& library);

/// Throws FileError where a file is in the way that smec did not write.
void checkLibraryHeader(const std::filesystem::path& library, const InputFiles& inputs);
void writeLibraryHeader(const CompileOptions& options, const std::filesystem::path& library,
                        const InputFiles& inputs);

}  // namespace smec::driver
