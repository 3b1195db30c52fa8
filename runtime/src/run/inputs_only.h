#pragma once

#include "engine/engine.h"
#include "trace/input.h"

namespace sme {

/// Drives the inputs of cycles of which nobody is told: they are only measured, or run once more.
class InputsOnly final : public Observer {
public:
    explicit InputsOnly(InputDriver* input) : input_(input) {
        wantsDuring = onlyDrives = input != nullptr;
    }
    void begin(std::uint64_t cycle) override {
        if (input_) input_->drive(cycle);
    }
    std::uint32_t during(std::uint64_t cycle) override {
        return input_->drive(cycle + 1) == Rows::Found::Problem ? std::uint32_t{kBadRow} : 0;
    }
    std::uint32_t between(std::uint64_t) override { return 0; }

private:
    InputDriver* input_;
};

}  // namespace sme
