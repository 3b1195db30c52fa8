#pragma once

// Simulations as objects of C++, over the C functions of sme/simulation.h; what typed headers of
// `smec compile --lib` (NAME.hpp) are made of. C++17 and the standard library; nothing to link but
// what dlopen needs.

#include <dlfcn.h>
#include <sme/simulation_values.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <exception>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace sme::embed {

// ---------------------------------------------------------------- fields and variables

/// Something that a simulation makes when it is asked for, and keeps as long as it lives.
struct Made {
    Made() = default;
    Made(const Made&) = delete;
    Made& operator=(const Made&) = delete;
    virtual ~Made() = default;
};

/// A simulation as its parts see it. What is kept here for them is theirs under `making`, so that
/// two threads that wrongly use one simulation get the errors of its functions, and no more.
struct Core {
    const sme_simulation_table* table = nullptr;
    sme_simulation* run = nullptr;
    mutable std::recursive_mutex making = {};
    mutable std::set<std::string> names = {};
    mutable std::vector<std::unique_ptr<Made>> made = {};

    void check(sme_status status) const {
        if (status != SME_OK) throw Error(table->message(run), status, table->cycle(run));
    }
    /// The same text, for as long as the simulation lives.
    const char* kept(const std::string& name) const {
        const std::lock_guard<std::recursive_mutex> lock(making);
        return names.insert(name).first->c_str();
    }
};

/// A member of a class of a generated header: where it lies in it, its name, and what it has.
struct Member {
    std::size_t offset;
    const char* name;
    const Member* members;
    std::size_t count;
};
template <std::size_t N>
using Members = std::array<Member, N>;

/// Where something is in the design: the first that each class of a generated header and each of
/// its members has. What a class is made of is data, which one loop goes over, and is looked up
/// when it is used: so compilers take thousands of members in a moment.
class Place {
public:
    Place() = default;
    Place(const Place& in, const char* name) noexcept : core_(in.core_), in_(&in), name_(name) {}
    Place(const Place&) = default;
    /// What is assigned are values.
    Place& operator=(const Place&) { return *this; }

    /// Of an object that begins with this.
    template <std::size_t N>
    void make(const Core& core, const Members<N>& members) noexcept {
        core_ = &core;
        fill(nullptr, "", members.data(), N);
    }
    template <std::size_t N>
    void make(const Place& in, const char* name, const Members<N>& members) noexcept {
        core_ = in.core_;
        fill(&in, name, members.data(), N);
    }
    const Core& core() const { return *core_; }
    std::string path() const { return in_ ? in_->path() + name_ : name_; }

    /// An element of an array that is one value; its name.
    std::pair<const Place*, const char*> element(std::size_t index) const {
        return {in_, core_->kept(name_ + ("[" + std::to_string(index) + "]"))};
    }
    /// Of a field or variable. Two threads that look it up at once both find it.
    std::uint32_t handle() const {
        std::uint32_t found = __atomic_load_n(&handle_, __ATOMIC_RELAXED);
        if (found != kUnbound) return found;
        core_->check(core_->table->find(core_->run, path().c_str(), &found));
        __atomic_store_n(&handle_, found, __ATOMIC_RELAXED);
        return found;
    }
    Made*& made() { return made_; }

private:
    static constexpr std::uint32_t kUnbound = ~std::uint32_t{0};

    void fill(const Place* in, const char* name, const Member* members,
              std::size_t count) noexcept {
        in_ = in;
        name_ = name;
        handle_ = kUnbound;
        made_ = nullptr;
        for (const Member* member = members; member != members + count; ++member) {
            Place* at =
                reinterpret_cast<Place*>(reinterpret_cast<std::byte*>(this) + member->offset);
            at->core_ = core_;
            at->fill(this, member->name, member->members, member->count);
        }
    }

    const Core* core_;
    const Place* in_;
    const char* name_;
    Made* made_;  ///< the elements of an array
    mutable std::uint32_t handle_;
};

template <typename T>
constexpr bool isNumber = std::is_integral_v<T> && !std::is_same_v<T, bool>;

/// A field or variable whose values are T. Reading converts, writing assigns: `sim.dut.cam.r = 5;
/// int x = sim.dut.cam.r;`. One that this design does not have (of one element of an array, while
/// others have it) throws when it is used. T is an integer, a `bool`, a float, an enum or struct of
/// a generated header, a Wide, or a `std::array` of these. A signal belongs to its simulation, is
/// small to copy, and good as long as it. The thread that uses the simulation uses its signals;
/// all that reads or sets throws Error.
template <typename T>
class Signal {
public:
    Signal() = default;
    Signal(const Place& in, const char* name) noexcept { place_.make(in, name, Members<0>{}); }
    Signal(const Signal&) = default;

    /// What the next cycle reads.
    T get() const {
        std::byte bytes[kRoom];
        const Core& core = place_.core();
        core.check(core.table->get(core.run, place_.handle(), bytes, Stored<T>::kBytes));
        return Stored<T>::read(bytes);
    }
    /// Sets it, as `set` of the table. Throws where it cannot be set, naming the instance that
    /// drives it, and where its type in the language does not have the value.
    void set(const T& value) const {
        std::byte bytes[kRoom];
        const Core& core = place_.core();
        Stored<T>::write(value, bytes);
        core.check(core.table->set(core.run, place_.handle(), bytes, Stored<T>::kBytes));
    }
    /// The same as get().
    operator T() const { return get(); }  // NOLINT: it stands for its value
    /// The same as set().
    const Signal& operator=(const T& value) const {
        set(value);
        return *this;
    }
    /// Takes the value of the other one.
    Signal& operator=(const Signal& other) {
        set(other.get());
        return *this;
    }
    /// An integer that T does not hold is refused, and not cut.
    template <typename Given, typename = std::enable_if_t<isNumber<Given> && isNumber<T>
                                                          && !std::is_same_v<Given, T>>>
    const Signal& operator=(Given value) const {
        const T narrow = static_cast<T>(value);
        if (static_cast<Given>(narrow) != value || (narrow < T{}) != (value < Given{}))
            refuse(std::to_string(value));
        set(narrow);
        return *this;
    }
    /// Takes the value of the other one, if T holds it.
    template <typename Other, typename = std::enable_if_t<!std::is_same_v<Other, T>>>
    const Signal& operator=(const Signal<Other>& other) const {
        return *this = other.get();
    }
    /// An element of an array.
    template <typename Array = T>
    Signal<typename Array::value_type> operator[](std::size_t index) const {
        const auto [in, name] = place_.element(index);
        return {*in, name};
    }
    /// Its path in the design: `cam.r`.
    std::string path() const { return place_.path(); }
    /// The instance whose process drives it or has it; empty: none does.
    std::string driver() const {
        const char* instance = "";
        const Core& core = place_.core();
        core.check(core.table->driver(core.run, place_.handle(), &instance));
        return instance;
    }

private:
    static constexpr std::size_t kRoom = Stored<T>::kBytes == 0 ? 1 : Stored<T>::kBytes;

    [[noreturn]] void refuse(const std::string& value) const {
        const Core& core = place_.core();
        sme_value about{};
        core.check(core.table->describe(core.run, place_.handle(), &about, sizeof about));
        throw Error("'" + path() + "': " + value + " is no value of " + about.type, SME_BAD_DATA,
                    core.table->cycle(core.run));
    }
    Place place_;
};

/// Instances, buses or fields by number, made when they are asked for: `sim.dut.bins[3].count`.
template <typename Element, std::size_t Size>
class Elements {
public:
    Elements() = default;
    Elements(const Place& in, const char* name) noexcept { place_.make(in, name, Members<0>{}); }
    Elements(const Elements&) = delete;
    Elements& operator=(const Elements&) = delete;

    /// The one of this number, for as long as the simulation; throws Error from size() on.
    Element& operator[](std::size_t index) {
        const Core& core = place_.core();
        if (index >= Size)
            throw Error("'" + place_.path() + "' has elements 0 to " + std::to_string(Size - 1)
                            + ", not " + std::to_string(index),
                        SME_BAD_USE, core.table->cycle(core.run));
        const std::lock_guard<std::recursive_mutex> lock(core.making);
        if (!place_.made()) {
            core.made.push_back(std::make_unique<Those>());
            place_.made() = core.made.back().get();
        }
        auto& elements = static_cast<Those*>(place_.made())->elements;
        const auto found = elements.find(index);
        if (found != elements.end()) return found->second;
        const char* name = core.kept("[" + std::to_string(index) + "]");
        return elements.try_emplace(index, place_, name).first->second;
    }
    /// How many there are.
    static constexpr std::size_t size() { return Size; }

private:
    struct Those : Made {
        std::map<std::size_t, Element> elements;  // which stay where they are
    };
    Place place_;
};

// ---------------------------------------------------------------- simulations

/// Options of a simulator's command line that say how to run: {{"threads", "2"}}.
using Options = std::vector<std::pair<std::string, std::string>>;

/// Loads a library of `smec compile --lib`, for good. Throws where there is none; null where it is
/// of another version, which a Simulation refuses.
inline const sme_library* open(const std::string& path) {
    void* handle = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (!handle) throw Error(dlerror(), SME_BAD_FILE);
    void* symbol = dlsym(handle, SME_LIBRARY_FUNCTION);
    if (!symbol) throw Error("'" + path + "' is no library of smec", SME_BAD_FILE);
    sme_library_function* function = nullptr;
    std::memcpy(&function, &symbol, sizeof function);
    return function(SME_SIMULATION_VERSION);
}

/// The state between two cycles. It may be given to any simulation of the same library, by any
/// thread.
class Snapshot {
public:
    /// Owns a state from now on.
    Snapshot(const sme_simulation_table* table, sme_snapshot* state) : state_(state, {table}) {}
    /// For the functions of the table.
    const sme_snapshot* get() const { return state_.get(); }

private:
    struct Forget {
        const sme_simulation_table* table;
        void operator()(sme_snapshot* state) const { table->forget(state); }
    };
    std::unique_ptr<sme_snapshot, Forget> state_;
};

/// A simulation of a library, which it owns and ends. Those of generated headers (`x.hpp`) have
/// `dut` beside: the design, with a member for each bus, instance and variable. Used by one thread
/// at a time; any number of simulations may be used side by side. Whatever goes wrong throws Error.
class Simulation {
public:
    /// A simulation before cycle 0. `print` takes what processes print, without it that goes
    /// nowhere; it is called by the thread that runs cycles, and must not call the simulation.
    explicit Simulation(const sme_library* library, const Options& options = {},
                        std::function<void(std::string_view)> print = {})
        : print_(std::move(print)) {
        if (!library || library->table->size < sizeof(sme_simulation_table))
            throw Error("the library is of another version of smec", SME_BAD_USE);
        core_.table = library->table;
        std::vector<sme_option> words;
        for (const auto& [name, value] : options)
            words.push_back({name.c_str(), value.c_str()});
        const sme_sinks sinks{this, toPrint, toFailure};
        char why[1000] = "";
        const sme_status status = core_.table->create(library->model, words.data(), words.size(),
                                                      &sinks, &core_.run, why, sizeof why);
        if (status != SME_OK) throw Error(why, status);
        root_.make(core_, Members<0>{});
    }
    ~Simulation() { core_.table->destroy(core_.run); }
    Simulation(const Simulation&) = delete;
    Simulation& operator=(const Simulation&) = delete;

    /// Runs up to so many cycles, fewer where the design stops; how many ran. Throws where an
    /// assertion or a check failed.
    std::uint64_t step(std::uint64_t cycles = 1) {
        const std::uint64_t before = cycle();
        std::uint32_t ended = 0;
        core_.check(core_.table->step(core_.run, cycles, &ended));
        settle(ended);
        return cycle() - before;
    }
    /// Whether `until` came to be the next cycle; the design may stop before.
    bool runUntil(std::uint64_t until) {
        if (until > cycle()) step(until - cycle());
        return cycle() >= until;
    }
    /// Runs until `condition`, asked after every cycle, holds; whether it did.
    bool runUntil(const std::function<bool()>& condition, std::uint64_t limit = ~std::uint64_t{0}) {
        Asked asked{&condition, nullptr};
        std::uint32_t ended = 0;
        core_.check(core_.table->run_until(core_.run, limit, ask, &asked, &ended));
        if (asked.thrown) std::rethrow_exception(asked.thrown);
        settle(ended);
        return (ended & SME_ASKED) != 0;
    }
    /// The number of the next cycle, which is how many have run.
    std::uint64_t cycle() const { return core_.table->cycle(core_.run); }
    /// The n of the `stop(n)` by which the design ended; 0 before.
    std::uint32_t stopStatus() const { return core_.table->stop_status(core_.run); }
    /// A hash of the state, as --checksum prints it.
    std::uint64_t checksum() const { return core_.table->checksum(core_.run); }
    /// Makes what is combinational of the present state and inputs, as reads do by themselves.
    void eval() { core_.check(core_.table->eval(core_.run)); }

    /// The state between two cycles.
    Snapshot snapshot() const {
        sme_snapshot* state = nullptr;
        core_.check(core_.table->snapshot(core_.run, &state));
        return {core_.table, state};
    }
    /// Goes to a state; what came after it is forgotten.
    void restore(const Snapshot& state) {
        core_.check(core_.table->restore(core_.run, state.get()));
    }
    /// Goes before cycle 0; inputs have their defaults, and what was set is forgotten.
    void reset() { core_.check(core_.table->reset(core_.run)); }
    /// Goes to where `cycle` is the next one: back silently, with all that was set, forth by
    /// running.
    void goTo(std::uint64_t cycle) { core_.check(core_.table->go_to(core_.run, cycle)); }

    /// Writes what the filters (as of --trace-filter; none: exposed fields) name into a file, in
    /// the format of its ending, from the next cycle on; a trace that is going on ends.
    void trace(const std::string& path, const std::vector<std::string>& filters = {}) {
        std::vector<const char*> words;
        for (const std::string& filter : filters)
            words.push_back(filter.c_str());
        core_.check(core_.table->trace(core_.run, path.c_str(), words.data(), words.size()));
    }
    /// Ends the trace; the file is complete then.
    void endTrace() { core_.check(core_.table->trace(core_.run, nullptr, nullptr, 0)); }
    /// Writes the exposed inputs of the cycles so far as rows for --input of a simulator.
    void saveInputs(const std::string& path) {
        core_.check(core_.table->save_inputs(core_.run, path.c_str()));
    }

    /// A field, a variable or a part of one by its path: `sim.signal<std::int32_t>("l.v")`. Throws
    /// where there is none, or its values have another size than those of T.
    template <typename T>
    Signal<T> signal(const std::string& path) const {
        Signal<T> found(root_, core_.kept(path));
        found.get();
        return found;
    }
    /// @cond GENERATED_HEADERS
    const Core& core() const { return core_; }
    const Place& root() const { return root_; }
    /// @endcond

private:
    struct Asked {
        const std::function<bool()>* condition;
        std::exception_ptr thrown;
    };
    static int ask(void* user, std::uint64_t) {
        Asked& asked = *static_cast<Asked*>(user);
        try {
            return (*asked.condition)() ? 1 : 0;
        } catch (...) {
            asked.thrown = std::current_exception();
            return 1;
        }
    }
    static void toPrint(void* user, const char* text, std::size_t length) {
        const Simulation& simulation = *static_cast<Simulation*>(user);
        if (simulation.print_) simulation.print_({text, length});
    }
    static void toFailure(void* user, const char* text, std::size_t length) {
        static_cast<Simulation*>(user)->failure_.append(text, length);
    }
    /// Of a run of this thread's: only it may touch the text.
    void settle(std::uint32_t ended) {
        if (ended & SME_NO_OUTPUT) throw Error("a trace cannot be written", SME_BAD_FILE, cycle());
        if (ended & SME_NO_MEMORY) throw Error("out of memory", SME_LIMIT, cycle());
        if ((ended & SME_FAILED) == 0) return;
        const std::string text = std::exchange(failure_, {});
        const std::size_t end = text.find_last_not_of('\n');
        throw Error(end == std::string::npos ? "the run failed" : text.substr(0, end + 1),
                    SME_BAD_DATA, cycle());
    }

    std::function<void(std::string_view)> print_;
    std::string failure_;
    Core core_;
    Place root_;
};

/// For generated headers: the library that one is of; throws where it is another one.
inline const sme_library* checked(const sme_library* library, std::uint64_t hash) {
    if (library && library->hash != hash)
        throw Error("the library is of another design than its header", SME_BAD_USE);
    return library;
}

}  // namespace sme::embed
