#pragma once

#include <vector>

#include "hdl/block_writer.h"
#include "hdl/expressions.h"
#include "hdl/registers.h"
#include "hdl/word_part.h"
#include "hdl/written_words.h"

namespace smec::hdl {

/// Statements that set locals: whole scalars and elements, bits of a word of a memory, arrays.
class Stores {
public:
    Stores(const ir::Design& design, const ir::Body& body, const std::vector<ir::Interval>& values,
           Registers& registers, Expressions& expressions, Leaves& leaves, ModuleBuilder& builder,
           WrittenWords& written, BlockWriter& block)
        : design_(design),
          body_(body),
          values_(values),
          registers_(registers),
          expressions_(expressions),
          leaves_(leaves),
          builder_(builder),
          written_(written),
          block_(block) {}

    void convert(const ir::Set& node);
    void convert(const ir::CopyArray& node);
    void convert(const ir::FillArray& node);

private:
    void setPart(const WordPart& part, const ir::Set& node);
    void setAndFollow(SignalId to, ExprId index, ExprId value, ir::LocalId memory);
    ExprId insertedBits(const ir::Inserted& bits);
    ExprId once(ExprId value);
    SignalId kept(SignalId of, const char* suffix, ExprId value);
    void copyTable(SignalId to, ir::TableId from);
    void copyInput(SignalId to, const ir::ReadInput& read);
    ExprId place(SignalId to, std::uint32_t i);

    const ir::Design& design_;
    const ir::Body& body_;
    const std::vector<ir::Interval>& values_;
    Registers& registers_;
    Expressions& expressions_;
    Leaves& leaves_;
    ModuleBuilder& builder_;
    WrittenWords& written_;
    BlockWriter& block_;
};

}  // namespace smec::hdl
