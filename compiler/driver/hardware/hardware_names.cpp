#include "driver/hardware/hardware_names.h"

#include <algorithm>
#include <cctype>
#include <filesystem>

// Modules, the bench and the package of VHDL have names of their own in a design, so their files
// have, too. What is written by hand may be called like any of them, and gives way.

namespace smec::driver {

namespace fs = std::filesystem;

namespace {

std::string folded(std::string name) {
    std::transform(name.begin(), name.end(), name.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return name;
}

/// All that the export and the tools of its Makefile write in the folder, folded.
std::set<std::string> ownFiles(const hdl::Design& design) {
    std::set<std::string> names{"makefile", "files.f", "files_vhdl.f", "obj_dir", "work-obj08.cf"};
    const auto add = [&](const std::string& name, std::initializer_list<const char*> suffixes) {
        for (const char* suffix : suffixes)
            names.insert(folded(name + suffix));
    };
    for (const hdl::Module& module : design.modules)
        if (module.kind != hdl::Kind::Foreign) add(module.name, {".sv", ".v", ".vhd"});
    add(design.modules.back().name, {".core"});
    add(design.bench, {".sv", ".vhd", ".hex", ".names", ".vvp"});
    add(design.support, {".vhd"});
    return names;
}

std::string plainName(const fs::path& path) {
    std::string name = path.filename().string();
    for (char& c : name)
        if (std::isalnum(static_cast<unsigned char>(c)) == 0 && c != '.' && c != '-') c = '_';
    const bool isWord =
        !name.empty() && std::isalnum(static_cast<unsigned char>(name.front())) != 0;
    return isWord ? name : "extern" + name;
}

std::vector<std::string> filesOf(const hdl::Design& design, const std::string& language,
                                 const std::string& suffix) {
    std::vector<std::string> names = copiedNames(design, language, hdl::CopiedFile::Kind::Source);
    for (const hdl::Module& module : design.modules)
        if (module.kind != hdl::Kind::Foreign) names.push_back(module.name + suffix);
    return names;
}

}  // namespace

FolderNames::FolderNames(const hdl::Design& design) : taken_(ownFiles(design)) {}

std::string FolderNames::give(const fs::path& path) {
    std::string name = plainName(path);
    while (!taken_.insert(folded(name)).second)
        name.insert(0, "extern_");
    return name;
}

std::string FolderNames::keep(const std::string& name) {
    taken_.insert(folded(name));
    return name;
}

std::vector<std::string> copiedNames(const hdl::Design& design, const std::string& language,
                                     hdl::CopiedFile::Kind kind) {
    std::vector<std::string> names;
    for (const hdl::CopiedFile& file : design.copied)
        if (file.language == language && file.kind == kind) names.push_back(file.name);
    return names;
}

std::vector<std::string> verilogFiles(const hdl::Design& design, const HardwareOptions& hardware) {
    return filesOf(design, "verilog", hardware.isVerilog2005 ? ".v" : ".sv");
}

std::vector<std::string> vhdlFiles(const hdl::Design& design) {
    std::vector<std::string> names = filesOf(design, "vhdl", ".vhd");
    names.insert(names.begin(), design.support + ".vhd");
    return names;
}

std::vector<std::string> benchData(const hdl::Design& design, const HardwareOptions& hardware) {
    std::vector<std::string> names{design.bench + ".hex"};
    if (hardware.isVerilog) names.push_back(design.bench + ".names");
    return names;
}

}  // namespace smec::driver
