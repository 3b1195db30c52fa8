#pragma once
#include <cstdint>
#include <memory>

class counter {
public:
    void operator()(auto& c) { c.n = ++*count_; }

private:
    std::unique_ptr<std::uint32_t> count_ = std::make_unique<std::uint32_t>(0);
};
