#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace smec::driver {

/// Where a text of Verilog may name a file: in `include, or in a string.
struct NamedFile {
    std::string name;        ///< in a pattern `*` stands for what the text does not tell
    bool isInclude = false;  ///< of `include
    bool isRead = false;     ///< of $readmemh, $readmemb
    bool isPattern = false;  ///< put together from pieces: {"rom", N, ".hex"}, "rom%0d.hex"
    std::size_t begin = 0;   ///< what stands between the quotes; not of patterns
    std::size_t length = 0;
};

/// In the order of the text. Comments and what is only printed ($display …) name nothing; the texts
/// of macros do. A string is told where it might be a name; whether there is such a file is for the
/// caller to find. O(text).
std::vector<NamedFile> namedFiles(std::string_view verilog);

/// Where the file is that a file in `folder` names: beside that one, in one of the folders for
/// includes, else in the current one. Nothing where it is in none.
std::optional<std::filesystem::path> findNamedFile(const std::filesystem::path& name,
                                                   const std::filesystem::path& folder,
                                                   const std::vector<std::string>& includeFolders);

/// The modules, interfaces, packages, programs and primitives that a text declares.
std::set<std::string> declaredNames(std::string_view verilog);
/// The packages alone.
std::set<std::string> declaredPackages(std::string_view verilog);

/// Whether a text fits a pattern in which `*` stands for any text, also for none.
bool fitsPattern(std::string_view text, std::string_view pattern);

}  // namespace smec::driver
