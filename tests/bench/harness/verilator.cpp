// Drives `clk` of a design that Verilator translated with --prefix Vtop. -DDUMP=CLASS, from the
// header DUMP_HEADER: everything is traced to the file named second.
#include "Vtop.h"
#include "clocked.hpp"
#include "verilated.h"
#ifdef DUMP
#include DUMP_HEADER
#endif

int main(int argc, char** argv) {
    VerilatedContext context;
    Vtop top(&context);
#ifdef DUMP
    DUMP waves;
    if (argc > 2) {
        context.traceEverOn(true);
        top.trace(&waves, 99);
        waves.open(argv[2]);
    }
    const auto dump = [&] {
        context.timeInc(1);
        if (waves.isOpen()) waves.dump(context.time());
    };
#else
    const auto dump = [] {};
#endif
    top.clk = 0;
    top.eval();
    timed(argc, argv, [&] {
        top.clk = 1;
        top.eval();
        dump();
        top.clk = 0;
        top.eval();
    });
#define RESULT(name) printResult(top.name);
#include "results.inc"
    top.final();
}
