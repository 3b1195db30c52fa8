#include "driver/compile/processor.h"

#include <cstdlib>
#include <filesystem>
#include <sstream>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "driver/compile/cxx_facts.h"
#include "driver/system/files.h"
#include "driver/system/process.h"

#if defined(__x86_64__) || defined(__i386__)
#include <cpuid.h>
#else
#include <sys/auxv.h>
#endif

namespace smec::driver {
namespace fs = std::filesystem;
using nlohmann::json;

namespace {

constexpr const char* kProcessor = "processor";

/// What programs may ask this machine's processor, without what differs between its cores.
std::string machine() {
    std::string text;
#if defined(__x86_64__) || defined(__i386__)
    static constexpr struct {
        unsigned leaf, subleaf;
    } kLeaves[] = {{0, 0}, {1, 0}, {7, 0}, {7, 1}, {0xd, 1}, {0x19, 0}, {0x80000001, 0}};
    for (const auto& [leaf, subleaf] : kLeaves) {
        unsigned a = 0, b = 0, c = 0, d = 0;
        if (__get_cpuid_count(leaf, subleaf, &a, &b, &c, &d) == 0) continue;
        if (leaf == 1) b = 0;  // the number of the core
        text += fmt::format("{:x}:{:x},{:x},{:x},{:x} ", leaf, a, b, c, d);
    }
#else
    text = fmt::format("{:x},{:x}", getauxval(AT_HWCAP), getauxval(AT_HWCAP2));
    text += readFile("/sys/devices/system/cpu/cpu0/regs/identification/midr_el1").value_or("");
#endif
    return text;
}

/// The words that say what code is for.
std::vector<std::string> flagsOf(const Installation& installation, const CompileOptions& options) {
    std::vector<std::string> flags;
    if (options.march != "generic") flags.push_back("-march=" + options.march);
    std::istringstream built(installation.cxxFlags);
    for (std::string word; built >> word;)
        flags.push_back(word);
    for (const std::string& word : options.cxxFlags)
        if (word.starts_with("-m")) flags.push_back(word);
    return flags;
}

}  // namespace

std::string processorFor(const Toolchain& toolchain, const Installation& installation,
                         const CompileOptions& options, const Cache& cache) {
    const std::vector<std::string> flags = flagsOf(installation, options);
    const char* path = std::getenv("PATH");  // where wrappers look for the compiler
    const std::string request =
        longHash(json{toolchain.identity, flags, machine(), path ? path : ""}.dump(
            -1, ' ', false, json::error_handler_t::replace));
    std::string known;
    const auto fits = [&](const CacheEntry& entry) {
        known = json::parse(entry.about).at("hash").get<std::string>();
        return true;
    };
    if (cache.find(kProcessor, request, fits)) return known;
    std::vector<std::string> words = compilerWords(toolchain);
    words.insert(words.end(), flags.begin(), flags.end());
    words.insert(words.end(), {"-dM", "-E", "-x", "c++", "/dev/null"});
    const ProcessResult result = runProcessApart(words, kMostMacros);
    if (!result.started || result.status != 0) return "none";
    const std::string hash = longHash(result.output);
    cache.keep(kProcessor, request, {}, {{"hash", hash}}, {});
    return hash;
}

}  // namespace smec::driver
