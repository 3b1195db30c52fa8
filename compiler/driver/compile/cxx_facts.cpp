#include "driver/compile/cxx_facts.h"

#include <algorithm>
#include <cstdlib>
#include <optional>

#include <nlohmann/json.hpp>

#include "driver/cache/cache.h"
#include "driver/compile/build.h"
#include "driver/system/process.h"

namespace smec::driver {
using nlohmann::json;

namespace {

constexpr const char* kCxx = "cxx";

/// All that build.cpp gives to compilers of one kind.
const std::vector<std::string> kOfClang = {"-fno-vectorize", "-fno-slp-vectorize"};
const std::vector<std::string> kOfGcc = {
    "-frounding-math",     "-ftree-vectorize",         "-fvect-cost-model=dynamic",
    "-fno-tree-vectorize", "-fno-tree-slp-vectorize",  "-fno-thread-jumps",
    "-fno-tree-pre",       "-fno-tree-dominator-opts", "-fno-gnu-unique"};

class Questions {
public:
    explicit Questions(const Toolchain& toolchain) : toolchain_(toolchain) {}

    CxxFacts ask() {
        ProcessResult macros = run({"-dM", "-E"});
        if (!isGood(macros)) {
            facts_.subcommand = "c++";
            macros = run({"-dM", "-E"});
            if (!isGood(macros)) return {};
        }
        facts_.isClang = numberOf("__clang__", macros.output).has_value();
        facts_.unusable =
            whyUnusable(facts_.isClang ? Version{numberOf("__clang_major__", macros.output), 12}
                                       : Version{numberOf("__GNUC__", macros.output), 11});
        const std::vector<std::string>& flags = facts_.isClang ? kOfClang : kOfGcc;
        if (!takes(flags))
            std::ranges::copy_if(flags, std::back_inserter(facts_.refused),
                                 [&](const std::string& flag) { return !takes({flag}); });
        if (!toolchain_.linker.empty() && !takesLinker())
            facts_.refused.push_back("-fuse-ld=" + toolchain_.linker);
        return facts_;
    }

private:
    static bool isGood(const ProcessResult& result) { return result.started && result.status == 0; }

    static std::optional<int> numberOf(const std::string& macro, const std::string& macros) {
        const std::string start = "#define " + macro + " ";
        const std::size_t at = macros.find(start);
        if (at == std::string::npos) return std::nullopt;
        return std::atoi(macros.c_str() + at + start.size());
    }

    struct Version {
        std::optional<int> found;
        int least;
    };

    static std::string whyUnusable(const Version& version) {
        if (!version.found) return "is none: it has none of the macros of g++ and clang";
        if (*version.found >= version.least) return "";
        return "is too old; g++ 11, clang 12, or newer ones know what generated C++ uses";
    }

    ProcessResult run(std::vector<std::string> flags) const {
        std::vector<std::string> words{toolchain_.cxx};
        if (!facts_.subcommand.empty()) words.push_back(facts_.subcommand);
        words.insert(words.end(), flags.begin(), flags.end());
        words.insert(words.end(), {"-x", "c++", "/dev/null"});
        return runProcessApart(words, kMostMacros);
    }
    bool takes(std::vector<std::string> flags) const {
        flags.insert(flags.end(), {"-Werror", "-E"});
        return isGood(run(std::move(flags)));
    }
    /// Says what it would do, and does nothing. Zig has a linker of its own.
    bool takesLinker() const {
        return facts_.subcommand.empty()
               && isGood(run({"-fuse-ld=" + toolchain_.linker, "-shared", "-###"}));
    }

    const Toolchain& toolchain_;
    CxxFacts facts_;
};

json asJson(const CxxFacts& facts) {
    return {{"clang", facts.isClang},
            {"unusable", facts.unusable},
            {"subcommand", facts.subcommand},
            {"refused", facts.refused}};
}

/// Of an entry's note. Throws where that has another form.
CxxFacts factsOf(const CacheEntry& entry) {
    const json about = json::parse(entry.about);
    return {about.at("clang").get<bool>(), about.at("unusable").get<std::string>(),
            about.at("subcommand").get<std::string>(),
            about.at("refused").get<std::vector<std::string>>()};
}

}  // namespace

bool CxxFacts::takes(std::string_view flag) const { return !std::ranges::count(refused, flag); }

CxxFacts askCompiler(const Toolchain& toolchain, const Cache& cache) {
    const char* path = std::getenv("PATH");  // where wrappers look for the compiler
    json key{toolchain.identity, kOfClang, kOfGcc, path ? path : ""};
    const std::string request = longHash(key.dump(-1, ' ', false, json::error_handler_t::replace));
    CxxFacts facts;
    const auto fits = [&](const CacheEntry& entry) {
        facts = factsOf(entry);
        return true;
    };
    if (cache.find(kCxx, request, fits)) return facts;
    facts = Questions(toolchain).ask();
    cache.keep(kCxx, request, {}, asJson(facts), {});
    return facts;
}

}  // namespace smec::driver
