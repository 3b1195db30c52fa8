#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>

namespace sme {

/// The whole number, not negative, that a value of JSON (nlohmann::json or its kin) is; one that is too large for `T` is the
/// largest. Throws `Json::type_error` for other values: get<T>() converts a number like 1e21, which is undefined.
template <typename T = std::uint64_t, typename Json>
T wholeNumber(const Json& json) {
    std::uint64_t number = 0;
    if (json.is_number_integer() && json.template get<std::int64_t>() >= 0)
        number = json.template get<std::uint64_t>();
    else
        number = json.template get_ref<const typename Json::number_unsigned_t&>();
    return static_cast<T>(std::min<std::uint64_t>(number, std::numeric_limits<T>::max()));
}

}  // namespace sme
