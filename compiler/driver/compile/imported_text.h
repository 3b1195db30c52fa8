#pragma once

#include <filesystem>
#include <map>
#include <string>

/// What stands beside a `.sme` that was made of Verilog.
namespace smec::driver {

/// Of such a file: where it stands.
std::filesystem::path modulesPath(const std::filesystem::path& file);
std::filesystem::path readerPath(const std::filesystem::path& file);

/// The Verilog module of each of its processes, rtl::Imported::modules. Of another file: nothing.
std::map<std::string, std::string> modulesBeside(const std::filesystem::path& file);

/// Which program read the Verilog. Of another file: empty.
std::string readerBeside(const std::filesystem::path& file);

}  // namespace smec::driver
