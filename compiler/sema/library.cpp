#include "sema/library.h"

#include <algorithm>

#include "source/read_text.h"

namespace smec::sema {

namespace {

namespace fs = std::filesystem;

/// Takes the first word off a line.
std::string_view takeWord(std::string_view& line) {
    const std::size_t begin = std::min(line.find_first_not_of(' '), line.size());
    const std::size_t end = std::min(line.find_first_of(" (:{;=", begin), line.size());
    const std::string_view word = line.substr(begin, end - begin);
    line.remove_prefix(end);
    return word;
}

std::optional<NameKind> nameKindOf(std::string_view word) {
    if (word == "proc" || word == "network") return NameKind::Entity;
    if (word == "func") return NameKind::Function;
    if (word == "type" || word == "enum") return NameKind::Type;
    if (word == "const") return NameKind::Value;
    return std::nullopt;
}

bool isModifier(std::string_view word) {
    return word == "async" || word == "sync" || word == "sim" || word == "extern"
           || word == "serial";
}

}  // namespace

void Library::readModule(const fs::path& file) {
    const ReadText read = readText(file);
    std::string_view rest = read.text;
    while (!rest.empty()) {
        std::string_view line = rest.substr(0, rest.find('\n'));
        rest.remove_prefix(std::min(line.size() + 1, rest.size()));
        if (line.starts_with(' ')) continue;
        std::string_view word = takeWord(line);
        while (isModifier(word))
            word = takeWord(line);
        if (const std::optional<NameKind> kind = nameKindOf(word))
            entries_->push_back({std::string(takeWord(line)), *kind, file.stem().string()});
    }
}

void Library::read() {
    entries_.emplace();
    if (folder_.empty()) return;
    std::vector<fs::path> files;
    std::error_code error;
    for (fs::directory_iterator at(folder_ / "std", error), end; !error && at != end;
         at.increment(error))
        if (at->path().extension() == ".sme") files.push_back(at->path());
    std::sort(files.begin(), files.end());
    for (const fs::path& file : files)
        readModule(file);
}

std::string Library::moduleOf(std::string_view name, NameKind kind) {
    if (!entries_) read();
    const Entry* found = nullptr;
    for (const Entry& entry : *entries_) {
        if (entry.name != name || entry.kind != kind) continue;
        if (!found || entry.module == name) found = &entry;
    }
    return found ? "std." + found->module : "";
}

}  // namespace smec::sema
