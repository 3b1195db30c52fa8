#include "driver/verilog/import_command.h"

#include <cctype>
#include <cstdio>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "ast/print.h"
#include "driver/compile/compile_arguments.h"
#include "driver/system/ended.h"
#include "driver/system/exit_status.h"
#include "driver/verilog/yosys.h"
#include "rtl/import.h"
#include "source/output_file.h"
#include "syntax/format.h"

namespace smec::driver {
namespace {

bool isWord(std::string_view text) {
    if (text.empty()) return false;
    for (const char c : text) {
        if (std::isalnum(static_cast<unsigned char>(c)) == 0 && c != '_' && c != '$') return false;
    }
    return true;
}

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
        app.add_option("--include", input_.includeFolders, "a folder for `include")
            ->type_name("FOLDER")
            ->expected(1)
            ->take_all();
        app.add_option("--define", input_.defines, "define a macro")
            ->type_name("NAME[=VALUE]")
            ->expected(1)
            ->take_all();
        app.add_option("--parameter", input_.parameters, "set a parameter of the top module")
            ->type_name("NAME=VALUE")
            ->expected(1)
            ->take_all();
        declareRendering(app, rendering_);
    }

    std::string finish(const CLI::App&) override {
        finishRendering(rendering_);
        if (!input_.top.empty() && !isWord(input_.top))
            return fmt::format("--top takes the name of a module, not '{}'", input_.top);
        for (const std::string& define : input_.defines) {
            if (!isWord(define.substr(0, define.find('='))))
                return fmt::format("--define takes NAME or NAME=VALUE, not '{}'", define);
        }
        for (const std::string& parameter : input_.parameters) {
            const std::size_t equals = parameter.find('=');
            if (equals == std::string::npos || !isWord(parameter.substr(0, equals)))
                return fmt::format("--parameter takes NAME=VALUE, not '{}'", parameter);
        }
        return {};
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
        Diagnostics diagnostics;
        const std::optional<std::string> text = translate(sources, diagnostics);
        fmt::print(stderr, "{}", render(diagnostics, sources, rendering_));
        if (!text) return exit_status::kSource;
        if (output_.empty() || output_ == "-") {
            fmt::print("{}", *text);
        } else {
            InputFiles inputs;
            for (const std::string& file : input_.files)
                inputs.add(file);
            writeOutput(output_, *text, inputs);
        }
        return exit_status::kGood;
    }

    std::optional<std::string> translate(SourceManager& sources, Diagnostics& diagnostics) const {
        std::optional<Elaborated> made = elaborateVerilog(input_, sources, diagnostics);
        if (!made) return std::nullopt;
        const std::string top = made->top.empty() ? input_.top : made->top;
        if (top.empty()) {
            diagnostics.report(DiagId::ImportNoTop, {});
            return std::nullopt;
        }
        const std::optional<ast::Module> module =
            rtl::import(std::move(made->design), top, sources, diagnostics);
        if (!module) return std::nullopt;
        const FileId printed = sources.add("import.sme", ast::print(*module));
        return syntax::format(sources, printed, diagnostics);
    }

    VerilogInput input_;
    std::string output_;
    RenderOptions rendering_;
};

}  // namespace

std::unique_ptr<Command> makeImportCommand() { return std::make_unique<ImportCommand>(); }

}  // namespace smec::driver
