#pragma once

#include <cstdint>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "table_pair.h"

namespace sme::probe {

/// Some bytes of a value, changed: mostly no value any more where the type has gaps.
void setSome(Pair& pair, const std::vector<std::string>& names, std::mt19937& random, bool inputs);
/// Both go to cycles of the past, the present and what is ahead. `sums`: checksums of some.
void goTo(Pair& pair, const std::vector<std::string>& names, std::mt19937& random,
          const std::map<std::uint64_t, std::uint64_t>& sums);
void comparePast(Pair& pair, const std::vector<std::string>& names, std::mt19937& random,
                 const std::string& folder);

}  // namespace sme::probe
