#pragma once

#include <string>
#include <vector>

#include "codegen/cpp/body_info.h"
#include "codegen/cpp/data.h"
#include "codegen/cpp/expression.h"
#include "codegen/cpp/generate.h"
#include "codegen/cpp/statement.h"

/// Everything the printers of units and tables share, decided once.
namespace smec::codegen::cpp {

/// Names inside a kernel's unit. A block has an inner function only.
struct LoopNames {
    std::string inner;    ///< the instances of a segment, checks and all
    std::string strided;  ///< of one with unusual strides
    std::string seams;    ///< instances where segments meet
    std::string checks;   ///< looks whether all checks hold
    std::string sure;     ///< for when they do
    std::string rows;     ///< the table of segments
};

struct Program {
    const ir::Design& design;
    const plan::Plan& plan;
    const SourceManager& sources;
    const Options& options;
    std::vector<BodyInfo> classes{};
    std::vector<BodyInfo> functions{};
    std::vector<SiteArguments> arguments{};  ///< per class
    Globals globals{};
    std::vector<std::string>
        classNames{};  ///< per class: of the constant in namespace classes that holds its number
    std::vector<std::string> kernelNames{};     ///< per plan::Plan::kernels
    std::vector<LoopNames> loopNames{};         ///< of their inner functions and tables
    std::string space{};                        ///< namespace of the design
    std::string dataSymbol{};                   ///< of model.bin
    std::vector<std::uint64_t> tableOffsets{};  ///< per table that lies in model.bin
    DataFile data{};
};

/// Analyses all bodies and gives everything its name.
Program prepare(const ir::Design& design, const plan::Plan& plan, const SourceManager& sources,
                const Options& options);

/// Constant arrays up to this size are C++; larger ones lie in model.bin.
bool isTableInData(const ir::Table& table);

/// "ring.sme:12 add", safe in a comment.
std::string locationComment(const Program& program, const SourceRange& range,
                            const std::string& name);

/// Where an initial value is the same for all instances and elements.
bool isUniform(const ir::InitialData& initial);
/// Value of an element for an instance.
const ir::Constant& initialOf(const ir::Plane& plane, std::uint32_t instance,
                              std::uint32_t element);
/// All elements of an instance, or one list when all instances share it, as stored; the offset in
/// model.bin.
std::uint64_t addInitial(DataFile& data, const ir::Plane& plane);

/// Whether a field is read in the slot written in the same cycle.
bool isReadInWriteSlot(const ir::Plane& plane);

/// Element index of `plane`'s instance, in words of its own size from the region's start.
std::uint64_t elementIndex(const Program& program, ir::PlaneId plane, std::int64_t instance);

}  // namespace smec::codegen::cpp
