#pragma once

/// Which values `--number` gives a number of a numbers.def: above 0, whole where its type is.
namespace smec::numbers {

struct Values {
    double largest;
    bool arePowersOfTwo = false;
};

constexpr Values upTo(double largest) { return {largest}; }
constexpr Values powersUpTo(double largest) { return {largest, true}; }

}  // namespace smec::numbers
