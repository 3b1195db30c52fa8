#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "codegen/cpp/decide/type_table.h"
#include "ir/ir.h"
#include "plan/flows.h"
#include "plan/plan.h"

/// What the tables of sme::Model hold beside what the design and the plan say themselves. Rows
/// stand in the order of the tables; types are rows of `types`.
namespace smec::codegen::cpp {

struct Program;

/// What every slot of a plane holds at cycle 0.
using InitialKind = sme::Initial;

struct PlaneRow {
    std::uint32_t type;
    plan::Home home;
    InitialKind initial;
    std::uint64_t initialOffset;  ///< in the constants, unless Zero
};

using ArgumentKind = sme::ArgKind;

struct ArgumentRow {
    ArgumentKind kind;
    std::uint32_t bits;  ///< of the operand's type
    std::uint32_t type;  ///< Typed
};
/// Arguments of a class's traces and failures, by site.
struct SiteRows {
    std::vector<std::vector<ArgumentRow>> traces;
    std::vector<std::vector<ArgumentRow>> fails;
};

/// A kernel that the plan may split and give to threads.
struct WorkRow {
    std::uint32_t kernel;                 ///< of Plan::kernels
    std::uint64_t instances;              ///< into so many parts at most
    std::uint64_t steps;                  ///< process steps of one instance, or in all
    std::vector<plan::OrderedRow> parts;  ///< whose work it is
};

/// A name that is stored in several places has a type of its own.
struct NameRow {
    bool startsAnew;  ///< a variable of a combinational process
    std::optional<std::uint32_t> type;
};

/// What a run of the design may come to.
struct Effects {
    bool stops = false;
    bool fails = false;
    bool isOnce = false;    ///< foreign code that must not run twice
    bool isSerial = false;  ///< some of it are functions
    bool prints = false;
    bool trustsValues = false;  ///< foreign functions
};

struct ModelPlan {
    std::vector<TypeRow> types;
    std::vector<PlaneRow> planes;  ///< per ir::Design::planes
    std::vector<SiteRows> sites;   ///< per ir::Design::classes
    std::vector<WorkRow> work;
    std::vector<plan::Flow> flows;
    std::uint64_t readsOffset = 0;  ///< of rows of sme::Read in the constants
    std::size_t readCount = 0;
    std::vector<NameRow> names;  ///< per ir::Design::names
    std::vector<NameRow> hiddenNames;
    Effects effects;
};

/// Initial values go to the constants.
ModelPlan decideModel(Program& program);

}  // namespace smec::codegen::cpp
