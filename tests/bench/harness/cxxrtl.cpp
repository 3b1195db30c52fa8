// Drives `clk` of a design that yosys translated to top.cc, with its top module renamed to bench.
#include "top.cc"

#include "clocked.hpp"

namespace {

template <std::size_t Bits>
std::uint64_t numberOf(const cxxrtl::value<Bits>& value) {
    static_assert(Bits <= 64);
    std::uint64_t number = 0;
    for (std::size_t k = 0; k < value.chunks; ++k)
        number |= std::uint64_t{value.data[k]} << 32 * k;
    return number;
}

template <std::size_t Bits>
std::uint64_t numberOf(const cxxrtl::wire<Bits>& wire) {
    return numberOf(wire.curr);
}

}  // namespace

int main(int argc, char** argv) {
    cxxrtl_design::p_bench top;
    top.p_clk.set<bool>(false);
    top.step();
    timed(argc, argv, [&] {
        top.p_clk.set<bool>(true);
        top.step();
        top.p_clk.set<bool>(false);
        top.step();
    });
#define RESULT(name) printResult(numberOf(top.p_##name));
#include "results.inc"
}
