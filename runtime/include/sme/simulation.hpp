#pragma once

// Simulations as objects of C++, over the C functions of sme/simulation.h; what typed headers of
// `smec compile --lib` (NAME.hpp) are made of. C++17 and the standard library; nothing to link but
// what dlopen needs.

#include <dlfcn.h>
#include <sme/simulation.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <exception>
#include <functional>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace sme::embed {

/// Whatever goes wrong: a status of sme/simulation.h, its text, and the next cycle.
class Error : public std::runtime_error {
public:
    Error(const std::string& message, sme_status status, std::uint64_t cycle = 0)
        : std::runtime_error(message), status_(status), cycle_(cycle) {}
    sme_status status() const { return status_; }
    std::uint64_t cycle() const { return cycle_; }

private:
    sme_status status_;
    std::uint64_t cycle_;
};

// ---------------------------------------------------------------- values

/// An integer of more than 64 bits: limbs, the lowest first, in two's complement, the top one
/// extended.
template <unsigned Bits, bool Signed>
class Wide {
public:
    static constexpr std::size_t kLimbs = (Bits + 63) / 64;
    std::array<std::uint64_t, kLimbs> limbs{};

    constexpr Wide() = default;
    template <typename Int, typename = std::enable_if_t<std::is_integral_v<Int>>>
    constexpr Wide(Int value) {  // NOLINT: an integer is one of these
        limbs[0] = static_cast<std::uint64_t>(value);
        for (std::size_t i = 1; i < kLimbs; ++i)
            limbs[i] = value < Int{} ? ~std::uint64_t{0} : 0;
    }
    constexpr explicit Wide(const std::array<std::uint64_t, kLimbs>& of) : limbs(of) {}

    constexpr bool isNegative() const { return Signed && (limbs[kLimbs - 1] >> 63) != 0; }
    constexpr bool operator==(const Wide& other) const {
        for (std::size_t i = 0; i < kLimbs; ++i)
            if (limbs[i] != other.limbs[i]) return false;
        return true;
    }
    constexpr bool operator!=(const Wide& other) const { return !(*this == other); }
    constexpr bool operator<(const Wide& other) const {
        if (isNegative() != other.isNegative()) return isNegative();
        for (std::size_t i = kLimbs; i-- > 0;)
            if (limbs[i] != other.limbs[i]) return limbs[i] < other.limbs[i];
        return false;
    }
    /// All limbs, "0x…".
    std::string hex() const {
        static constexpr char kDigits[] = "0123456789abcdef";
        std::string text = "0x";
        for (std::size_t i = kLimbs; i-- > 0;)
            for (unsigned bit = 64; bit != 0; bit -= 4)
                text += kDigits[(limbs[i] >> (bit - 4)) & 15];
        return text;
    }
};

/// How values of T lie in the bytes of sme/simulation.h. Structs of generated headers have
/// forEachMember.
template <typename T, typename = void>
struct Stored {
    static constexpr std::size_t kBytes = [] {
        std::size_t bytes = 0;
        T value{};
        T::forEachMember(
            value, [&](auto& member) { bytes += Stored<std::decay_t<decltype(member)>>::kBytes; });
        return bytes;
    }();
    static T read(const std::byte* bytes) {
        T value{};
        T::forEachMember(value, [&](auto& member) {
            using Member = Stored<std::decay_t<decltype(member)>>;
            member = Member::read(bytes);
            bytes += Member::kBytes;
        });
        return value;
    }
    static void write(const T& value, std::byte* bytes) {
        T::forEachMember(value, [&](const auto& member) {
            using Member = Stored<std::decay_t<decltype(member)>>;
            Member::write(member, bytes);
            bytes += Member::kBytes;
        });
    }
};

template <typename T>
struct Stored<T, std::enable_if_t<std::is_arithmetic_v<T> || std::is_enum_v<T>>> {
    static constexpr std::size_t kBytes = sizeof(T);
    static T read(const std::byte* bytes) {
        T value;
        std::memcpy(&value, bytes, sizeof value);
        return value;
    }
    static void write(T value, std::byte* bytes) { std::memcpy(bytes, &value, sizeof value); }
};

template <unsigned Bits, bool Signed>
struct Stored<Wide<Bits, Signed>> {
    using T = Wide<Bits, Signed>;
    static constexpr std::size_t kBytes = 8 * T::kLimbs;
    static T read(const std::byte* bytes) {
        T value;
        std::memcpy(value.limbs.data(), bytes, kBytes);
        return value;
    }
    static void write(const T& value, std::byte* bytes) {
        std::memcpy(bytes, value.limbs.data(), kBytes);
    }
};

template <typename T, std::size_t N>
struct Stored<std::array<T, N>> {
    static constexpr std::size_t kBytes = N * Stored<T>::kBytes;
    static std::array<T, N> read(const std::byte* bytes) {
        std::array<T, N> value{};
        for (T& element : value) {
            element = Stored<T>::read(bytes);
            bytes += Stored<T>::kBytes;
        }
        return value;
    }
    static void write(const std::array<T, N>& value, std::byte* bytes) {
        for (const T& element : value) {
            Stored<T>::write(element, bytes);
            bytes += Stored<T>::kBytes;
        }
    }
};

// ---------------------------------------------------------------- fields and variables

/// A simulation as its parts see it.
struct Core {
    const sme_simulation_table* table = nullptr;
    sme_simulation* run = nullptr;

    void check(sme_status status) const {
        if (status != SME_OK) throw Error(table->message(run), status, table->cycle(run));
    }
};

/// A field or variable whose values are T. Reading converts, writing assigns:
/// `sim.dut.cam.r = 5; int x = sim.dut.cam.r;`. One that this design does not have (of one element
/// of an array, while others have it) throws when it is used.
template <typename T>
class Signal {
public:
    Signal(const Core& core, std::string path) : core_(&core), path_(std::move(path)) {
        if (core.table->find(core.run, path_.c_str(), &handle_) != SME_OK) handle_ = kNone;
    }
    Signal(const Signal&) = default;

    T get() const {
        std::byte bytes[kRoom];
        core_->check(core_->table->get(core_->run, bound(), bytes, Stored<T>::kBytes));
        return Stored<T>::read(bytes);
    }
    void set(const T& value) const {
        std::byte bytes[kRoom];
        Stored<T>::write(value, bytes);
        core_->check(core_->table->set(core_->run, bound(), bytes, Stored<T>::kBytes));
    }
    operator T() const { return get(); }  // NOLINT: it stands for its value
    const Signal& operator=(const T& value) const {
        set(value);
        return *this;
    }
    Signal& operator=(const Signal& other) {
        set(other.get());
        return *this;
    }
    /// An element of an array.
    template <typename Array = T>
    Signal<typename Array::value_type> operator[](std::size_t index) const {
        return {*core_, path_ + "[" + std::to_string(index) + "]"};
    }
    const std::string& path() const { return path_; }
    /// The instance whose process drives it or has it; empty: none does.
    std::string driver() const {
        const char* instance = "";
        core_->check(core_->table->driver(core_->run, bound(), &instance));
        return instance;
    }

private:
    static constexpr std::uint32_t kNone = ~std::uint32_t{0};
    static constexpr std::size_t kRoom = Stored<T>::kBytes == 0 ? 1 : Stored<T>::kBytes;

    std::uint32_t bound() const {
        std::uint32_t handle = handle_;
        if (handle == kNone) core_->check(core_->table->find(core_->run, path_.c_str(), &handle));
        return handle;
    }
    const Core* core_;
    std::string path_;
    std::uint32_t handle_ = kNone;
};

/// Instances, buses or fields by number, made when they are asked for.
template <typename Element>
class Elements {
public:
    Elements(const Core& core, std::string path, std::size_t size)
        : core_(&core), path_(std::move(path)), size_(size) {}
    Element& operator[](std::size_t index) {
        if (index >= size_)
            throw Error("'" + path_ + "' has elements 0 to " + std::to_string(size_ - 1) + ", not "
                            + std::to_string(index),
                        SME_BAD_USE, core_->table->cycle(core_->run));
        std::unique_ptr<Element>& made = made_[index];
        if (!made)
            made = std::make_unique<Element>(*core_, path_ + "[" + std::to_string(index) + "]");
        return *made;
    }
    std::size_t size() const { return size_; }

private:
    const Core* core_;
    std::string path_;
    std::size_t size_;
    std::map<std::size_t, std::unique_ptr<Element>> made_;
};

// ---------------------------------------------------------------- simulations

/// Options of a simulator's command line that say how to run: {{"threads", "2"}}.
using Options = std::vector<std::pair<std::string, std::string>>;

/// Loads a library of `smec compile --lib`, for good.
inline const sme_library* open(const std::string& path) {
    void* handle = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (!handle) throw Error(dlerror(), SME_BAD_FILE);
    void* symbol = dlsym(handle, SME_LIBRARY_FUNCTION);
    if (!symbol) throw Error("'" + path + "' is no library of smec", SME_BAD_FILE);
    sme_library_function* function = nullptr;
    std::memcpy(&function, &symbol, sizeof function);
    return function(SME_SIMULATION_VERSION);
}

/// The state between two cycles.
class Snapshot {
public:
    Snapshot(const sme_simulation_table* table, sme_snapshot* state) : state_(state, {table}) {}
    const sme_snapshot* get() const { return state_.get(); }

private:
    struct Forget {
        const sme_simulation_table* table;
        void operator()(sme_snapshot* state) const { table->forget(state); }
    };
    std::unique_ptr<sme_snapshot, Forget> state_;
};

/// A simulation of a library; those of generated headers have `dut` beside. Used by one thread at a
/// time.
class Simulation {
public:
    /// `print` takes what processes print.
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
    std::uint64_t cycle() const { return core_.table->cycle(core_.run); }
    std::uint32_t stopStatus() const { return core_.table->stop_status(core_.run); }
    std::uint64_t checksum() const { return core_.table->checksum(core_.run); }
    void eval() { core_.check(core_.table->eval(core_.run)); }

    Snapshot snapshot() const {
        sme_snapshot* state = nullptr;
        core_.check(core_.table->snapshot(core_.run, &state));
        return {core_.table, state};
    }
    void restore(const Snapshot& state) {
        core_.check(core_.table->restore(core_.run, state.get()));
    }
    void reset() { core_.check(core_.table->reset(core_.run)); }
    void goTo(std::uint64_t cycle) { core_.check(core_.table->go_to(core_.run, cycle)); }

    void trace(const std::string& path, const std::vector<std::string>& filters = {}) {
        std::vector<const char*> words;
        for (const std::string& filter : filters)
            words.push_back(filter.c_str());
        core_.check(core_.table->trace(core_.run, path.c_str(), words.data(), words.size()));
    }
    void endTrace() { core_.check(core_.table->trace(core_.run, nullptr, nullptr, 0)); }
    void saveInputs(const std::string& path) {
        core_.check(core_.table->save_inputs(core_.run, path.c_str()));
    }

    /// A field or variable by its path.
    template <typename T>
    Signal<T> signal(const std::string& path) const {
        Signal<T> found(core_, path);
        found.get();
        return found;
    }
    const Core& core() const { return core_; }

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
};

/// The library that a generated header is of; throws where it is another one.
inline const sme_library* checked(const sme_library* library, std::uint64_t hash) {
    if (library && library->hash != hash)
        throw Error("the library is of another design than its header", SME_BAD_USE);
    return library;
}

}  // namespace sme::embed
