#pragma once
#include <array>
#include <cstdint>

// A moving sum of the last `taps` samples. Its state is its own; what is not assigned in out keeps
// its value.
class moving_sum {
public:
    explicit moving_sum(std::uint64_t taps) : taps_(taps) {}
    void operator()(const auto& in, auto& out) {
        if (!in.valid) return;
        samples_[next_++ % taps_] = in.data;
        out.sum = 0;
        for (std::uint64_t i = 0; i < taps_; ++i)
            out.sum += samples_[i];
        ++out.count;
    }

private:
    std::array<std::int16_t, 64> samples_{};
    std::uint64_t taps_;
    std::uint64_t next_ = 0;
};

// Fields of every type, arrays of ports, flip.
struct mixer {
    template <typename Sources, typename Sink, typename All>
    void operator()(Sources& sources, Sink& sink, All& all) {
        static_assert(std::tuple_size_v<Sources> == 2);
        sink.total = sources[0].value + sources[1].value;
        for (std::size_t i = 0; i < 2; ++i)
            sources[i].ready = sources[i].value % 2 == 0;
        all.wide = {sink.total, ~0ull, 1};
        all.negative = {static_cast<std::uint64_t>(-7), ~0ull};
        all.point = {3, {-1, 2}};
        all.points[1] = {sink.total, {5, -6}};
        all.real += 0.5;
        all.flags[1] = !all.flags[1];
        all.mode = static_cast<std::uint8_t>((all.mode + 1) % 3);
        all.digit = 9;
    }
};
