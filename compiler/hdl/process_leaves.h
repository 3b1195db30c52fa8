#pragma once

#include <cstdint>
#include <map>
#include <unordered_map>
#include <utility>
#include <vector>

#include "hdl/block_writer.h"
#include "hdl/leaves.h"
#include "hdl/registers.h"
#include "hdl/written_words.h"

namespace smec::hdl {

/// The leaves of a class's body as signals of its module, which come to be when they are read.
class ProcessLeaves : public Leaves {
public:
    ProcessLeaves(const ir::Design& design, const ir::Class& cls, ModuleBuilder& builder,
                  Registers& registers, const WrittenWords& written, BlockWriter& block)
        : design_(design),
          cls_(cls),
          builder_(builder),
          registers_(registers),
          written_(written),
          block_(block) {}

    ExprId local(ir::LocalId id, ExprId index) override;
    ExprId input(std::uint32_t number, ExprId place) override;
    ExprId column(std::uint32_t number) override;
    ExprId table(ir::TableId id, ExprId index) override;
    ExprId cycle() override;
    ExprId hold(ExprId value) override;

    /// Parameters for columns that the body reads, with their numbers.
    const std::vector<std::pair<SignalId, std::uint32_t>>& columns() const { return columns_; }
    /// Counts cycles; invalid where nothing reads it.
    SignalId cycleCounter() const { return cycle_; }

private:
    ExprId read(SignalId id, ExprId index);
    SignalId declareColumn(std::uint32_t number);
    SignalId declareTable(ir::TableId id);

    const ir::Design& design_;
    const ir::Class& cls_;
    ModuleBuilder& builder_;
    Registers& registers_;
    const WrittenWords& written_;
    BlockWriter& block_;
    std::vector<std::pair<SignalId, std::uint32_t>> columns_;
    std::unordered_map<std::uint32_t, SignalId> columnSignals_, tables_;
    SignalId cycle_;
};

}  // namespace smec::hdl
