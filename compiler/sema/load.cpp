#include <map>
#include <sstream>

#include "sema/program.h"
#include "source/read_text.h"
#include "syntax/parse.h"

// Modules in the order in which they are first imported, depth first; the file given is the first.

namespace smec::sema {

namespace {

namespace fs = std::filesystem;

std::string dotted(const std::vector<ast::Identifier>& path) {
    std::string text;
    for (const ast::Identifier& part : path)
        text += (text.empty() ? "" : ".") + part.text;
    return text;
}

constexpr std::size_t kMostSuggested = 1000;  // files of a folder looked at for a near name

class Loader {
public:
    Loader(const LoadOptions& options, SourceManager& sources, Diagnostics& diagnostics)
        : options_(options), sources_(sources), diagnostics_(diagnostics) {}

    Program run(const fs::path& file) {
        program_.includeDirs = options_.includeDirs;
        program_.standardLibrary = options_.standardLibrary;
        module(file, {}, false);
        return std::move(program_);
    }

private:
    struct Found {
        fs::path path;
        bool fromStandardLibrary = false;
    };

    static fs::path identity(const fs::path& path) {
        std::error_code error;
        fs::path result = fs::weakly_canonical(path, error);
        return error ? path : result;
    }

    /// The text of a file; reports at `from` why there is none.
    std::optional<std::string> read(const fs::path& path, SourceRange from) {
        ReadText read = readText(path);
        if (read.problem.empty()) return std::move(read.text);
        diagnostics_.report(DiagId::CannotRead, from, path.string(), read.problem);
        return std::nullopt;
    }

    ModuleId module(const fs::path& path, SourceRange from, bool fromStandardLibrary) {
        fs::path key = identity(path);
        if (auto known = known_.find(key); known != known_.end()) return known->second;
        auto text = read(path, from);
        if (!text) return {};
        ModuleId id{static_cast<std::uint32_t>(program_.modules.size())};
        known_.emplace(key, id);
        FileId file = sources_.add(path.string(), std::move(*text));
        std::error_code error;
        fs::path absolute = fs::absolute(path, error);
        program_.modules.push_back({syntax::parse(sources_, file, diagnostics_),
                                    error ? path : absolute,
                                    fromStandardLibrary,
                                    {}});
        std::vector<ast::Import> imports;
        for (const ast::Decl& decl : program_.modules.back().ast.decls)
            if (const ast::Import* import = std::get_if<ast::Import>(&decl.node))
                imports.push_back(*import);
        active_.emplace_back(id, path.stem().string());
        std::vector<ModuleId> targets;
        for (const ast::Import& import : imports)
            targets.push_back(follow(import, path, fromStandardLibrary));
        active_.pop_back();
        program_.modules[id.index].imports = std::move(targets);
        return id;
    }

    /// Where a module may be, in the order of the search.
    std::vector<Found> candidates(const std::vector<ast::Identifier>& path,
                                  const fs::path& importer, bool fromStandardLibrary) const {
        fs::path relative = asPath(path);
        relative += ".sme";
        std::vector<Found> result{{importer.parent_path() / relative, fromStandardLibrary}};
        for (const fs::path& dir : options_.includeDirs)
            result.push_back({dir / relative, false});
        if (!options_.standardLibrary.empty())
            result.push_back({options_.standardLibrary / relative, true});
        return result;
    }

    std::optional<Found> find(const std::vector<ast::Identifier>& path, const fs::path& importer,
                              bool fromStandardLibrary) const {
        for (Found& candidate : candidates(path, importer, fromStandardLibrary)) {
            if (whyNoFile(candidate.path).empty()) return std::move(candidate);
        }
        return std::nullopt;
    }

    /// Something of this name that is no file: says what it is.
    bool reportOther(const std::vector<ast::Identifier>& path, const fs::path& importer,
                     SourceRange range) {
        for (const Found& candidate : candidates(path, importer, false)) {
            const std::string_view why = whyNoFile(candidate.path);
            if (why == kNoSuchFile) continue;
            diagnostics_.report(DiagId::CannotRead, range, candidate.path.string(), why);
            return true;
        }
        return false;
    }

    /// The roots of module names as seen by a file, in order of preference.
    std::vector<fs::path> roots(const fs::path& importer) const {
        std::vector<fs::path> result{importer.parent_path()};
        result.insert(result.end(), options_.includeDirs.begin(), options_.includeDirs.end());
        if (!options_.standardLibrary.empty()) result.push_back(options_.standardLibrary);
        return result;
    }

    /// "; did you mean 'std.fifo'?": the nearest name in the same folder, or in another that an
    /// import can name; else nothing.
    std::string nearModule(const std::vector<ast::Identifier>& path,
                           const fs::path& importer) const {
        const std::string name = dotted(path);
        const std::string folder = name.substr(0, name.size() - path.back().text.size());
        std::vector<std::string> names;
        for (const fs::path& root : roots(importer)) {
            addModules(root, "", names);
            if (!folder.empty() || path.size() == 1) addModules(root / "std", "std.", names);
            if (!folder.empty() && folder != "std.")
                addModules(root / asPath(path).parent_path(), folder, names);
        }
        for (const std::string& each : names)  // import fifo;
            if (path.size() == 1 && each == "std." + name) return suggestion(each);
        if (name == "std") return "; name one of its modules, as in 'std.fifo'";
        return suggestion(nearestName(name, names));
    }

    static std::string suggestion(const std::string& name) {
        return name.empty() ? "" : "; did you mean '" + name + "'?";
    }

    static fs::path asPath(const std::vector<ast::Identifier>& path) {
        fs::path result;
        for (const ast::Identifier& part : path)
            result /= part.text;
        return result;
    }

    /// The names of the modules in a folder; of a large one only some.
    static void addModules(const fs::path& folder, const std::string& prefix,
                           std::vector<std::string>& names) {
        std::error_code error;
        std::size_t looked = 0;
        for (fs::directory_iterator at(folder, error), end; !error && at != end;
             at.increment(error)) {
            if (++looked > kMostSuggested) return;
            if (at->path().extension() == ".sme")
                names.push_back(prefix + at->path().stem().string());
        }
    }

    ModuleId follow(const ast::Import& import, const fs::path& importer, bool fromStandardLibrary) {
        SourceRange range = cover(import.path.front().range, import.path.back().range);
        auto found = find(import.path, importer, fromStandardLibrary);
        if (!found && reportOther(import.path, importer, range)) return {};
        if (!found) {
            std::string file = dotted(import.path);
            for (char& c : file)
                c = c == '.' ? '/' : c;
            diagnostics_.report(DiagId::MissingModule, range, dotted(import.path), file + ".sme",
                                nearModule(import.path, importer));
            return {};
        }
        auto known = known_.find(identity(found->path));
        if (known == known_.end()) return module(found->path, range, found->fromStandardLibrary);
        for (std::size_t i = 0; i < active_.size(); ++i) {
            if (active_[i].first.index != known->second.index) continue;
            std::string circle;
            for (std::size_t k = i; k < active_.size(); ++k)
                circle += active_[k].second + " imports ";
            diagnostics_.report(DiagId::ImportLoop, range, dotted(import.path),
                                circle + active_[i].second);
            return {};
        }
        return known->second;
    }

    const LoadOptions& options_;
    SourceManager& sources_;
    Diagnostics& diagnostics_;
    Program program_;
    std::map<fs::path, ModuleId> known_;
    std::vector<std::pair<ModuleId, std::string>>
        active_;  ///< the modules being loaded, outermost first
};

}  // namespace

Program load(const fs::path& file, const LoadOptions& options, SourceManager& sources,
             Diagnostics& diagnostics) {
    return Loader(options, sources, diagnostics).run(file);
}

}  // namespace smec::sema
