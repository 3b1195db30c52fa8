#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace smec::driver {

/// The environment variable that sets the limit.
inline constexpr const char* kMemoryVariable = "SMEC_MEMORY";
/// No limit.
inline constexpr std::uint64_t kAllMemory = UINT64_MAX;

/// Bytes that a program which smec starts may take, with all that it starts in turn: what
/// SMEC_MEMORY says, else three quarters of what memory() says. Throws FileError where the variable
/// is no size.
std::uint64_t memoryLimit();

/// "512M", "20G", "1.5T" or "none" in bytes; nothing where it is none of these.
std::optional<std::uint64_t> parseMemory(std::string_view text);

/// "17.3 GiB".
std::string memoryText(std::uint64_t bytes);

/// Bytes of this machine, or of the control groups that this process is in, whichever is less.
std::uint64_t memory();

/// The least limit from a control group up to the first one. `root`: where the file system of the
/// groups is; `file`: "memory.max", or "memory.limit_in_bytes" of version 1.
std::uint64_t groupMemory(const std::filesystem::path& root, std::string group, const char* file);

}  // namespace smec::driver
