#include "driver/verilog/yosys_names.h"

#include <algorithm>

#include <unistd.h>

#include <fmt/format.h>

#include "driver/compile/verilog_input.h"
#include "driver/system/files.h"
#include "driver/verilog/imports.h"

namespace smec::driver {
namespace fs = std::filesystem;

namespace {

/// Where a Yosys in WebAssembly finds the folder "/": some of its commands take no "..", and its
/// /tmp is its own.
constexpr const char* kRoot = "/smec_root";

/// The current folder, from the one that Yosys runs in.
constexpr const char* kHere = "smec_here";
/// Deep, so that data in "../" of the current folder has a place there, too.
constexpr const char* kRun = "run/1/2/3/4/5/6/7/8";

/// Neither the end of an entry of YOWASP_MOUNT nor of its name is in it.
bool canBeMounted(const std::string& folder) { return folder.find_first_of(":=") == folder.npos; }

/// Some names are given as seen from "/", that is without their first slash.
void restoreMounted(std::string& text, std::string_view name, std::string_view real) {
    name.remove_prefix(1);
    for (std::size_t at = text.find(name); at != std::string::npos; at = text.find(name, at)) {
        const std::size_t slash = at > 0 && text[at - 1] == '/' ? 1 : 0;
        text.replace(at - slash, name.size() + slash, real);
        at += real.size() - slash;
    }
}

void restoreName(std::string& text, std::string_view name, std::string_view real) {
    for (std::size_t at = 0; (at = text.find(name, at)) != std::string::npos; at += real.size())
        text.replace(at, name.size(), real);
}

bool isPlain(const fs::path& part) { return YosysWord::fits("/" + part.string()); }

/// Up to the last part that is not plain, and what follows.
std::pair<fs::path, fs::path> split(const fs::path& path) {
    fs::path odd, rest;
    for (const fs::path& part : path) {
        rest /= part;
        if (isPlain(part) || part == "/") continue;
        odd /= rest;
        rest.clear();
    }
    return {odd, rest};
}

}  // namespace

YosysNames::YosysNames(fs::path scratch, bool isWebAssembly)
    : scratch_(std::move(scratch)),
      run_(fs::absolute(scratch_) / kRun),
      isWebAssembly_(isWebAssembly) {
    makeDirectories(run_);
    if (!isWebAssembly_) fs::create_directory_symlink(fs::current_path(), run_ / kHere);
}

YosysWord YosysNames::here() const { return YosysWord(kHere); }

void YosysNames::placeData(const fs::path& name) const {
    const fs::path to = (run_ / name).lexically_normal();
    const fs::path top = (run_ / "../../../../../../../..").lexically_normal();
    const auto [end, rest] = std::mismatch(top.begin(), top.end(), to.begin(), to.end());
    if (end != top.end() && !end->empty()) return;  // further up than there are folders
    makeDirectories(to.parent_path());
    place(fs::current_path() / name, to);
}

YosysWord YosysNames::own(const fs::path& path) const {
    return YosysWord((isWebAssembly_ ? kRoot : "") + fs::absolute(path).string());
}

YosysWord YosysNames::file(const fs::path& path) {
    const bool isFar = path.is_absolute() || (!path.empty() && *path.begin() == "..");
    std::string name = path.string();
    if (isWebAssembly_ && isFar)
        name = kRoot + fs::absolute(path).lexically_normal().string();
    else if (!path.is_absolute())
        name = std::string(kHere) + "/" + name;
    if (YosysWord::fits(name)) return YosysWord(name);
    auto [odd, rest] = split(path);
    if (odd.empty()) std::tie(odd, rest) = split(fs::absolute(path).lexically_normal());
    std::error_code error;
    const Other& made = other(odd, rest.empty() && fs::is_regular_file(odd, error));
    return YosysWord(rest.empty() ? made.name : made.name + "/" + rest.string());
}

const YosysNames::Other& YosysNames::other(const fs::path& path, bool isFile) {
    const std::string ours = path.string();
    const auto known = std::ranges::find(others_, ours, &Other::ours);
    if (known != others_.end()) return *known;
    const std::string number = fmt::format("n{:04}", others_.size());
    Other made{isWebAssembly_ ? "/smec_" + number : fs::absolute(scratch_ / number).string(), ours,
               scratch_ / number, fs::absolute(path), isFile};
    if (isFile) {
        const std::string file = isSystemVerilogFile(ours) ? "file.sv" : "file.v";
        copyFile(path, made.at, file);
        made.name += "/" + file;
    } else if (!fs::is_symlink(made.at)) {
        fs::create_directory_symlink(made.real, made.at);
    }
    return others_.emplace_back(std::move(made));
}

void YosysNames::copyFile(const fs::path& path, const fs::path& folder,
                          const std::string& name) const {
    makeDirectories(folder);
    place(path, folder / name);
    const fs::path from = fs::absolute(path).parent_path();
    for (const std::string& text : quotedTexts(readFile(path).value_or(""))) {
        const fs::path data = fs::path(text).lexically_normal();
        std::error_code error;
        if (data.empty() || data.is_absolute() || *data.begin() == ".."
            || !fs::is_regular_file(from / data, error))
            continue;
        makeDirectories((folder / data).parent_path());
        place(from / data, folder / data);
    }
}

void YosysNames::place(const fs::path& from, const fs::path& to) const {
    std::error_code error;
    if (fs::exists(fs::symlink_status(to, error))) return;
    if (!isWebAssembly_)
        fs::create_symlink(fs::absolute(from), to);
    else if (const auto text = readFile(from))
        writeIfChanged(to, *text);
}

std::string YosysNames::mounts() const {
    std::error_code error;
    fs::path current = fs::current_path();
    if (!canBeMounted(current.string())) {
        const fs::path link = scratch_ / "current";
        if (!fs::is_symlink(link)) fs::create_directory_symlink(current, link);
        current = fs::absolute(link);
    }
    std::string list =
        fmt::format("/={}:{}=/:/{}={}", run_.string(), kRoot, kHere, current.string());
    for (const fs::directory_entry& entry : fs::directory_iterator("/", error)) {
        const std::string folder = entry.path().string();
        const bool isThere = entry.is_directory(error) && access(folder.c_str(), R_OK | X_OK) == 0;
        const bool isHidden = fs::exists(run_ / folder.substr(1), error);
        if (isThere && !isHidden && folder != "/tmp" && folder != kRoot && canBeMounted(folder))
            list += fmt::format(":{}={}", folder, folder);
    }
    for (const Other& one : others_) {
        const std::string name = "/smec_" + one.at.filename().string();
        list += fmt::format(":{}={}", name, fs::absolute(one.at).string());
    }
    return list;
}

void YosysNames::restore(std::string& text) const {
    for (auto one = others_.rbegin(); one != others_.rend(); ++one)
        isWebAssembly_ ? restoreMounted(text, one->name, one->ours)
                       : restoreName(text, one->name, one->ours);
    if (isWebAssembly_) restoreMounted(text, kRoot, "");
    restoreName(text, "/" + std::string(kHere) + "/", "");
    restoreName(text, std::string(kHere) + "/", "");
    // as some readers write names: from the folder in which they run
    restoreName(text, fs::current_path().lexically_relative(run_).string() + "/", "");
}

}  // namespace smec::driver
