#include "driver/verilog/data_files.h"

#include <filesystem>
#include <set>

#include "driver/system/files.h"
#include "driver/verilog/file_names.h"
#include "driver/verilog/imports.h"

namespace smec::driver {
namespace fs = std::filesystem;

namespace {

bool isFile(const fs::path& path) {
    std::error_code error;
    return fs::is_regular_file(path, error);
}

/// Relative names of the files in folder / parent of `pattern` that fit it.
std::vector<fs::path> filesThatFit(const fs::path& folder, const fs::path& pattern) {
    std::vector<fs::path> names;
    std::error_code error;
    const fs::path parent = pattern.parent_path();
    const fs::path searched = folder / parent;
    fs::directory_iterator at(searched.empty() ? "." : searched, error);
    for (; !error && at != fs::end(at); at.increment(error)) {
        const fs::path name = at->path().filename();
        if (fitsPattern(name.string(), pattern.filename().string()) && isFile(at->path()))
            names.push_back(parent / name);
    }
    return names;
}

class DataFiles {
public:
    explicit DataFiles(const VerilogInput& input) : input_(input) {}

    /// Names from the current folder on.
    std::set<fs::path> find() {
        for (const auto* words : {&input_.defines, &input_.parameters})
            for (const std::string& word : *words)
                for (const std::string& name : quotedTexts(word))
                    note(name, {});
        for (const std::string& file : input_.files)
            read(file);
        for (const fs::path& name : beside_)
            here_.erase(name);
        return std::move(here_);
    }

private:
    void read(const fs::path& file) {
        std::error_code error;
        if (!seen_.insert(fs::absolute(file, error).lexically_normal()).second) return;
        const fs::path folder = file.parent_path();
        for (const NamedFile& named : namedFiles(readFile(file).value_or(""))) {
            if (named.isInclude) {
                if (const auto path = findNamedFile(named.name, folder, input_.includeFolders))
                    read(*path);
            } else if (named.isPattern) {
                for (const fs::path& from : {folder, fs::path()})
                    for (const fs::path& name : filesThatFit(from, named.name))
                        note(name, folder);
            } else {
                note(named.name, folder);
            }
        }
    }

    void note(const fs::path& name, const fs::path& folder) {
        if (name.empty() || name.is_absolute()) return;
        if (!folder.empty() && isFile(folder / name)) beside_.insert(name.lexically_normal());
        if (isFile(name)) here_.insert(name.lexically_normal());
    }

    const VerilogInput& input_;
    std::set<fs::path> seen_, beside_, here_;
};

}  // namespace

void placeDataFiles(const VerilogInput& input, const YosysNames& names) {
    for (const fs::path& name : DataFiles(input).find())
        names.placeData(name);
}

}  // namespace smec::driver
