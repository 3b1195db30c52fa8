#include "hdl/written_words.h"

namespace smec::hdl {

bool WrittenWords::hasAny(ir::LocalId memory) const {
    const auto found = words_.find(memory.index);
    return found != words_.end() && !found->second.empty();
}

ExprId WrittenWords::read(ir::LocalId memory, ExprId index, ExprId stored,
                          ModuleBuilder& builder) const {
    for (const Word& word : words_.at(memory.index)) {
        ExprId hits = builder.make(Op::Eq, kBool, index, builder.ref(word.at));
        if (word.isSet.valid())
            hits = builder.make(Op::LogicalAnd, kBool, builder.ref(word.isSet), hits);
        stored =
            builder.make(Op::Choose, builder.type(stored), hits, builder.ref(word.value), stored);
    }
    return stored;
}

void WrittenWords::join(const WrittenWords& before, const WrittenWords& other) {
    for (auto& [memory, words] : words_) {
        const auto known = static_cast<std::ptrdiff_t>(before.words_.at(memory).size());
        const std::vector<Word>& more = other.words_.at(memory);
        words.insert(words.begin() + known, more.begin() + known, more.end());
    }
}

}  // namespace smec::hdl
