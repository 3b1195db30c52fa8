#include "driver/diff/diff_command.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "driver/diff/diff_text.h"
#include "driver/diff/diff_traces.h"
#include "driver/system/exit_status.h"
#include "sme/options.h"

namespace smec::driver {
namespace {

class DiffCommand final : public Command {
public:
    const char* name() const override { return "diff"; }
    const char* help() const override {
        return "compare two traces (.csv, .vcd, .fst in any mix); status 1 where they differ";
    }
    void declare(CLI::App& app) override {
        app.add_option("A", left_, "a trace")->type_name("")->required();
        app.add_option("B", right_, "another trace of the same signals")->type_name("")->required();
        app.add_option("--clock-period", period_, "of .vcd and .fst: time of a cycle; default 10")
            ->type_name("NS")
            ->check(CLI::Range(std::uint64_t{1}, sme::kLongestPeriod));
        app.add_option("--limit", most_, "list so many signals; default 20")->type_name("N");
    }
    std::string finish(const CLI::App&) override { return {}; }
    int execute() override {
        try {
            const auto left = openTrace(left_, period_);
            const auto right = openTrace(right_, period_);
            const TraceDifference difference = diffTraces(*left, *right);
            fmt::print("{}", toText(difference, left_, right_, most_));
            return difference.isSame() ? exit_status::kGood : exit_status::kSource;
        } catch (const BadTrace& bad) {
            fmt::print(stderr, "{}\n", bad.what());
            return exit_status::kUsage;
        }
    }

private:
    std::string left_, right_;
    std::uint64_t period_ = 10;
    std::size_t most_ = 20;
};

}  // namespace

std::unique_ptr<Command> makeDiffCommand() { return std::make_unique<DiffCommand>(); }

}  // namespace smec::driver
