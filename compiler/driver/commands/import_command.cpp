#include "driver/commands/import_command.h"

#include <cstdio>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "driver/compile/compile_arguments.h"
#include "driver/system/ended.h"
#include "driver/system/exit_status.h"
#include "driver/verilog/library_files.h"
#include "driver/verilog/translate.h"
#include "source/output_file.h"

namespace smec::driver {
namespace {

class ImportCommand final : public Command {
public:
    const char* name() const override { return "import"; }
    const char* help() const override { return "write Verilog as .sme; needs Yosys"; }

    void declare(CLI::App& app) override {
        app.add_option("FILE", input_.files, "Verilog files; SystemVerilog where they end in .sv")
            ->type_name("")
            ->required()
            ->expected(1, -1);
        app.add_option("--top", input_.top,
                       "the module to import with all that it instantiates (default: the one that "
                       "nobody instantiates)")
            ->type_name("NAME");
        app.add_option("-o,--output", output_, "the file to write (default: standard output)")
            ->type_name("FILE");
        declareVerilog(app, input_, true);
        declareWarnings(app, warningWords_);
        declareRendering(app, rendering_);
    }

    std::string finish(const CLI::App&) override {
        finishRendering(rendering_);
        addLibraryFiles(input_);
        const std::string problem = applyWarnings(warningWords_, warnings_);
        return problem.empty() ? problemOfVerilog(input_) : problem;
    }

    int execute() override {
        try {
            return import();
        } catch (const Ended& ended) {
            return ended.status;
        }
    }

private:
    int import() const {
        SourceManager sources;
        Diagnostics diagnostics(warnings_);
        const auto made = translateVerilog(input_, sources, diagnostics);
        fmt::print(stderr, "{}", render(diagnostics, sources, rendering_));
        if (!made) return exit_status::kSource;
        if (output_.empty() || output_ == "-") {
            fmt::print("{}", made->text);
        } else {
            InputFiles inputs;
            for (const std::string& file : input_.files)
                inputs.add(file);
            writeOutput(output_, made->text, inputs);
        }
        return exit_status::kGood;
    }

    VerilogInput input_;
    std::string output_;
    std::vector<std::string> warningWords_;
    WarningOptions warnings_;
    RenderOptions rendering_;
};

}  // namespace

std::unique_ptr<Command> makeImportCommand() { return std::make_unique<ImportCommand>(); }

}  // namespace smec::driver
