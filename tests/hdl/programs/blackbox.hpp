#include <array>
#include <cstdint>

class accumulate {
public:
    accumulate(std::uint64_t limit, bool invert) : limit_(limit), invert_(invert) {}
    void operator()(const auto& in, auto& out) {
        if (!in.valid) return;
        const std::int64_t next = out.sum + (invert_ ? -in.data : in.data);
        const auto limit = static_cast<std::int64_t>(limit_);
        out.full = next > limit;
        out.sum = static_cast<std::int32_t>(out.full ? limit : next);
        for (std::size_t i = 3; i > 0; --i)
            out.history[i] = out.history[i - 1];
        out.history[0] = static_cast<std::uint8_t>(in.data);
    }

private:
    std::uint64_t limit_;
    bool invert_;
};

class best_of {
public:
    void operator()(const auto& in, auto& out) {
        out.best = 0;
        for (std::uint8_t i = 1; i < 3; ++i)
            if (in[i].sum > in[out.best].sum) out.best = i;
        out.count += in[out.best].history[3];
    }
};
