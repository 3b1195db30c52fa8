#pragma once

#include <cstdint>

namespace sme {

/// Whether a rank computes while parcels travel is tried out at the start of a run: all ranks run
/// stretches of cycles, by turns with and without. Rank 0 decides, by the fastest of each.
class OverlapTrial {
public:
    /// So many cycles, 2^log; the last one goes on to the end.
    struct Stretch {
        unsigned log = 0;
        bool overlaps = false;
        bool isLast = false;
        std::uint64_t cycles() const { return std::uint64_t{1} << log; }
        bool operator==(const Stretch&) const = default;
    };
    static constexpr unsigned kLongest = 20;  ///< as log

    Stretch next() const { return next_; }
    /// What next() said has run, or a part of it.
    void took(std::uint64_t cycles, double ns);

private:
    Stretch next_{kFirst, false, false};
    static constexpr unsigned kFirst = 3;
    unsigned turns_ = 0;          ///< that counted
    double fastest_[2] = {0, 0};  ///< ns a cycle, without and with
};

}  // namespace sme
