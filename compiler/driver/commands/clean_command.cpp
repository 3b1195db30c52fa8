#include "driver/commands/clean_command.h"

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "driver/cache/limit.h"
#include "driver/system/exit_status.h"
#include "source/output_file.h"

namespace smec::driver {
namespace fs = std::filesystem;

namespace {

constexpr double kMostDays = 100'000;
constexpr double kDay = 86'400e9;  // nanoseconds

std::string sizeText(std::uint64_t bytes) {
    if (bytes < 1'000'000) return fmt::format("{:.0f} kB", static_cast<double>(bytes) / 1e3);
    return fmt::format("{:.1f} MB", static_cast<double>(bytes) / 1e6);
}

class CleanCommand final : public Command {
public:
    const char* name() const override { return "clean"; }
    const char* help() const override { return "remove what smec keeps for later compilations"; }
    void declare(CLI::App& app) override {
        app.add_option("DIR", folders_,
                       "build folders or caches (default: the cache that smec uses here)")
            ->type_name("");
        app.add_option("--older", days_, "only what was not used for so many days")
            ->type_name("DAYS")
            ->check(CLI::Range(0.0, kMostDays));
    }
    std::string finish(const CLI::App&) override { return {}; }

    int execute() override {
        if (folders_.empty()) return cleanCache();
        for (const std::string& folder : folders_)
            if (!isMarked(folder))
                throw FileError{
                    fmt::format("'{}' is not smec's: it has no '{}'", folder, kFolderMark), true};
        for (const std::string& folder : folders_)
            clean(folder);
        return exit_status::kGood;
    }

private:
    int cleanCache() const {
        const CacheFolders cache = findCacheFolders();
        for (const std::string& warning : cache.warnings)
            fmt::print(stderr, "smec: warning: {}\n", warning);
        bool isThere = false;
        for (const CacheFolder& folder : cache.all) {
            if (!folder.isWritable || !isMarked(folder.path)) continue;
            isThere = true;
            clean(folder.path);
        }
        if (!isThere) fmt::print("nothing to remove: no cache in '{}'\n", cache.written().string());
        return exit_status::kGood;
    }

    void clean(const fs::path& folder) const {
        const Cleaned cleaned = cleanFolder(folder, static_cast<std::int64_t>(days_ * kDay));
        std::string text = fmt::format("removed {} {}, {}, from '{}'", cleaned.removed,
                                       cleaned.removed == 1 ? "entry" : "entries",
                                       sizeText(cleaned.bytes), folder.string());
        if (cleaned.inUse != 0) text += fmt::format("; {} in use stay", cleaned.inUse);
        if (cleaned.others != 0)
            text += fmt::format("; {} that smec did not make stay", cleaned.others);
        fmt::print("{}\n", text);
    }

    std::vector<std::string> folders_;
    double days_ = 0;
};

}  // namespace

std::unique_ptr<Command> makeCleanCommand() { return std::make_unique<CleanCommand>(); }

}  // namespace smec::driver
