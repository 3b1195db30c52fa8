// Takes the place of sme::run() in a simulator: keeps the state in the middle of a run under each
// plan, goes on from it under each other one, and says where the end differs from that of one run.

#include <sme/model.h>

#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "engine/state_bytes.h"
#include "run/run.h"
#include "trace/checksum.h"

namespace sme {
namespace {

struct Plan {
    ModelKind model;
    unsigned threads;
};
constexpr Plan kPlans[] = {{ModelKind::Static, 1},
                           {ModelKind::WorkList, 2},
                           {ModelKind::Static, 2},
                           {ModelKind::Stealing, 3}};

struct Part {
    explicit Part(const Model& model, const Plan& plan)
        : run(model, optionsOf(plan), {out, err, {}}) {}
    static RunOptions optionsOf(const Plan& plan) {
        RunOptions options;
        options.scheduling.model = plan.model;
        options.threads = plan.threads;
        options.oversubscribe = true;
        return options;
    }
    StringSink out;
    StringSink err;
    Run run;
};

}  // namespace

/// Arguments: cycles in all. Prints what differs.
int probe(const Model& model, int, char** argv) {
    Part whole(model, kPlans[0]);
    whole.run.advance(std::strtoull(argv[1], nullptr, 10));
    const std::uint64_t end = whole.run.cycle();
    const std::uint64_t wanted = checksum(whole.run.engine());
    int differences = 0;
    for (const Plan& first : kPlans) {
        Part half(model, first);
        half.run.advance(end / 2);
        const std::vector<std::byte> bytes = toBytes(model, half.run.snapshot());
        for (const Plan& second : kPlans) {
            Part rest(model, second);
            rest.run.restore(fromBytes(model, bytes));
            rest.run.advance(end);
            const bool isSame = checksum(rest.run.engine()) == wanted
                                && half.out.text + rest.out.text == whole.out.text
                                && rest.err.text == whole.err.text;
            if (isSame) continue;
            ++differences;
            std::printf("%s: kept under m%d with %u threads, gone on under m%d with %u\n",
                        model.name, static_cast<int>(first.model) + 1, first.threads,
                        static_cast<int>(second.model) + 1, second.threads);
        }
    }
    std::printf("%s: %llu cycles, %d differences\n", model.name,
                static_cast<unsigned long long>(end), differences);
    return differences == 0 ? 0 : 1;
}

}  // namespace sme
