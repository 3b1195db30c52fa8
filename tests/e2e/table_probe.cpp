// Holds what the table of C functions says of a design compiled against what it says of the same
// design interpreted, call by call; and keeps the state in the middle of a run under each plan and
// goes on from it under each other one. Says what differs.
//
// Arguments: the design's library, its source, cycles in all, folder for traces, then NAME=VALUE of
// each parameter that it was compiled with.

#include <dlfcn.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "driver/compile/compile.h"
#include "driver/interpret/foreign.h"
#include "driver/interpret/state_form.h"
#include "driver/verilog/reader.h"
#include "interp/library.h"
#include "table_pair.h"

using namespace sme::probe;
using smec::interp::InterpretedDesign;

int main(int argc, char** argv) {
    void* library = dlopen(argv[1], RTLD_NOW);
    if (!library) {
        std::printf("%s\n", dlerror());
        return 1;
    }
    void* model = nullptr;
    // the simulator's main(), under another name, with another sme::run()
    using GiveModel = int (*)(int, char**);
    reinterpret_cast<GiveModel>(dlsym(library, "_Z9give_mainiPPc"))(
        0, reinterpret_cast<char**>(&model));
    smec::driver::CompileOptions options;
    const smec::driver::YosysReader reader;
    options.reader = &reader;
    options.files = {argv[2]};
    options.parameters.assign(argv + 5, argv + argc);
    smec::driver::FrontEnd front(options.warnings);
    smec::driver::Stats stats;
    smec::driver::runFrontEnd(front, argv[2], options, false, stats);
    if (!front.design) {
        smec::driver::printDiagnostics(front, options);
        return 1;
    }
    smec::driver::LoadedForeign foreign;
    if (foreign.load(front, options, smec::driver::findInstallation()) != 0) return 1;
    const smec::interp::LazyStateForm states = smec::driver::stateFormOf(front, options.unchecked);
    const InterpretedDesign design{*front.design, front.sources, &foreign.code(),
                                   false,         "smec",        &states};
    const sme_simulation_table& compiled = *sme_compiled_simulations();
    const sme_simulation_table& interpreted = *smec::interp::interpretedSimulations();
    const std::vector<Engine> engines = {
        {"m2 with 1 thread",
         compiled,
         model,
         {{"model", "m2"}, {"threads", "1"}, {"snapshots", "64"}, {"snapshot-time", "100"}}},
        {"m1 with 2 threads",
         compiled,
         model,
         {{"model", "m1"}, {"threads", "2"}, {"oversubscribe", nullptr}}},
        {"m2 with 2 threads", compiled, model, {{"threads", "2"}, {"oversubscribe", nullptr}}},
        {"m3 with 3 threads",
         compiled,
         model,
         {{"model", "m3"}, {"threads", "3"}, {"oversubscribe", nullptr}}},
        {"the interpreter", interpreted, &design, {{"threads", "2"}, {"snapshot-time", "100"}}}};
    const std::uint64_t cycles = std::strtoull(argv[3], nullptr, 10);
    Simulation some(engines.front());
    const std::uint64_t most = 100'000 / (paths(some).size() + 1) + 8;
    compareCalls(engines[0], engines.back(), std::min(most, cycles), argv[4]);
    for (const Engine& engine : engines)
        compareMoments(engine, std::min<std::uint64_t>({most, cycles, 60}));
    // an object that is none of a state does not go on in another run
    if (!std::string(argv[2]).ends_with("uncopied.sme")) {
        compareStates({engines.begin(), engines.end() - 1}, cycles);
        compareStates({engines.front(), engines.back()}, std::min(most, cycles));
    }
    std::printf("%d differences\n", differences);
    return differences == 0 ? 0 : 1;
}
