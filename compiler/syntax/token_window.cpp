#include "syntax/token_window.h"

#include <algorithm>

namespace smec::syntax {

void TokenWindow::startAt(std::size_t index) {
    objects_.clear();
    base_ = index;
    at_ = index;
}

std::size_t TokenWindow::LA(ssize_t offset) {
    std::size_t index = std::min(at_ + static_cast<std::size_t>(offset) - 1, tokens_.size() - 1);
    std::uint16_t type = typeAt(index);
    return type == kEndOfFile ? antlr4::Token::EOF : type;
}

antlr4::Token* TokenWindow::LT(ssize_t offset) {
    if (offset < 0) return at_ > base_ ? objectAt(at_ - 1) : nullptr;
    return objectAt(at_ + static_cast<std::size_t>(offset) - 1);
}

SmeToken* TokenWindow::objectAt(std::size_t index) const {
    index = std::min(index, tokens_.size() - 1);
    for (std::size_t next = base_ + objects_.size(); next <= index; ++next)
        objects_.emplace_back(next, tokens_[next], typeAt(next));
    return &objects_[index - base_];
}

}  // namespace smec::syntax
