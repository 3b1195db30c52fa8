#pragma once

#include <cstdint>

namespace sme {

/// How far ranks run without asking each other whether anything ends the run or prints: from a copy
/// of their memory on, to which they go back where something did. Rank 0 decides, by what asking
/// costs, what the copy costs and how often they had to go back.
class AheadPace {
public:
    /// So many cycles, 2^log, ahead or asking after each.
    struct Stretch {
        unsigned log = 0;
        bool isAhead = false;
        std::uint64_t cycles() const { return std::uint64_t{1} << log; }
        bool operator==(const Stretch&) const = default;
    };
    static constexpr unsigned kLongestAhead = 20;  ///< as log
    static constexpr unsigned kLongestPause = 20;

    /// `copyNs`: what a copy of the memory is reckoned to take.
    explicit AheadPace(double copyNs) : copyNs_(copyNs), next_{kFirstPause, false} {}
    /// Always 2^log cycles ahead, whatever that costs.
    static AheadPace always(unsigned log);
    /// Always asking after each.
    static AheadPace never();

    Stretch next() const { return next_; }
    /// So many cycles ran, each of which asked; the fastest answer took `askNs`.
    void asked(std::uint64_t cycles, double ns, double askNs);
    /// So many cycles ran ahead, and nothing happened.
    void confirmed(std::uint64_t cycles, double ns, double copyNs);
    /// Something happened: they ran once more.
    void undone();

    std::uint64_t cyclesAhead() const { return cyclesAhead_; }  ///< that counted
    std::uint64_t timesUndone() const { return timesUndone_; }

private:
    bool pays(unsigned log) const;
    unsigned longest() const;
    unsigned shortest() const;
    void tryAhead();

    double copyNs_;
    double askNs_ = 0;
    double cycleNs_ = 0;
    static constexpr unsigned kFirstPause = 6;
    unsigned pause_ = kFirstPause;  ///< log of the cycles that ask before ranks try once more
    Stretch next_;
    bool isAlways_ = false;
    std::uint64_t cyclesAhead_ = 0;
    std::uint64_t timesUndone_ = 0;
};

}  // namespace sme
