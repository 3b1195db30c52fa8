#include "driver/verify/verify_command.h"

#include <array>
#include <string_view>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "driver/compile/compile_arguments.h"
#include "driver/compile/plan_lists.h"
#include "driver/compile/run_options.h"
#include "driver/hardware/hardware.h"
#include "driver/verify/formal_command.h"
#include "driver/verify/options.h"
#include "driver/verify/target.h"
#include "driver/verify/verifier.h"
#include "driver/verify/verify.h"
#include "source/output_file.h"

namespace smec::driver {
namespace {

constexpr std::array<std::string_view, 5> kOwnVerifyOptions{"--threads", "--cycles", "--input",
                                                            "--timeout", "--report"};

class VerifyCommand final : public Command {
public:
    const char* name() const override { return "verify"; }
    const char* help() const override {
        return "compare all simulators of a design with the interpreter, or prove it equal to "
               "another; options of the simulator may follow";
    }
    RunArguments* runArguments() override { return &passedOn_; }

    void declare(CLI::App& app) override {
        arguments_.declare(app);
        removeStages(app);
        app.get_option("-o")->description("folder for all that is made (default: none is kept)");
        app.get_option("-j")->description("engines and C++ compilations at once");
        declareComparison(app);
        declareProof(app);
        declareHardware(app, request_.hardware);
    }

    CompileArguments* compileArguments() override { return &arguments_; }
    std::string finish(const CLI::App& app) override {
        if (std::string problem = arguments_.finish(); !problem.empty()) return problem;
        const std::string refused = passedOn_.refused();
        if (refused == "--model") return "smec verify takes --models with a list, not --model";
        if (!refused.empty()) return passedOn_.problemOfRefused(name());
        const std::string& input = request_.hardware.input;
        const std::string stream = input == "-" || isStream(input) ? input : passedOn_.stream();
        if (!stream.empty())
            return fmt::format("smec verify runs the design several times; give a file, not '{}'",
                               stream);
        VerifyOptions& o = request_.verify;
        for (std::string problem :
             {problemOfStream(arguments_.options), parseThreadList(threads_, o.threads),
              parseModelList(models_, o.models), parseEngineList(tools_, o.tools),
              finishFormal(app)})
            if (!problem.empty()) return problem;
        request_.runArguments = passedOn_.words;
        return {};
    }

    int execute() override {
        request_.compile = arguments_.options;
        return request_.verify.formal.empty() ? compareAll(request_) : verifyFormal(request_);
    }

private:
    void declareComparison(CLI::App& app) {
        app.add_option("--cycles", request_.hardware.cycles,
                       "cycles to compare (default: until the design stops or --input ends, at "
                       "most 10,000); "
                       "with --formal those after the reset that are searched (default: 20)")
            ->type_name("N")
            ->check(CLI::PositiveNumber)
            ->group("Comparison");
        app.add_option("--input", request_.hardware.input,
                       "drive the exposed inputs from a CSV file")
            ->type_name("FILE")
            ->group("Comparison");
        app.add_option("--engines", tools_,
                       "what to compare with the interpreter (default: cpp,icarus,verilator,ghdl)")
            ->type_name("LIST")
            ->group("Comparison");
        app.add_option("--models", models_, "models of the C++ simulator (default: m1,m2,m3)")
            ->type_name("LIST")
            ->group("Comparison");
        app.add_option("--threads", threads_, "numbers of threads (default: 1,2,4)")
            ->type_name("LIST")
            ->group("Comparison");
        app.add_option("--timeout", request_.verify.seconds,
                       "end an engine after this time (default: 600)")
            ->type_name("SECONDS")
            ->check(CLI::Range(1U, 1'000'000U))
            ->group("Comparison");
        app.add_option_function<std::string>(
               "--report",
               [this](const std::string& form) { request_.verify.json = form == "json"; },
               "form of the result: text or json")
            ->type_name("FORM")
            ->check(CLI::IsMember({"text", "json"}))
            ->group("Comparison");
    }

    void declareProof(CLI::App& app) {
        app.add_option(
               "--formal", request_.verify.formal,
               "prove equal to another revision (.sme) or to a Verilog module (.v, .sv) by Yosys")
            ->type_name("FILE")
            ->group("Proof");
        app.add_option("--process", request_.verify.process,
                       "the process to prove (default: the whole design)")
            ->type_name("NAME")
            ->group("Proof");
        app.add_option("--reference-module", request_.verify.referenceModule,
                       "the module of FILE (default: the only one, or that of the same name)")
            ->type_name("NAME")
            ->group("Proof");
    }

    std::string finishFormal(const CLI::App& app) {
        if (request_.verify.formal.empty()) {
            for (const char* name : {"--process", "--reference-module"})
                if (app.count(name) != 0) return fmt::format("{} is for --formal", name);
            return {};
        }
        for (const char* name : {"--input", "--engines", "--models", "--threads"})
            if (app.count(name) != 0) return fmt::format("--formal does not take {}", name);
        if (!passedOn_.words.empty())
            return fmt::format("--formal does not take {}", passedOn_.words[0]);
        if (app.count("--cycles") == 0) request_.hardware.cycles = target::kFormalCycles;
        return {};
    }

    CompileArguments arguments_;
    VerifyRequest request_;
    RunArguments passedOn_{.taker = sme::TakenBy::Verify, .own = kOwnVerifyOptions};
    std::string threads_;
    std::string models_ = "m1,m2,m3";
    std::string tools_;
};

}  // namespace

std::unique_ptr<Command> makeVerifyCommand() { return std::make_unique<VerifyCommand>(); }

}  // namespace smec::driver
