#pragma once

#include "driver/compile/interpreter.h"

namespace smec::driver {

/// The reference interpreter, in this process.
class ReferenceInterpreter final : public Interpreter {
public:
    int run(const CompileOptions& options, const std::vector<std::string>& arguments,
            const std::string& note) const override;
};

}  // namespace smec::driver
