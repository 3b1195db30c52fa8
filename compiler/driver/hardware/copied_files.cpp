#include "driver/hardware/copied_files.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <optional>
#include <set>

#include <fmt/format.h>

#include "driver/hardware/hardware_names.h"
#include "driver/system/files.h"
#include "driver/verilog/file_names.h"
#include "driver/verilog/library_files.h"

// First all files are found, from the sources on through what they name; then they get names, those
// that the texts cannot do without before the others; last the names in the texts are replaced.

namespace smec::driver {
namespace fs = std::filesystem;

namespace {

using FileKind = hdl::CopiedFile::Kind;

constexpr int kDeepestFolder = 8;              // in which files of a pattern are looked for
constexpr std::size_t kMostEntries = 100'000;  // of folders, that are looked at for a pattern

/// The same for each name of a file.
fs::path fileIdentity(const fs::path& path) {
    std::error_code error;
    fs::path found = fs::weakly_canonical(path, error);
    return error ? fs::absolute(path, error).lexically_normal() : found;
}

bool isRegularFile(const fs::path& path) {
    std::error_code error;
    return fs::is_regular_file(path, error);
}

/// A text of Verilog, and not only data.
bool isVerilogText(const fs::path& path) {
    constexpr std::string_view kEndings[] = {".v", ".sv",  ".vh", ".svh",
                                             ".h", ".inc", ".vi", ".svi"};
    return std::ranges::find(kEndings, path.extension().string()) != std::end(kEndings);
}

/// A file, and what it names.
struct FoundFile {
    FileKind kind = FileKind::Source;
    fs::path path;  ///< by which it was found
    std::string text;
    std::string name{};                                      ///< in the folder of the design
    std::vector<std::pair<NamedFile, std::size_t>> names{};  ///< and which file each is
};

/// The lines that define the macros which a text asks for.
std::string macrosOf(const std::vector<std::string>& defines, std::string_view text) {
    std::string lines;
    for (const std::string& define : defines) {
        const std::size_t equals = std::min(define.find('='), define.size());
        const std::string name = define.substr(0, equals);
        if (text.find(name) == std::string_view::npos) continue;
        const std::string value = equals == define.size() ? "1" : define.substr(equals + 1);
        lines += fmt::format("`ifndef {0}\n`define {0} {1}\n`endif\n", name, value);
    }
    return lines;
}

/// The files of a list that the ones to start from need, and that these need in turn, in the order
/// of the list; with those that declare nothing, which may define macros.
std::vector<std::string> neededOf(const VerilogInput& input,
                                  const std::vector<std::string>& start) {
    struct One {
        FileNames names;
        bool isNeeded = false;
    };
    std::vector<One> all;
    std::set<std::string> wanted;
    for (const std::string& file : input.files)
        all.push_back({namesOf(file, input)});
    for (const std::string& file : start)
        wanted.merge(namesOf(file, input).used);
    for (bool isNew = true; isNew;) {
        isNew = false;
        for (One& one : all) {
            const auto& [declared, used] = one.names;
            const bool has = std::ranges::any_of(
                declared, [&](const std::string& name) { return wanted.contains(name); });
            if (one.isNeeded || (!has && !declared.empty())) continue;
            one.isNeeded = isNew = true;
            wanted.insert(used.begin(), used.end());
        }
    }
    std::vector<std::string> needed;
    for (std::size_t i = 0; i < input.files.size(); ++i)
        if (all[i].isNeeded) needed.push_back(input.files[i]);
    return needed;
}

class Collection {
public:
    Collection(const hdl::Design& design, const VerilogInput& verilog, Diagnostics& diagnostics)
        : design_(design), verilog_(verilog), diagnostics_(diagnostics) {}

    std::vector<hdl::CopiedFile> run() {
        for (const std::string& file : sources())
            add(file, FileKind::Source);
        findReaders();
        for (std::size_t i = 0; i < found_.size(); ++i)
            resolve(i);
        giveNames();
        std::vector<hdl::CopiedFile> copied;
        for (const FoundFile& file : found_)
            copied.push_back(
                {file.kind, "verilog", file.name, rewritten(file), file.path.string()});
        addVhdl(copied);
        return copied;
    }

private:
    std::vector<std::string> own(const std::string& language) const {
        std::vector<std::string> files;
        for (const hdl::Module& module : design_.modules)
            for (const hdl::ForeignFile& file : module.files)
                if (file.language == language && file.isFile
                    && std::ranges::find(files, file.path) == files.end())
                    files.push_back(file.path);
        return files;
    }

    std::vector<std::string> sources() const {
        const std::vector<std::string> start = own("verilog");
        if (start.empty()) return {};
        VerilogInput input = verilog_;
        for (const std::string& file : start)
            if (std::ranges::find(input.files, file) == input.files.end())
                leaveOutDeclared(input, file);
        input.files = neededOf(input, start);
        input.files.insert(input.files.end(), start.begin(), start.end());
        addLibraryFiles(input);
        putPackagesFirst(input.files);
        return input.files;
    }

    std::size_t add(const fs::path& path, FileKind kind) {
        const auto [at, isNew] = numbers_.try_emplace(fileIdentity(path), found_.size());
        if (!isNew) return at->second;
        std::optional<std::string> text = readFile(path);
        if (!text) throw FileError{"cannot read '" + path.string() + "'"};
        if (kind == FileKind::Source) text->insert(0, macrosOf(verilog_.defines, *text));
        found_.push_back({kind, path, std::move(*text)});
        return found_.size() - 1;
    }

    /// Folders from which a name is read that comes from somewhere else, as a parameter.
    void findReaders() {
        for (const FoundFile& file : found_) {
            const fs::path folder = file.path.parent_path();
            const bool reads = file.text.find("$readmem") != std::string::npos;
            const bool isKnown = std::ranges::find(folders_, folder) != folders_.end();
            if (!isKnown) folders_.insert(reads ? folders_.begin() : folders_.end(), folder);
        }
        folders_.emplace_back();
    }

    std::vector<fs::path> foldersFor(const FoundFile& file, bool isInclude) const {
        std::vector<fs::path> folders{file.path.parent_path()};
        const auto also = [&](const auto& more) {
            folders.insert(folders.end(), more.begin(), more.end());
        };
        if (isInclude) also(verilog_.includeFolders);
        also(folders_);
        if (!isInclude) also(verilog_.includeFolders);
        return folders;
    }

    void resolve(std::size_t number) {
        if (found_[number].kind == FileKind::Data && !isVerilogText(found_[number].path)) return;
        for (NamedFile& name : namedFiles(found_[number].text)) {
            if (name.isPattern)
                resolvePattern(number, name);
            else
                resolveName(number, std::move(name));
        }
    }

    void resolveName(std::size_t number, NamedFile name) {
        for (const fs::path& folder : foldersFor(found_[number], name.isInclude)) {
            const fs::path path = folder / name.name;
            if (!isRegularFile(path)) continue;
            const std::size_t other =
                add(path, name.isInclude ? FileKind::Include : FileKind::Data);
            found_[number].names.emplace_back(std::move(name), other);
            return;
        }
        if (name.isRead) warn(number, name.name, "which is not there");
    }

    /// The files stand below the names that they will be asked for.
    void resolvePattern(std::size_t number, const NamedFile& name) {
        for (const fs::path& folder : foldersFor(found_[number], false)) {
            const std::vector<std::string> names = filesOf(folder, name.name);
            for (const std::string& file : names) {
                const std::size_t other = add(folder / file, FileKind::Data);
                if (!fixed_.emplace(file, other).second && fixed_[file] != other)
                    warn(number, file, "of which there are two");
            }
            if (!names.empty()) return;
        }
        if (name.isRead) warn(number, name.name, "which is not there");
    }

    /// Names below the folder that fit; none outside of it.
    static std::vector<std::string> filesOf(const fs::path& folder, const std::string& pattern) {
        std::vector<std::string> names;
        std::error_code error;
        if (pattern.find('*') == std::string::npos) {
            const fs::path path(pattern);
            const bool isInside = path.is_relative() && *path.lexically_normal().begin() != "..";
            if (isInside && isRegularFile(folder / path)) names.push_back(pattern);
            return names;
        }
        fs::recursive_directory_iterator at(folder.empty() ? "." : folder,
                                            fs::directory_options::skip_permission_denied, error);
        for (std::size_t seen = 0; !error && at != fs::end(at) && seen < kMostEntries; ++seen) {
            const std::string name =
                at->path().lexically_relative(folder.empty() ? "." : folder).string();
            if (at.depth() >= kDeepestFolder || at->path().filename() == ".smec")
                at.disable_recursion_pending();
            if (fitsPattern(name, pattern) && isRegularFile(at->path())) names.push_back(name);
            at.increment(error);
        }
        std::ranges::sort(names);
        return names;
    }

    void warn(std::size_t number, const std::string& name, std::string_view why) {
        const fs::path& path = found_[number].path;
        if (warned_.insert(path.string() + "|" + name).second)
            diagnostics_.report(DiagId::ExportData, {}, path.string(), name, why);
    }

    /// Sources first, which users look for.
    void giveNames() {
        FolderNames names(design_);
        for (const auto& [name, number] : fixed_)
            if (found_[number].name.empty()) found_[number].name = names.keep(name);
        for (const FileKind kind : {FileKind::Source, FileKind::Include, FileKind::Data})
            for (FoundFile& file : found_)
                if (file.kind == kind && file.name.empty()) file.name = names.give(file.path);
        for (const std::string& file : own("vhdl"))
            vhdl_.emplace_back(file, names.give(file));
    }

    std::string rewritten(const FoundFile& file) const {
        std::string text = file.text;
        for (std::size_t i = file.names.size(); i-- > 0;) {
            const auto& [name, number] = file.names[i];
            const std::string& there = found_[number].name;
            if (name.name != there) text.replace(name.begin, name.length, there);
        }
        return text;
    }

    void addVhdl(std::vector<hdl::CopiedFile>& copied) const {
        for (const auto& [path, name] : vhdl_) {
            std::optional<std::string> text = readFile(path);
            if (!text) throw FileError{"cannot read '" + path + "'"};
            copied.push_back({FileKind::Source, "vhdl", name, std::move(*text), path});
        }
    }

    const hdl::Design& design_;
    const VerilogInput& verilog_;
    Diagnostics& diagnostics_;
    std::vector<FoundFile> found_;
    std::map<fs::path, std::size_t> numbers_;   ///< in `found_`, by identity
    std::map<std::string, std::size_t> fixed_;  ///< files whose names must stay
    std::vector<fs::path> folders_;
    std::vector<std::pair<std::string, std::string>> vhdl_;
    std::set<std::string> warned_;
};

}  // namespace

std::vector<hdl::CopiedFile> copiedFiles(const hdl::Design& design, const VerilogInput& verilog,
                                         Diagnostics& diagnostics) {
    return Collection(design, verilog, diagnostics).run();
}

}  // namespace smec::driver
