#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>

namespace sme {

/// The whole number, not negative, that a value of JSON which was read (nlohmann::json or its kin) is; one that is too large for `T` is the
/// largest. Throws `Json::type_error` for other values: get<T>() converts a number like 1e21, which is undefined.
template <typename T = std::uint64_t, typename Json>
T wholeNumber(const Json& json) {
    const std::uint64_t number = json.template get_ref<const typename Json::number_unsigned_t&>();
    return static_cast<T>(std::min<std::uint64_t>(number, std::numeric_limits<T>::max()));
}

}  // namespace sme
