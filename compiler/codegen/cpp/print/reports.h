#pragma once

#include <string>
#include <vector>

#include "codegen/cpp/print/expression.h"
#include "codegen/cpp/print/site.h"

namespace smec::codegen::cpp {

/// Prints what a body says to the simulator: failures, traces, stops.
class Reports {
public:
    /// `sites`: whose traces and failures the statements name.
    Reports(const BodyInfo& info, const Site& site, Expressions& expr, WayOut& wayOut, Names& names,
            Writer& out)
        : info_(info), site_(site), expr_(expr), wayOut_(wayOut), names_(names), out_(out) {}

    void print(const ir::Check& s);
    void print(const ir::CountRound& s);
    void print(const ir::Trace& s);
    void print(const ir::Stop& s);

private:
    /// sme::trace or sme::fail with an array of sme::Arg; in a long body the function that makes it of
    /// the values.
    void call(const char* function, std::uint32_t site, const std::vector<ir::ExprId>& args,
              const std::vector<Shown>& how);
    std::string values(const std::vector<ir::ExprId>& args, const std::vector<Shown>& how);
    std::string shown(ir::ExprId id, const Shown& how);
    bool inRegisters() const { return info_.arguments == ArgumentForm::Registers; }

    const BodyInfo& info_;
    const Site& site_;
    Expressions& expr_;
    WayOut& wayOut_;
    Names& names_;
    Writer& out_;
};

}  // namespace smec::codegen::cpp
