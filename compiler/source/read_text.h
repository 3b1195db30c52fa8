#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace smec {

/// The content of a source file, or why there is none (as a message goes on after "cannot read").
struct ReadText {
    std::string text;
    std::string_view problem;  ///< empty: it was read
};

/// Reads a file, a pipe or a device, of 256 MiB at most.
ReadText readText(const std::filesystem::path& path);

inline constexpr std::string_view kNoSuchFile = "no such file";

/// What it is instead of a file, as a message goes on after "cannot read"; empty: it is one.
std::string_view whyNoFile(const std::filesystem::path& path);

}  // namespace smec
