#pragma once

#include <filesystem>
#include <string>

#include "driver/compile/options.h"
#include "source/output_file.h"

namespace smec::driver {

/// What `smec compile --lib` calls the library: an identifier, "x" for libx.so.
std::string libraryName(const CompileOptions& options);

// The headers that stand beside a library: x.h and, with the design as classes of C++, x.hpp beside
// libx.so.

/// Throws FileError where a file is in the way that smec did not write.
void checkLibraryHeaders(const std::filesystem::path& library, const InputFiles& inputs);
/// `folder`: where the library was built.
void writeLibraryHeaders(const CompileOptions& options, const std::filesystem::path& library,
                         const std::filesystem::path& folder, const InputFiles& inputs);

/// The model that `smec compile --loadable` writes beside the code: x.bin beside x.so.
std::filesystem::path modelBeside(const std::filesystem::path& code);
/// Throws FileError where a file is in the way that is no model, or the code would be it.
void checkModelBeside(const std::filesystem::path& code, const InputFiles& inputs);

}  // namespace smec::driver
