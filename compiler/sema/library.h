#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace smec::sema {

/// What a name may be that nothing declares.
enum class NameKind : std::uint8_t { Entity, Function, Type, Value };

/// What the modules of the standard library declare, for hints in messages. Their texts are read
/// when first asked for, and not parsed: the library's own declarations start in the first column.
class Library {
public:
    explicit Library(std::filesystem::path folder) : folder_(std::move(folder)) {}

    /// The module that declares this, "std.fifo": the one of its name, else the first in order of
    /// names; empty where there is none.
    std::string moduleOf(std::string_view name, NameKind kind);

private:
    struct Entry {
        std::string name;
        NameKind kind;
        std::string module;
    };
    void read();
    void readModule(const std::filesystem::path& file);

    std::filesystem::path folder_;  ///< in which "std" stands
    std::optional<std::vector<Entry>> entries_;
};

}  // namespace smec::sema
