#pragma once

// Between a design and foreign code that must not run twice: `extern serial` functions, and
// `extern` processes whose objects can neither be copied nor saved.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace sme {

/// Who stands between. Null in a Thread: every call is made.
class OutsideWorld {
public:
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
    virtual ~OutsideWorld() = default;
    /// Whether the call is not to be made: then the values are written here. From any thread.
    virtual bool give(std::uint64_t cycle, const Caller& caller, std::span<const Value> values) = 0;
    /// What the call gave. From any thread.
    virtual void take(std::uint64_t cycle, const Caller& caller, std::span<const Value> values) = 0;
    /// Whether objects that can be copied are not to be called either. From any thread.
    virtual bool givesAll() const { return false; }
};

/// That of a look between two cycles: nothing is called that has an effect or a state.
class NoCalls final : public OutsideWorld {
public:
    /// By Caller::cls: whether what it drives is looked at.
    explicit NoCalls(std::vector<bool> isShown) : isShown_(std::move(isShown)) {}

    bool give(std::uint64_t, const Caller& caller, std::span<const Value> values) override {
        for (const Value& value : values)
            std::fill_n(static_cast<std::byte*>(value.bytes), value.size, std::byte{0});
        if (isShown_[caller.cls] && !missed_) missed_ = caller.name;
        return true;
    }
    void take(std::uint64_t, const Caller&, std::span<const Value>) override {}
    bool givesAll() const override { return true; }

    /// Empty, or why what was evaluated is not known; then that is forgotten.
    std::string whyUnknown() {
        const char* name = std::exchange(missed_, nullptr);
        if (!name) return {};
        return std::string("what is combinational is not known between two cycles: a process calls "
                           "the 'extern serial' function '")
               + name + "', which only cycles do";
    }

private:
    std::vector<bool> isShown_;
    const char* missed_ = nullptr;  ///< a function that was not called
};

}  // namespace sme
