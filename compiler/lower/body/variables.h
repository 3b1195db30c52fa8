#pragma once

#include <deque>
#include <unordered_map>

#include "lower/body/writer.h"

namespace smec::lower {

/// The locals of a body that its source asks for: variables, the fields it drives, and what is
/// hidden in its process.
class Variables {
public:
    Variables(Context& context, const ClassShape& shape, const hir::Body& source, ir::Body& body,
              Writer& writer)
        : context_(context), shape_(shape), source_(source), body_(body), writer_(writer) {}

    void declareForFunction();
    void declareForProcess();
    /// Puts a variable in place of a parameter, and returns the parameter.
    std::vector<ir::LocalId> replaceParameter(std::uint32_t number);

    /// One local for each leaf; the addresses stay.
    const std::vector<ir::LocalId>& of(std::uint32_t variable) const { return vars_[variable]; }
    ir::LocalId scalar(std::uint32_t variable) const { return vars_[variable][0]; }
    const std::vector<ir::LocalId>& output(std::uint32_t port, std::uint32_t field) const {
        return outputs_[port][field];
    }
    /// State locals from ClassShape::firstHidden on.
    ir::LocalId hidden(std::size_t number) const { return hidden_[number]; }
    /// Whether the condition of a Cover held already in this activation; invalid: it is asked once.
    ir::LocalId covered(std::uint32_t cover) const { return covered_[cover]; }

    // ---- of a body that waits
    ir::LocalId state() const { return state_; }
    ir::LocalId waitCount() const { return waitCount_; }
    ir::LocalId lastValue(const hir::For& loop) const { return lastValues_.at(&loop); }

private:
    void declare(const hir::Variable& variable, bool mayBeKept, std::uint32_t& stateSlot);
    void declareOutputs();
    void declareHidden();

    Context& context_;
    const ClassShape& shape_;
    const hir::Body& source_;
    ir::Body& body_;
    Writer& writer_;
    std::deque<std::vector<ir::LocalId>> vars_;                   ///< by VarId
    std::vector<std::vector<std::vector<ir::LocalId>>> outputs_;  ///< [port][field]
    std::vector<ir::LocalId> hidden_;
    std::vector<ir::LocalId> covered_;
    ir::LocalId state_, waitCount_;
    std::unordered_map<const hir::For*, ir::LocalId> lastValues_;
};

}  // namespace smec::lower
