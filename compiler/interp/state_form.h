#pragma once

#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "formats/state_owners.h"

/// What states of a design look like that its simulators know from the compiler: sme/state_format.h.
namespace smec::interp {

using sme::PathRun;  // as ir::NameRun

struct StateForm {
    struct Body {
        PathRun processes;
        std::uint64_t hash;
    };
    struct Hidden {
        PathRun names;        ///< "p[3]#wait"
        std::uint64_t bytes;  ///< of a value
    };
    std::uint64_t design = 0;  ///< its hash; 0: the compiler makes no simulator of it
    std::vector<Body> bodies{};
    std::vector<Hidden> hidden{};
};

/// Made when it is asked for first. For all threads.
class LazyStateForm {
public:
    explicit LazyStateForm(std::function<StateForm()> make) : make_(std::move(make)) {}
    const StateForm& get() const {
        std::call_once(isMade_, [this] { form_ = make_(); });
        return form_;
    }

private:
    const std::function<StateForm()> make_;
    mutable std::once_flag isMade_;
    mutable StateForm form_;
};

}  // namespace smec::interp
