#include <cerrno>
#include <cstdio>
#include <cstring>

#include <unistd.h>

#include <fmt/format.h>

#include "driver/cli/program.h"
#include "driver/compile/interpreter.h"
#include "driver/compile/run_command.h"
#include "driver/compile/verilog_reader.h"
#include "driver/system/files.h"
#include "driver/system/installation.h"

// `smec run` alone: what it needs builds in a fraction of the time of all commands. It reads no Verilog
// and interprets nothing: where it has to, ./sme takes its place, builds all of smec and begins anew
// with that.

namespace {

using namespace smec;
using namespace smec::driver;

std::vector<std::unique_ptr<Command>> runCommandAlone() {
    std::vector<std::unique_ptr<Command>> commands;
    commands.push_back(makeRunCommand());
    return commands;
}

class WholeSmec final : public VerilogReader, public Interpreter {
public:
    /// `argv`: of this program.
    explicit WholeSmec(char** argv) : argv_(argv) {}

    void addLibraryFiles(VerilogInput&) const override {}  // whoever imports them does that
    std::optional<ImportedFile> import(const VerilogInput&, SourceManager&,
                                       Diagnostics&) const override {
        takePlace();
    }
    void importProcesses(sema::Program&, const hir::Design&, const VerilogInput&, SourceManager&,
                         Diagnostics&) const override {
        takePlace();
    }
    void checkClockedBodies(const hir::Design&, const VerilogInput&, SourceManager&,
                            Diagnostics&) const override {
        takePlace();
    }
    int run(const CompileOptions&, const std::vector<std::string>&,
            const std::string&) const override {
        takePlace();
    }

private:
    [[noreturn]] void takePlace() const {
        std::string script = findInstallation().script.string(), command = "smec";
        std::vector<char*> words{script.data(), command.data()};
        for (char** word = argv_ + 1; *word; ++word)
            words.push_back(*word);
        words.push_back(nullptr);
        std::fflush(nullptr);
        execv(script.c_str(), words.data());
        throw FileError{fmt::format("cannot start '{}': {}", script, std::strerror(errno))};
    }

    char** argv_;
};

}  // namespace

int main(int argc, char** argv) {
    const WholeSmec whole(argv);
    return runProgram(argc, argv, runCommandAlone, whole, whole);
}
