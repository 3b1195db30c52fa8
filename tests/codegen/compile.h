#pragma once

#include <string>
#include <vector>

#include "codegen/cpp/generate.h"
#include "ir/ir.h"
#include "plan/plan.h"

namespace smec::test {

struct Outcome {
    int status = -1;
    std::string output;  ///< stdout and stderr
};
Outcome shell(const std::string& command);

/// CHECKs that the part is there.
void contains(const std::string& text, const std::string& part);

/// Generated code in a directory of its own, removed at the end.
class Build {
public:
    Build(const ir::Design& design, const plan::Options& options = {},
          const codegen::cpp::Options& cpp = {});
    Build(plan::Plan plan, const ir::Design& design, const codegen::cpp::Options& cpp = {});
    ~Build();
    Build(const Build&) = delete;
    Build& operator=(const Build&) = delete;

    const codegen::cpp::SourceBundle& bundle() const { return bundle_; }
    const plan::Plan& plan() const { return plan_; }
    const std::string& folder() const { return folder_; }
    std::string text(const std::string& file) const { return bundle_.files.at(file); }
    /// All units, in order.
    std::string units() const;
    /// Compiles everything but design.cpp; `flags` after the usual ones. What the compiler says.
    Outcome compile(const std::string& flags = "-O2");
    /// Compiles, links with a harness of the tests and runs it.
    Outcome run(const std::string& harness, const std::string& arguments = "",
                const std::string& flags = "-O1");

private:
    std::string folder_;
    plan::Plan plan_;
    codegen::cpp::SourceBundle bundle_;
};

}  // namespace smec::test
