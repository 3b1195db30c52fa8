#include "driver/verilog/imports.h"

#include <filesystem>
#include <optional>
#include <set>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "driver/system/files.h"
#include "driver/system/installation.h"
#include "driver/system/version.h"
#include "driver/verilog/yosys_program.h"

namespace smec::driver {
namespace fs = std::filesystem;
using nlohmann::json;

namespace {

constexpr std::size_t kLongestName = 1000;  // longer texts in quotes are no names of files

class Files {
public:
    explicit Files(const VerilogInput& input) : input_(input) {}

    std::vector<VerilogFile> list() {
        for (const std::string& file : input_.files)
            add(file);
        for (const auto* words : {&input_.defines, &input_.parameters}) {
            for (const std::string& word : *words)
                addTexts(word, {});
        }
        return std::move(files_);
    }

private:
    void add(const fs::path& path) {
        std::error_code error;
        const std::string name = fs::absolute(path, error).lexically_normal().string();
        if (!seen_.insert(name).second) return;
        const std::optional<std::string> text = readFile(name);
        files_.push_back({name, text ? contentHash(*text) : ""});
        if (text) addTexts(*text, path.parent_path());
    }

    void addTexts(const std::string& text, const fs::path& folder) {
        for (const std::string& name : quotedTexts(text)) {
            add(name);
            add(folder / name);
            for (const std::string& include : input_.includeFolders)
                add(fs::path(include) / name);
        }
    }

    const VerilogInput& input_;
    std::set<std::string> seen_;
    std::vector<VerilogFile> files_;
};

/// When a program was made.
json identity(const fs::path& program) {
    std::error_code error;
    const auto size = fs::file_size(program, error);
    const auto time = fs::last_write_time(program, error).time_since_epoch().count();
    return {program.string(), error ? 0 : size, error ? 0 : time};
}

}  // namespace

std::vector<std::string> quotedTexts(const std::string& text) {
    std::vector<std::string> found;
    std::size_t begin = std::string::npos;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] == '\n') begin = std::string::npos;
        if (text[i] != '"') continue;
        if (begin != std::string::npos && i > begin && i - begin < kLongestName)
            found.push_back(text.substr(begin, i - begin));
        begin = begin == std::string::npos ? i + 1 : std::string::npos;
    }
    return found;
}

std::vector<VerilogFile> importedFiles(const VerilogInput& input) { return Files(input).list(); }

std::string importKey(const VerilogInput& input) {
    std::error_code error;
    json files = json::array();
    for (const std::string& file : input.files)
        files.push_back(fs::absolute(file, error).string());
    json yosys = json::array();
    for (const std::string& program : yosysCandidates())
        yosys.push_back(identity(program));
    const json key = {fs::current_path(error).string(),
                      kVersion,
                      identity(findInstallation().executable),
                      yosys,
                      files,
                      input.top,
                      input.includeFolders,
                      input.defines,
                      input.parameters,
                      input.clock,
                      input.reset,
                      input.ties,
                      input.isResetSync,
                      input.initial,
                      input.reading};
    return key.dump(-1, ' ', false, json::error_handler_t::replace);
}

}  // namespace smec::driver
