// Two sizes of one design in one program.
#include <cstdio>

#include "large.hpp"
#include "small.hpp"

int main() {
    sme_small::Simulation a;
    sme_large::Simulation b;
    a.step(10);
    b.step(10);
    a.dut.link[1].v = 7;
    std::printf("%zu %zu\n", a.dut.link.size(), b.dut.link.size());
    std::printf("%u\n", static_cast<unsigned>(a.dut.at[2].seen));
    return a.dut.link[1].v == 7 ? 0 : 1;
}
