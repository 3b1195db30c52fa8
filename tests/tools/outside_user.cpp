// outside.py's program: a simulation whose foreign code counts its calls, gone back in.
//
//     user MODE MODEL THREADS SNAPSHOTS      prints the values of each cycle, or "good"; says on
//                                            standard error what is wrong

#include <sme/simulation.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <string>
#include <vector>

#include "asks.h"
#include "world.h"

namespace {

void check(bool condition, const std::string& what) {
    if (!condition) std::fprintf(stderr, "not so: %s\n", what.c_str());
}

class Simulation {
public:
    Simulation(const sme_library* library, const std::vector<sme_option>& options)
        : table(*library->table) {
        char why[200] = "";
        table.create(library->model, options.data(), options.size(), nullptr, &it, why, sizeof why);
        check(it != nullptr, why);
        if (!it) std::exit(1);
    }
    ~Simulation() { table.destroy(it); }
    Simulation(const Simulation&) = delete;
    Simulation& operator=(const Simulation&) = delete;

    template <typename T>
    T get(const std::string& path) {
        T value{};
        good(table.get_path(it, path.c_str(), &value, sizeof value), path);
        return value;
    }
    void set(std::uint8_t value) { good(table.set_path(it, "q.v", &value, sizeof value), "set"); }
    void step(std::uint64_t cycles) { good(table.step(it, cycles, nullptr), "step"); }
    void goTo(std::uint64_t cycle) { good(table.go_to(it, cycle), "go_to"); }
    std::uint64_t cycle() { return table.cycle(it); }
    void good(sme_status status, const std::string& what) {
        check(status == SME_OK, what + ": " + table.message(it));
    }
    void refused(sme_status status, const std::string& why) {
        check(status == SME_BAD_USE && table.message(it) == why,
              why + ", but: " + std::to_string(status) + " " + table.message(it));
    }
    std::string values() {
        std::string text;
        for (int i = 0; i < 6; ++i)
            text += std::to_string(get<std::uint32_t>("t[" + std::to_string(i) + "].n")) + " "
                    + std::to_string(get<std::uint64_t>("t[" + std::to_string(i) + "].sum")) + " ";
        for (int i = 0; i < 3; ++i) {
            const std::string dial = "d[" + std::to_string(i) + "]";
            text += std::to_string(get<std::uint32_t>(dial + ".n")) + " "
                    + std::to_string(get<std::uint8_t>(dial + ".twice[0]")) + " "
                    + std::to_string(get<std::uint8_t>(dial + ".twice[1]")) + " ";
        }
        return text + std::to_string(table.checksum(it));
    }

    const sme_simulation_table& table;
    sme_simulation* it = nullptr;
};

/// Values by cycle; those of a cycle are the same whenever it runs.
class Values {
public:
    void stepTo(Simulation& s, std::uint64_t until) {
        while (s.cycle() < until) {
            s.step(1);
            note(s);
        }
    }
    void note(Simulation& s) {
        const auto [before, isNew] = values_.emplace(s.cycle(), s.values());
        check(isNew || before->second == s.values(),
              "cycle " + std::to_string(s.cycle()) + " again");
    }
    void print() const {
        for (const auto& [cycle, text] : values_)
            std::printf("%d: %s\n", static_cast<int>(cycle), text.c_str());
    }

private:
    std::map<std::uint64_t, std::string> values_;
};

void run(Simulation& s, bool goesBack) {
    Values values;
    s.set(7);
    values.stepTo(s, 30);
    s.set(9);
    values.stepTo(s, 100);
    if (goesBack) {
        for (const std::uint64_t cycle : {40u, 99u, 1u, 0u, 30u}) {
            s.goTo(cycle);
            if (cycle != 0 && cycle != 30) values.note(s);
            values.stepTo(s, cycle == 40 ? 101 : cycle + 3);
            s.goTo(cycle);
            values.stepTo(s, cycle + 2);
        }
        s.goTo(100);
    }
    values.stepTo(s, 120);
    values.print();
}

/// Something else is set in the past: from there on calls are made, of a world that has gone on.
void anew(Simulation& s) {
    s.step(100);
    s.goTo(40);
    s.set(3);
    s.step(1);
    // 100 cycles, 34 of them with two calls
    check(s.get<std::uint32_t>("t[4].n") == 100 + 50 + 1, "it calls on");
    check(s.get<std::uint32_t>("d[0].n") == 101, "so does the object");
    s.step(9);
    const std::string there = s.values();
    s.goTo(45);
    check(s.get<std::uint32_t>("d[0].n") == 105, "the new past is remembered");
    s.goTo(50);
    check(s.values() == there, "and given again");
    s.good(s.table.reset(s.it), "reset");
    s.step(1);
    check(s.get<std::uint32_t>("d[0].n") == 1, "a reset makes new objects");
}

/// A state has no such objects: the run's own go on. A file holds none.
void states(Simulation& s, Simulation& other) {
    s.step(40);
    sme_snapshot* state = nullptr;
    s.good(s.table.snapshot(s.it, &state), "snapshot");
    s.step(20);
    s.good(s.table.restore(s.it, state), "restore");
    check(s.get<std::uint32_t>("d[0].n") == 40, "the state");
    s.step(1);
    check(s.get<std::uint32_t>("d[0].n") == 61, "the object goes on");
    s.step(9);
    const std::string there = s.values();
    s.goTo(43);
    s.goTo(50);
    check(s.values() == there, "back after restore");
    s.goTo(39);
    s.goTo(50);
    check(s.values() == there, "back beyond it");
    other.good(other.table.restore(other.it, state), "restore elsewhere");
    other.step(2);
    other.refused(other.table.go_to(other.it, 39),
                  "nothing is known of what was before cycle 40, from whose state the run went on");
    check(other.get<std::uint32_t>("d[0].n") == 2, "another run has another object");
    std::size_t size = 0;
    s.refused(s.table.save(s.it, state, nullptr, &size),
              "the state has objects of the extern process 'dial', whose class has no save() and "
              "load()");
    s.table.forget(state);
}

void evaluate(Simulation& s, Simulation& asking) {
    s.step(10);
    s.set(41);
    s.good(s.table.eval(s.it), "eval");
    check(s.get<std::uint8_t>("s.v") == 42, "what is combinational");
    s.step(1);
    check(s.get<std::uint32_t>("d[0].n") == 11 && s.get<std::uint32_t>("t[4].n") == 16,
          "eval called nothing");
    asking.step(3);
    asking.refused(asking.table.eval(asking.it),
                   "what is combinational is not known between two cycles: a process calls the "
                   "'extern serial' function 'ticks', which only cycles do");
    asking.step(1);
    asking.goTo(2);
}

/// The log has an end, and then nobody goes back.
void fill(Simulation& s) {
    s.step(15000);
    s.refused(s.table.go_to(s.it, 3),
              "what foreign code gave, which cannot be called twice, was more than 1 MiB; "
              "\"snapshots\" says how much is kept");
    s.good(s.table.reset(s.it), "reset");
    s.step(10);
    s.goTo(3);
}

}  // namespace

int main(int, char** argv) {
    const std::string mode = argv[1];
    const std::string states64 = mode == "full" ? "1" : argv[4];
    const std::vector<sme_option> options = {{"model", argv[2]},
                                             {"threads", argv[3]},
                                             {"oversubscribe", nullptr},
                                             {"snapshots", states64.c_str()},
                                             {"snapshot-time", "100"}};
    Simulation s(sme_library_of_world(SME_SIMULATION_VERSION), options);
    if (mode == "straight" || mode == "back") {
        run(s, mode == "back");
        return 0;
    }
    if (mode == "anew") anew(s);
    if (mode == "full") fill(s);
    if (mode == "states" || mode == "eval") {
        Simulation other(mode == "eval" ? sme_library_of_asks(SME_SIMULATION_VERSION)
                                        : sme_library_of_world(SME_SIMULATION_VERSION),
                         options);
        mode == "eval" ? evaluate(s, other) : states(s, other);
    }
    std::printf("good\n");
    return 0;
}
