#pragma once

#include "hdl/block_writer.h"
#include "hdl/expressions.h"
#include "hdl/registers.h"

namespace smec::hdl {

/// What a process asserts and assumes. One that is combinational is judged when its values have
/// settled, in Module::checks.
class Assertions {
public:
    Assertions(const ir::Design& design, const ir::Class& cls, Registers& registers,
               Expressions& expressions, Leaves& leaves, ModuleBuilder& builder, BlockWriter& block)
        : design_(design),
          cls_(cls),
          registers_(registers),
          expressions_(expressions),
          leaves_(leaves),
          builder_(builder),
          block_(block) {}

    void convert(const ir::Check& node);

private:
    Assert assertion(const ir::Check& node, const ir::FailSite& site);
    ExprId patternOf(ExprId value, std::uint32_t bits);
    void judgeLater(Assert assertion);
    ExprId settled(ExprId value, const char* name);

    const ir::Design& design_;
    const ir::Class& cls_;
    Registers& registers_;
    Expressions& expressions_;
    Leaves& leaves_;
    ModuleBuilder& builder_;
    BlockWriter& block_;
};

}  // namespace smec::hdl
