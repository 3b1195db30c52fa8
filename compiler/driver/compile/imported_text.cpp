#include "driver/compile/imported_text.h"

#include <nlohmann/json.hpp>

#include "driver/system/files.h"

namespace smec::driver {
namespace fs = std::filesystem;

fs::path modulesPath(const fs::path& file) {
    return file.parent_path() / (file.stem().string() + ".modules.json");
}

fs::path readerPath(const fs::path& file) {
    return file.parent_path() / (file.stem().string() + ".reader");
}

std::map<std::string, std::string> modulesBeside(const fs::path& file) {
    std::map<std::string, std::string> modules;
    const std::string text = readFile(modulesPath(file)).value_or("");
    const nlohmann::json read = nlohmann::json::parse(text, nullptr, false);
    if (!read.is_object()) return modules;
    for (const auto& [process, module] : read.items())
        if (module.is_string()) modules[process] = module.get<std::string>();
    return modules;
}

std::string readerBeside(const fs::path& file) { return readFile(readerPath(file)).value_or(""); }

}  // namespace smec::driver
