#pragma once

#include <string>
#include <string_view>

#include "ast/ast.h"

/// How small things are spelled in source text.
namespace smec::ast {

std::string_view spelling(UnaryOp op);
std::string_view spelling(BinaryOp op);
std::string_view spelling(LoopDirection direction);
std::string_view spelling(ParamKind kind);
/// Empty for a process without a word; "sync" is kept by ProcDecl::isSyncWord.
std::string_view spelling(ProcKind kind);

/// A string literal with its quotes and escapes.
std::string stringText(std::string_view text);
/// The same of a character.
std::string characterText(std::uint8_t value);
/// The shortest literal that reads as the same number; never an integer literal.
std::string floatText(double value);
std::string joined(const std::vector<Identifier>& path, std::string_view separator);

}  // namespace smec::ast
