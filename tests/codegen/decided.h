#pragma once

#include "codegen/cpp/decide/program.h"
#include "designs.h"

namespace smec::test {

/// A design with everything that a Program refers to.
class Decided {
public:
    explicit Decided(ir::Design design, const codegen::cpp::Options& options = {},
                     const plan::Options& planned = {})
        : design_(std::move(design)),
          options_(options),
          facts_(plan::factsOf(design_)),
          plan_(plan::build(design_, facts_, planned)),
          program_(codegen::cpp::decide(design_, plan_, facts_, sources_, options_)) {}

    const codegen::cpp::Program& program() const { return program_; }
    const codegen::cpp::LoopPlan& loop(std::size_t kernel = 0) const {
        return std::get<codegen::cpp::LoopPlan>(program_.kernels.at(kernel));
    }
    const codegen::cpp::BlockPlan& block(std::size_t kernel = 0) const {
        return std::get<codegen::cpp::BlockPlan>(program_.kernels.at(kernel));
    }

private:
    ir::Design design_;
    SourceManager sources_;
    codegen::cpp::Options options_;
    plan::Facts facts_;
    plan::Plan plan_;
    codegen::cpp::Program program_;
};

}  // namespace smec::test
