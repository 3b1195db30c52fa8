#include "fuzz/calls.h"

#include <sme/simulation.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "runtime/test_models.h"

namespace smec::test {
namespace {

const sme_simulation_table& table() { return *sme_compiled_simulations(); }

void demand(bool condition, const char* what) {
    if (condition) return;
    std::fprintf(stderr, "\n%s\n", what);
    std::abort();
}

class Bytes {
public:
    explicit Bytes(std::span<const std::uint8_t> bytes) : bytes_(bytes) {}
    bool isEmpty() const { return bytes_.empty(); }
    std::uint8_t next() {
        if (bytes_.empty()) return 0;
        const std::uint8_t byte = bytes_.front();
        bytes_ = bytes_.subspan(1);
        return byte;
    }

private:
    std::span<const std::uint8_t> bytes_;
};

constexpr const char* kPaths[] = {
    "cmd.v",       "cmd.go",   "cmd.keep",      "cmd.light", "cmd.gain",    "cmd.list",
    "cmd.list[1]", "cmd.pair", "cmd.pair.y",    "cmd.digit", "res.sum",     "a.t",
    "src[3].v",    "mix[5].v", "source[0].acc", "no.such",   "cmd.list[9]", ""};

/// What was set before a cycle.
struct Setting {
    std::uint64_t cycle;
    std::string path;
    std::vector<std::uint8_t> value;
};

class Caller {
public:
    Caller(const sme::Model& model, Bytes bytes) : model_(model), bytes_(bytes) {
        static constexpr sme_option kOptions[] = {
            {"snapshots", "1"}, {"snapshots", "off"}, {"threads", "1"}, {"snapshots", "x"}};
        // whatever it takes, so that there are states
        const sme_option options[] = {kOptions[bytes_.next() % 4], {"snapshot-time", "100"}};
        const sme_status status = table().create(&model, options, 2, nullptr, &it_, nullptr, 0);
        demand((status == SME_OK) == (it_ != nullptr), "create has a status and a simulation");
    }
    ~Caller() {
        for (sme_snapshot* state : states_)
            table().forget(state);
        table().destroy(it_);
    }
    Caller(const Caller&) = delete;
    Caller& operator=(const Caller&) = delete;

    void run() {
        while (it_ && !bytes_.isEmpty())
            call(bytes_.next() % 18);
        if (it_) compare();
    }

private:
    void call(unsigned kind) {
        switch (kind) {
        case 0:
        case 1: return moved(table().step(it_, bytes_.next() % 8, nullptr));
        case 2:
        case 3: return set();
        case 4: return moved(table().go_to(it_, bytes_.next() % 64));
        case 5: return reset();
        case 6: return keep();
        case 7: return restore();
        case 8: return block();
        case 9: return get();
        case 10: return evaluate();
        case 11: return reload();
        case 12: return plane();
        case 13: return saveInputs();
        case 14: return until();
        case 15: return lookAround();
        case 16: return trace();
        default: return nonsense();
        }
    }

    std::uint64_t cycle() const { return table().cycle(it_); }
    void moved(sme_status status) {
        demand(status == SME_OK || *table().message(it_) != 0, "a refusal without a message");
        reached_ = std::max(reached_, cycle());
    }
    const char* path() { return kPaths[bytes_.next() % std::size(kPaths)]; }

    std::vector<std::uint8_t> valueFor(const char* path) {
        std::uint32_t handle = 0;
        sme_value shape{};
        if (table().find(it_, path, &handle) != SME_OK
            || table().describe(it_, handle, &shape, sizeof shape) != SME_OK)
            return {};
        std::vector<std::uint8_t> value(shape.bytes);
        demand(table().get(it_, handle, value.data(), value.size()) == SME_OK, "get");
        value[bytes_.next() % value.size()] = bytes_.next();
        return value;
    }
    void forgetFuture() {
        std::erase_if(settings_, [&](const Setting& s) { return s.cycle > cycle(); });
        reached_ = cycle();
    }
    void set() {
        const char* where = path();
        std::vector<std::uint8_t> value = valueFor(where);
        if (table().set_path(it_, where, value.data(), value.size()) != SME_OK) return;
        forgetFuture();
        if (cycle() < baseCycle_) isKnown_ = false;
        settings_.push_back({cycle(), where, std::move(value)});
    }
    void get() {
        std::uint8_t value[16] = {};
        table().get_path(it_, path(), value, bytes_.next() % sizeof value);
        std::uint32_t handle = bytes_.next();
        table().get(it_, handle, value, bytes_.next() % sizeof value);
    }
    void reset() {
        demand(table().reset(it_) == SME_OK && cycle() == 0, "reset");
        settings_.clear();
        base_ = nullptr;
        baseCycle_ = 0;
        isKnown_ = true;
        reached_ = 0;
    }
    void keep() {
        if (states_.size() >= 8) return;
        sme_snapshot* state = nullptr;
        demand(table().snapshot(it_, &state) == SME_OK, "snapshot");
        states_.push_back(state);
    }
    void restore() {
        sme_snapshot* state = states_.empty() ? nullptr : states_[bytes_.next() % states_.size()];
        if (table().restore(it_, state) != SME_OK) return;
        settings_.clear();
        base_ = state;
        baseCycle_ = reached_ = cycle();
        isKnown_ = true;
    }
    void reload() {
        if (states_.empty() || states_.size() >= 8) return;
        std::vector<std::uint8_t> bytes(10'000);
        std::size_t size = bytes.size();
        demand(table().save(it_, states_.back(), bytes.data(), &size) == SME_OK, "save");
        demand(size <= bytes.size(), "a state is small");
        bytes.resize(size);
        const std::uint8_t change = bytes_.next();
        bytes[bytes_.next() * 7u % size] ^= change;
        sme_snapshot* loaded = nullptr;
        if (table().load(it_, bytes.data(), size, &loaded) == SME_OK)
            states_.push_back(loaded);
        else
            demand(change != 0, "a state that was saved is not loaded");
    }
    /// Names, members and drivers; a run within the listing is refused.
    void lookAround() {
        struct Listing {
            Caller& caller;
            unsigned left;
        } listing{*this, bytes_.next()};
        const auto visit = [](void* user, const char* path, const sme_value* value) {
            auto& [caller, left] = *static_cast<Listing*>(user);
            demand(*path != 0 && value->bytes > 0, "a name of nothing");
            demand(table().step(caller.it_, 1, nullptr) == SME_BAD_USE, "a step within a list");
            return left-- == 0 ? 1 : 0;
        };
        demand(table().list(it_, visit, &listing) == SME_OK, "list");
        std::uint32_t handle = bytes_.next();
        if (bytes_.next() % 4 != 0) table().find(it_, path(), &handle);
        const char* name = nullptr;
        const sme_status status = table().driver(it_, handle, &name);
        demand((status == SME_OK) == (name != nullptr), "driver has a status and a name");
        std::uint8_t value[16];
        const std::uint32_t index = bytes_.next();
        const std::size_t room = bytes_.next() % sizeof value;
        if (table().member(it_, handle, index, &name, value, room) == SME_OK)
            demand(*name != 0, "a member has a name");
        demand(*table().message(it_) != 0 || table().status(it_) == SME_OK,
               "a status without text");
    }
    /// One goes on through whatever comes after.
    void trace() {
        static constexpr const char* kFilters[] = {"res.*", "*"};
        static const std::string file = sme::test::temporaryPath("calls.csv");
        const bool isEnd = bytes_.next() % 2 == 0;
        const std::size_t filters = bytes_.next() % 3;
        const sme_status status =
            table().trace(it_, isEnd ? nullptr : file.c_str(), kFilters, filters);
        // one that is going on has the file
        const bool isTaken = !isEnd && status == SME_BAD_FILE;
        const bool isNone = !isEnd && filters > 0 && status == SME_BAD_USE;
        demand(status == SME_OK || isTaken || isNone, "trace");
    }
    void evaluate() {
        const std::uint64_t sum = table().checksum(it_);
        demand(table().eval(it_) == SME_OK && table().checksum(it_) == sum, "eval");
    }
    void plane() {
        std::uint32_t handle = bytes_.next();
        if (bytes_.next() % 2 == 0) table().find(it_, path(), &handle);
        sme_plane plane{};
        if (table().plane(it_, handle, &plane, sizeof plane) != SME_OK) return;
        std::vector<std::uint8_t> value(plane.count * plane.bytes);
        demand(plane.stride == plane.bytes, "elements lie side by side");
        demand(table().get(it_, handle, value.data(), value.size()) == SME_OK
                   && std::memcmp(value.data(), plane.first, value.size()) == 0,
               "a plane holds what get gives");
    }
    void saveInputs() {
        table().save_inputs(it_, bytes_.next() % 2 == 0 ? "/dev/null" : "/no/such/folder/x.csv");
    }
    void until() {
        const std::uint64_t end = cycle() + bytes_.next() % 8;
        const auto ask = [](void* user, std::uint64_t) {
            auto& self = *static_cast<Caller*>(user);
            self.reached_ = std::max(self.reached_, self.cycle());
            demand(table().step(self.it_, 1, nullptr) == SME_BAD_USE, "a step within a step");
            if (self.bytes_.next() % 4 == 0) self.set();
            return self.bytes_.next() % 8 == 0 ? 1 : 0;
        };
        moved(table().run_until(it_, end, ask, this, nullptr));
    }

    void block() {
        const std::uint64_t cycles = bytes_.next() % 6;
        const char* where = path();
        std::vector<std::uint8_t> rows;
        const std::vector<std::uint8_t> value = valueFor(where);
        for (std::uint64_t k = 0; k < cycles; ++k) {
            rows.insert(rows.end(), value.begin(), value.end());
            if (!value.empty()) rows.back() = static_cast<std::uint8_t>(rows.back() ^ (k & 1));
        }
        std::uint8_t taken[6 * 4] = {};
        sme_column input{0, rows.data(), value.size()}, record{0, taken, 4};
        table().find(it_, where, &input.handle);
        const bool isRecorded =
            table().find(it_, bytes_.next() % 2 == 0 ? "res.sum" : "mix[5].v", &record.handle)
            == SME_OK;
        const std::size_t inputs = bytes_.next() % 2;
        const std::uint64_t first = cycle();
        std::uint64_t done = 0;
        const sme_status status = table().run_block(it_, cycles, &input, inputs, &record,
                                                    isRecorded ? 1 : 0, &done, nullptr);
        demand(cycle() == first + done, "a block runs as many cycles as it says");
        if (status == SME_OK && inputs > 0 && cycles > 0) {
            std::erase_if(settings_, [&](const Setting& s) { return s.cycle > first; });
            reached_ = first;
            for (std::uint64_t k = 0; k < done; ++k)
                settings_.push_back(
                    {first + k,
                     where,
                     {rows.data() + k * value.size(), rows.data() + (k + 1) * value.size()}});
        }
        moved(status);
    }

    void nonsense() {
        demand(table().step(nullptr, 1, nullptr) == SME_BAD_USE, "no simulation");
        demand(table().find(it_, nullptr, nullptr) == SME_BAD_USE, "no path");
        demand(table().restore(it_, nullptr) != SME_OK, "no state");
        demand(table().load(it_, nullptr, 9, nullptr) == SME_BAD_USE, "no bytes");
        demand(table().plane(it_, 1u << 30, nullptr, 0) == SME_BAD_USE, "no plane");
        demand(table().run_block(it_, 1, nullptr, 3, nullptr, 0, nullptr, nullptr) == SME_BAD_USE,
               "no columns");
        demand(table().trace(it_, "x.unknown", nullptr, 0) == SME_BAD_USE, "no format");
    }

    /// The same cycles with the same settings, forward only.
    void compare() const {
        const std::uint64_t end = cycle();
        if (!isKnown_ || end < baseCycle_) return;
        sme_simulation* straight = nullptr;
        demand(table().create(&model_, nullptr, 0, nullptr, &straight, nullptr, 0) == SME_OK,
               "create");
        if (base_) demand(table().restore(straight, base_) == SME_OK, "restore");
        for (const Setting& s : settings_) {
            if (s.cycle > end) break;
            runTo(straight, s.cycle);
            demand(table().set_path(straight, s.path.c_str(), s.value.data(), s.value.size())
                       == SME_OK,
                   "set");
        }
        runTo(straight, end);
        demand(table().checksum(straight) == table().checksum(it_), "another state");
        table().destroy(straight);
    }
    static void runTo(sme_simulation* simulation, std::uint64_t cycle) {
        while (table().cycle(simulation) < cycle)  // a stop ends a step
            table().step(simulation, cycle - table().cycle(simulation), nullptr);
    }

    const sme::Model& model_;
    Bytes bytes_;
    sme_simulation* it_ = nullptr;
    std::vector<sme_snapshot*> states_;
    std::vector<Setting> settings_;  ///< since cycle 0 or base_, by cycle
    const sme_snapshot* base_ = nullptr;
    std::uint64_t baseCycle_ = 0;  ///< what is in front of it is known to the simulation alone
    bool isKnown_ = true;          ///< nothing was set in front of base_ since
    std::uint64_t reached_ = 0;
};

}  // namespace

void checkCalls(std::span<const std::uint8_t> bytes) {
    Bytes rest(bytes);
    sme::test::MixedPlan plan;
    plan.stopCycle = 9;
    plan.failCycle = 12;
    if (rest.next() % 2 == 0) {
        sme::test::Inputs inputs;
        Caller(inputs.model(), rest).run();
    } else {
        sme::test::Mixed mixed(plan);
        Caller(mixed.model(), rest).run();
    }
}

}  // namespace smec::test
