// What costs most to parse in the folders that calculate with unbounded integers: 2 s a file.
#include <fmt/format.h>

#include <algorithm>
#include <boost/multiprecision/cpp_int.hpp>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <variant>
#include <vector>

// fmt 9 leaves the whole machine that writes numbers to each file that formats into a string; its
// library has it as well.
#if FMT_VERSION < 100000
extern template void fmt::detail::vformat_to<char>(fmt::detail::buffer<char>&, fmt::string_view,
                                                   fmt::format_args, fmt::detail::locale_ref);
#endif
