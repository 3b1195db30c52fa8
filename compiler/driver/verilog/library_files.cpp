#include "driver/verilog/library_files.h"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <map>
#include <optional>

#include "driver/system/files.h"
#include "driver/verilog/file_names.h"
#include "driver/verilog/imports.h"
#include "driver/verilog/scan/preprocess.h"

namespace smec::driver {
namespace fs = std::filesystem;

namespace {

bool isLetter(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

bool isBlank(char c) { return std::isspace(static_cast<unsigned char>(c)) != 0; }

/// Words and signs, one after the other; without comments, strings, attributes and macros.
class Tokens {
public:
    explicit Tokens(std::string_view text) : text_(text) {}

    /// Empty at the end.
    std::string_view next() {
        while (skipUnread()) {}
        const std::size_t begin = at_;
        if (begin == text_.size()) return {};
        if (isLetter(text_[at_])) {
            while (at_ < text_.size() && (isLetter(text_[at_]) || text_[at_] == '$'))
                ++at_;
        } else {
            at_ += text_.substr(at_).starts_with("::") ? 2 : 1;
        }
        return text_.substr(begin, at_ - begin);
    }

private:
    /// Returns whether there was something at this place that is not read.
    bool skipUnread() {
        const std::string_view rest = text_.substr(at_);
        if (rest.empty()) return false;
        if (isBlank(rest[0])) return skip(1);
        if (rest.starts_with("//")) return skipPast("\n", 2);
        if (rest.starts_with("/*")) return skipPast("*/", 2);
        if (rest.starts_with("(*") && !rest.starts_with("(*)")) return skipPast("*)", 2);
        if (rest[0] == '"') return skipString();
        if (rest[0] == '`') return skipWhile(isLetter);
        if (rest[0] == '\\') return skipWhile([](char c) { return !isBlank(c); });
        return false;
    }

    bool skip(std::size_t count) {
        at_ = std::min(text_.size(), at_ + count);
        return true;
    }

    bool skipPast(std::string_view end, std::size_t from) {
        const std::size_t found = text_.find(end, at_ + from);
        at_ = found == std::string_view::npos ? text_.size() : found + end.size();
        return true;
    }

    bool skipString() {
        for (++at_; at_ < text_.size() && text_[at_] != '"' && text_[at_] != '\n'; ++at_)
            if (text_[at_] == '\\') ++at_;
        return skip(1);
    }

    template <class Belongs>
    bool skipWhile(Belongs belongs) {
        for (++at_; at_ < text_.size() && belongs(text_[at_]);)
            ++at_;
        return true;
    }

    std::string_view text_;
    std::size_t at_ = 0;
};

bool isName(std::string_view word) {
    return !word.empty() && isLetter(word[0])
           && std::isdigit(static_cast<unsigned char>(word[0])) == 0;
}

/// Of the first library that has it.
std::optional<std::string> fileOf(const std::string& name,
                                  const std::vector<std::string>& libraries) {
    for (const std::string& library : libraries) {
        for (const char* ending : {".v", ".sv"}) {
            const fs::path file = fs::path(library) / (name + ending);
            std::error_code error;
            if (fs::is_regular_file(file, error)) return file.lexically_normal().string();
        }
    }
    return std::nullopt;
}

}  // namespace

std::set<std::string> usedNames(std::string_view verilog) {
    std::set<std::string> names;
    Tokens tokens(verilog);
    std::string_view before, last, now = tokens.next();
    for (; !now.empty(); before = last, last = now, now = tokens.next()) {
        if (isName(last) && (now == "#" || now == "::")) names.emplace(last);
        if (isName(before) && isName(last) && (now == "(" || now == "[" || now == ";"))
            names.emplace(before);
    }
    return names;
}

FileNames namesOf(const std::string& file, const VerilogInput& input) {
    scan::Texts texts;
    const scan::Unit unit = scan::preprocess(texts.file(file), input, texts);
    const std::string text = readFile(file).value_or("");
    if (!unit.isWhole) return {declaredNames(text), usedNames(text)};
    std::string words;
    for (const scan::Token& token : unit.tokens)
        words.append(token.kind == scan::TokenKind::Text ? "" : token.text).push_back(' ');
    FileNames names{declaredNames(words), usedNames(words)};
    names.used.merge(usedNames(text));  // with what a condition leaves out
    return names;
}

void addLibraryFiles(VerilogInput& input) {
    if (input.libraries.empty()) return;
    std::set<std::string> read, found;
    for (const std::string& file : input.files)
        found.insert(fs::path(file).stem().string());
    std::set<std::string> used;
    for (std::size_t known = 0; known < input.files.size();) {
        for (; known < input.files.size(); ++known) {
            FileNames names = namesOf(input.files[known], input);
            found.merge(names.declared);
            used.merge(names.used);
        }
        for (const VerilogFile& file : importedFiles(input)) {
            if (file.hash.empty() || !read.insert(file.path).second) continue;
            used.merge(usedNames(readFile(file.path).value_or("")));
        }
        for (const std::string& name : used) {
            if (!found.insert(name).second) continue;
            const std::optional<std::string> library = fileOf(name, input.libraries);
            if (library) input.files.push_back(*library);
        }
        used.clear();
    }
    putPackagesFirst(input.files);
}

void addSource(VerilogInput& input, const std::string& file) {
    std::error_code error;
    const bool isListed = std::ranges::any_of(input.files, [&](const std::string& one) {
        return one == file || fs::equivalent(one, file, error);
    });
    if (isListed) return;
    leaveOutDeclared(input, file);
    input.files.push_back(file);
}

void leaveOutDeclared(VerilogInput& input, const std::string& file) {
    if (input.files.empty()) return;
    const std::set<std::string> own = namesOf(file, input).declared;
    std::erase_if(input.files, [&](const std::string& one) {
        const std::set<std::string> names = namesOf(one, input).declared;
        return !names.empty() && std::ranges::includes(own, names);
    });
}

void putPackagesFirst(std::vector<std::string>& files) {
    std::map<std::string, std::size_t> homes;
    std::vector<std::set<std::string>> used;
    for (std::size_t i = 0; i < files.size(); ++i) {
        const std::string text = readFile(files[i]).value_or("");
        for (const std::string& package : declaredPackages(text))
            homes.emplace(package, i);
        used.push_back(usedNames(text));
    }
    if (homes.empty()) return;
    std::vector<std::string> ordered;
    std::vector<bool> isSeen(files.size(), false);
    const auto place = [&](auto&& self, std::size_t i) -> void {
        if (isSeen[i]) return;
        isSeen[i] = true;
        for (const std::string& name : used[i])
            if (const auto home = homes.find(name); home != homes.end()) self(self, home->second);
        ordered.push_back(files[i]);
    };
    for (std::size_t i = 0; i < files.size(); ++i)
        place(place, i);
    files = std::move(ordered);
}

}  // namespace smec::driver
