// The rings of C++SME's benchmarks: ROUNDS divisions a process and cycle (0: none), with UNEVEN a
// quarter as many in the second half. Arguments: cycles, threads, m1 or m2. Output as of the
// programs in designs/.
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "cppsme.hpp"

#ifndef ROUNDS
#define ROUNDS 0
#endif
#ifndef UNEVEN
#define UNEVEN 0
#endif
#ifdef EACH
#define N (THREADS * EACH)
#endif

namespace {

class Divide : public cppsme::Process {
public:
    Divide(const cppsme::Bus& in, cppsme::Bus& out, long rounds)
        : in_(in), out_(out), rounds_(rounds) {}

    void step() override {
        const auto x = static_cast<unsigned>(in_.read());
        if (rounds_ > 0) {
            double t = 533.63556434 + (x & 1);
            for (long i = 0; i < rounds_; ++i)
                t /= 3.0;
            rest_ = t;
        }
        out_.write(static_cast<int>(x + 1));
    }

    double rest() const { return rest_; }

private:
    const cppsme::Bus& in_;
    cppsme::Bus& out_;
    long rounds_;
    double rest_ = 0;
};

}  // namespace

int main(int argc, char** argv) {
    if (argc != 4) return 2;
    const auto model =
        std::strcmp(argv[3], "m1") == 0 ? cppsme::Model::AtomicQueue : cppsme::Model::StaticQueues;
    cppsme::Network network;
    std::vector<cppsme::Bus*> bus;
    std::vector<Divide*> process;
    for (long i = 0; i < N; ++i)
        bus.push_back(&network.addBus(i == 0 ? 12345 : 0));
    for (long i = 0; i < N; ++i) {
        const long rounds = UNEVEN && i >= N / 2 ? ROUNDS / 4 : ROUNDS;
        process.push_back(&network.add<Divide>(*bus[i == 0 ? N - 1 : i - 1], *bus[i], rounds));
    }

    std::printf("seconds %.9f\n", network.run(std::strtoull(argv[1], nullptr, 10),
                                              static_cast<unsigned>(std::atoi(argv[2])), model));
    for (const long i : {0, 50, N - 1})
        std::printf("result %u\n", static_cast<unsigned>(bus[i]->read()));
    if (ROUNDS > 0) {
        char text[64];
        *std::to_chars(text, text + sizeof text - 1, process[N / 2]->rest()).ptr = 0;
        std::printf("result %s\n", text);
    }
}
