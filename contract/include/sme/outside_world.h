#pragma once

// Between a design and foreign code that must not run twice: `extern serial` functions, and
// `extern` processes whose objects can neither be copied nor saved.

#include <cstddef>
#include <cstdint>

namespace sme {

/// Who stands between. Null in a Thread: every call is made. The runtime makes it and the code of a
/// design calls it, which may be of two C++ compilers: functions and arguments of C alone.
struct OutsideWorld {
    /// Where a call comes from: an instance of a class, or whatever numbers tell those that call
    /// from one another.
    struct Caller {
        const char* name;  ///< of what is called
        std::uint32_t function;
        std::uint32_t cls;
        std::uint32_t instance;
    };
    /// A result, or an output.
    struct Value {
        void* bytes;
        std::size_t size;
    };
    /// Whether the call is not to be made: then the values are written here. From any thread.
    bool (*give)(OutsideWorld* self, std::uint64_t cycle, const Caller* caller, const Value* values,
                 std::size_t count);
    /// What the call gave. From any thread.
    void (*take)(OutsideWorld* self, std::uint64_t cycle, const Caller* caller, const Value* values,
                 std::size_t count);
    /// Whether objects that can be copied are not to be called either.
    bool givesAll;
};

}  // namespace sme
