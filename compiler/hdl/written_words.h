#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "hdl/module_builder.h"

namespace smec::hdl {

/// What an activation has set in memories that it reads after that, and which stay memories: a
/// read asks whether it is of one of these words.
///
///   mem[i] = a;  y.v = mem[j];     mem_at := i;  mem_word := a;  mem[mem_at] <= mem_word;
///                                  y_v <= mem_at == j ? mem_word : mem[j];
class WrittenWords {
public:
    /// `isSet` is invalid where the activation always sets the word.
    struct Word {
        SignalId isSet, at, value;
    };

    void follow(ir::LocalId memory) { words_[memory.index] = {}; }
    bool follows(ir::LocalId memory) const { return words_.contains(memory.index); }
    void add(ir::LocalId memory, const Word& word) { words_.at(memory.index).push_back(word); }
    bool hasAny(ir::LocalId memory) const;
    /// What is read at `index`, where `stored` was there before the activation.
    ExprId read(ir::LocalId memory, ExprId index, ExprId stored, ModuleBuilder& builder) const;
    /// After branches: what the `other` has set, too, beside what there was `before` both.
    void join(const WrittenWords& before, const WrittenWords& other);

private:
    std::unordered_map<std::uint32_t, std::vector<Word>> words_;  ///< by LocalId
};

}  // namespace smec::hdl
