#pragma once

#include <new>
#include <string>
#include <system_error>

#include "output/error.h"

namespace sme {

/// What `function` returns; what the standard library throws becomes Error.
template <typename Function>
auto translated(const Function& function) {
    try {
        return function();
    } catch (const std::bad_alloc&) {
        throw Error(ErrorKind::Limit, "out of memory");
    } catch (const std::system_error& problem) {
        throw Error(ErrorKind::Limit, std::string("cannot start a thread: ") + problem.what());
    }
}

}  // namespace sme
