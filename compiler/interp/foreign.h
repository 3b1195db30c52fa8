#pragma once

#include <vector>

#include "interp/value.h"
#include "sme/foreign_object.h"
#include "sme/outside_world.h"

namespace smec::hir {
struct Function;
}

namespace smec::interp {

/// The C++ that a design names with `extern`, compiled and loaded. All are null where a function
/// is none; `objects` but for extern processes. The calls take the leaves of the parameters and
/// then of the result, each in the layout of generated code, and may come from one thread at a
/// time.
struct ForeignCode {
    using Call = void (*)(void* const* slots);
    struct Entry {
        Call call = nullptr;
        sme::ForeignObject::Functions objects{};
    };
    std::vector<Entry> functions;  ///< by hir::FunctionId
};

/// Where a call of C++ stands.
struct ForeignSite {
    std::uint64_t cycle;
    std::uint32_t function;
    std::uint32_t process;       ///< hir::InstanceId
    sme::OutsideWorld* outside;  ///< null: every call is made
};

/// Calls C++. `arguments`: as the parameters hold them.
Value callForeign(const TypeTable& types, const hir::Function& function,
                  const ForeignCode::Entry& code, const Value* arguments, const ForeignSite& site);

}  // namespace smec::interp
