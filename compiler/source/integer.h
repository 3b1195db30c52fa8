#pragma once

#include <boost/multiprecision/cpp_int.hpp>

namespace smec {

/// Unbounded. Without templates of whole expressions, which compile slowly and save nothing where most numbers are small.
using Integer = boost::multiprecision::number<boost::multiprecision::cpp_int_backend<>,
                                              boost::multiprecision::et_off>;

}  // namespace smec
