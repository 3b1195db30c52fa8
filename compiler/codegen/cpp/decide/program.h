#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <vector>

#include "codegen/cpp/decide/body_info.h"
#include "codegen/cpp/decide/data.h"
#include "codegen/cpp/decide/kernel_plan.h"
#include "codegen/cpp/decide/model_plan.h"
#include "codegen/cpp/decide/sites.h"
#include "codegen/cpp/generate.h"

/// Everything that is decided about a design before a line of C++ is printed.
namespace smec::codegen::cpp {

/// What the bodies of a unit use of the rest of the design.
struct UnitUses {
    std::set<std::uint32_t> functions;
    std::set<std::uint32_t> tables;
    std::set<std::uint32_t> sites;  ///< classes whose number is mentioned
    bool wide = false;              ///< words of more than 128 bits
    bool data = false;              ///< a table in tables.bin
    CodeShape shape = CodeShape::Loops;
};

/// How a function gives back what it computes.
enum class Returns : std::uint8_t {
    Nothing,  ///< results are parameters, by reference
    Value,    ///< its only result, a scalar
    Status    ///< whether the activation goes on; results are parameters
};

struct Program {
    const ir::Design& design;
    const plan::Plan& plan;
    const plan::Facts& facts;
    const SourceManager& sources;
    const Options& options;
    std::vector<BodyInfo> classes{};
    std::vector<BodyInfo> functions{};
    std::vector<Needs> functionNeeds{};      ///< their bodies' and what their callees need
    std::vector<Returns> returns{};          ///< of functions
    std::vector<SiteArguments> arguments{};  ///< per class
    std::vector<std::optional<std::uint64_t>> tableOffsets{};  ///< of those that lie in tables.bin
    std::vector<KernelPlan> kernels{};                         ///< per plan::Plan::kernels
    std::vector<UnitUses> units{};                             ///< per plan::Plan::units
    ModelPlan model{};
    DataFile data{};    ///< the constants of model.bin
    DataFile tables{};  ///< tables.bin, which the code names by address
};

/// Analyses all bodies, plans all kernels and fills model.bin and tables.bin. `facts`: of the design.
Program decide(const ir::Design& design, const plan::Plan& plan, const plan::Facts& facts,
               const SourceManager& sources, const Options& options);

/// Where an initial value is the same for all instances and elements.
bool isUniform(const ir::InitialData& initial);
/// Value of an element for an instance.
const ir::Constant& initialOf(const ir::Plane& plane, std::uint32_t instance,
                              std::uint32_t element);
/// All elements of an instance, or one list when all instances share it, as stored; the offset in
/// model.bin.
std::uint64_t addInitial(DataFile& data, const ir::Plane& plane);

/// Element index of `plane`'s instance, in words of its own size from the region's start.
std::uint64_t elementIndex(const Program& program, ir::PlaneId plane, std::int64_t instance);

/// Words from one element of an array to the next, by the order of `plane`, which its first one is in.
std::uint64_t elementDistance(const Program& program, ir::PlaneId plane);

}  // namespace smec::codegen::cpp
