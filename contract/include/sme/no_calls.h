#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <sme/outside_member.h>

namespace sme {

/// That of a look between two cycles: nothing is called that has an effect or a state.
class NoCalls final : public OutsideMember<NoCalls> {
public:
    /// By Caller::cls: whether what it drives is looked at.
    explicit NoCalls(std::vector<bool> isShown)
        : OutsideMember(true), isShown_(std::move(isShown)) {}

    bool given(std::uint64_t, const Caller& caller, Values values) {
        for (const Value& value : values)
            std::fill_n(static_cast<std::byte*>(value.bytes), value.size, std::byte{0});
        if (isShown_[caller.cls] && !missed_) missed_ = caller.name;
        return true;
    }
    void taken(std::uint64_t, const Caller&, Values) {}

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
