#include "compile.h"
#include "support/sanitizers.h"

#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include <catch2/catch.hpp>

#include <sys/wait.h>

namespace smec::test {
namespace {

std::string compiler() {
    const char* named = std::getenv("CXX");
    return std::string(named != nullptr ? named : "g++")
           + " -std=c++20 -ffp-contract=off -I" SMEC_SOURCE_DIR
             "/contract/include -I" SMEC_SOURCE_DIR "/runtime/include -I. ";
}

}  // namespace

Outcome shell(const std::string& command) {
    Outcome outcome;
    FILE* pipe = popen((command + " 2>&1").c_str(), "r");
    REQUIRE(pipe != nullptr);
    std::array<char, 4096> buffer{};
    while (const std::size_t size = std::fread(buffer.data(), 1, buffer.size(), pipe))
        outcome.output.append(buffer.data(), size);
    const int status = pclose(pipe);
    outcome.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128;
    return outcome;
}

void contains(const std::string& text, const std::string& part) {
    INFO(text);
    INFO(part);
    CHECK(text.find(part) != std::string::npos);
}

Build::Build(const ir::Design& design, const plan::Options& options,
             const codegen::cpp::Options& cpp)
    : Build(plan::build(design, options), design, cpp) {}

Build::Build(plan::Plan plan, const ir::Design& design, const codegen::cpp::Options& cpp)
    : plan_(std::move(plan)) {
    std::string pattern = (std::filesystem::temp_directory_path() / "smec-codegen-XXXXXX").string();
    REQUIRE(mkdtemp(pattern.data()) != nullptr);
    folder_ = pattern;
    bundle_ = codegen::cpp::generate(design, plan_, plan::factsOf(design), SourceManager(), cpp);
    for (const auto& [name, text] : bundle_.files)
        std::ofstream(folder_ + "/" + name, std::ios::binary) << text;
}

Build::~Build() {
    if (std::getenv("SMEC_KEEP") == nullptr) std::filesystem::remove_all(folder_);
}

std::string Build::units() const {
    std::string text;
    for (const plan::TranslationUnit& unit : plan_.units)
        text += bundle_.files.at(unit.name + ".cpp");
    return text;
}

Outcome Build::compile(const std::string& flags) {
    std::string sources;
    for (const std::string& name : bundle_.translationUnits) {
        if (name != "design.cpp") sources += " " + name;
    }
    return shell("cd " + folder_ + " && " + compiler() + flags + " -c" + sources);
}

/// With sanitizers it is the generator that is looked at: what it wrote is run as it is, and optimised by
/// the tests without, whose flags are these.
constexpr const char* levelOfRuns() {
#ifdef SMEC_ADDRESS_SANITIZER
    return " -O0";
#else
    return "";
#endif
}

Outcome Build::run(const std::string& harness, const std::string& arguments,
                   const std::string& flags) {
    std::string sources;
    for (const std::string& name : bundle_.translationUnits)
        sources += " " + name;
    const Outcome built =
        shell("cd " + folder_ + " && " + compiler() + flags + levelOfRuns()
              + " -I" SMEC_SOURCE_DIR "/tests/codegen/harness -o sim" + sources
              + " " SMEC_SOURCE_DIR "/tests/codegen/harness/" + harness + " " SME_MODEL_LIBRARY);
    if (built.status != 0) return built;
    return shell("cd " + folder_ + " && ./sim " + arguments);
}

}  // namespace smec::test
