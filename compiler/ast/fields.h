#pragma once

#include <tuple>

#include "ast/ast.h"

/// The members of every plain node, for code that treats all nodes alike.
namespace smec::ast {

inline auto fields(const IntLiteral& n) { return std::tie(n.value); }
inline auto fields(const FloatLiteral& n) { return std::tie(n.value); }
inline auto fields(const BoolLiteral& n) { return std::tie(n.value); }
inline auto fields(const CharacterLiteral& n) { return std::tie(n.value); }
inline auto fields(const StringLiteral& n) { return std::tie(n.value); }
inline auto fields(const Undefined&) { return std::tie(); }
inline auto fields(const Name& n) { return std::tie(n.text); }
inline auto fields(const Member& n) { return std::tie(n.base, n.name); }
inline auto fields(const Index& n) { return std::tie(n.base, n.index); }
inline auto fields(const Star& n) { return std::tie(n.base); }
inline auto fields(const Slice& n) { return std::tie(n.base, n.high, n.low); }
inline auto fields(const IndexedSlice& n) { return std::tie(n.base, n.low, n.width); }
inline auto fields(const Unary& n) { return std::tie(n.op, n.operand); }
inline auto fields(const Binary& n) { return std::tie(n.op, n.left, n.right); }
inline auto fields(const Conditional& n) { return std::tie(n.condition, n.yes, n.no); }
inline auto fields(const ArrayLiteral& n) { return std::tie(n.elements); }
inline auto fields(const Paren& n) { return std::tie(n.inner); }
inline auto fields(const Argument& n) { return std::tie(n.name, n.value); }
inline auto fields(const Call& n) { return std::tie(n.callee, n.arguments); }

inline auto fields(const NamedType& n) { return std::tie(n.path); }
inline auto fields(const SizedType& n) { return std::tie(n.isSigned, n.width); }
inline auto fields(const ArrayType& n) { return std::tie(n.size, n.element); }
inline auto fields(const TypeOf& n) { return std::tie(n.operand); }
inline auto fields(const RangeBound& n) { return std::tie(n.low, n.high); }
inline auto fields(const TypeExpr& n) { return std::tie(n.node, n.bound); }

inline auto fields(const Block& n) { return std::tie(n.statements); }
inline auto fields(const VarDecl& n) { return std::tie(n.name, n.type, n.init); }
inline auto fields(const Assign& n) { return std::tie(n.target, n.op, n.value); }
inline auto fields(const IfBranch& n) { return std::tie(n.condition, n.body); }
inline auto fields(const If& n) { return std::tie(n.branches, n.otherwise); }
inline auto fields(const For& n) { return std::tie(n.variable, n.from, n.direction, n.to, n.body); }
inline auto fields(const While& n) { return std::tie(n.condition, n.body); }
inline auto fields(const CaseLabel& n) { return std::tie(n.first, n.last); }
inline auto fields(const Case& n) { return std::tie(n.labels, n.body); }
inline auto fields(const Switch& n) { return std::tie(n.subject, n.cases, n.otherwise); }
inline auto fields(const Break&) { return std::tie(); }
inline auto fields(const Continue&) { return std::tie(); }
inline auto fields(const Return& n) { return std::tie(n.value); }
inline auto fields(const Trace& n) { return std::tie(n.format, n.arguments); }
inline auto fields(const Assert& n) {
    return std::tie(n.isAssume, n.condition, n.message, n.arguments, n.messageFirst);
}
inline auto fields(const Cover& n) { return std::tie(n.condition, n.name); }
inline auto fields(const Stop& n) { return std::tie(n.status); }
inline auto fields(const Wait& n) { return std::tie(n.count, n.isBarrier); }
inline auto fields(const WaitUntil& n) { return std::tie(n.condition); }
inline auto fields(const Stmt& n) { return std::tie(n.node); }

inline auto fields(const Import& n) { return std::tie(n.path, n.alias, n.names); }
inline auto fields(const ConstDecl& n) { return std::tie(n.name, n.type, n.value); }
inline auto fields(const EnumMember& n) { return std::tie(n.name, n.value); }
inline auto fields(const EnumDecl& n) { return std::tie(n.name, n.members); }
inline auto fields(const FieldDecl& n) { return std::tie(n.hold, n.flip, n.name, n.type, n.init); }
inline auto fields(const AliasType& n) { return std::tie(n.target); }
inline auto fields(const StructType& n) { return std::tie(n.fields); }
inline auto fields(const BusType& n) { return std::tie(n.fields); }
inline auto fields(const TypeDecl& n) { return std::tie(n.name, n.node); }
inline auto fields(const FuncParam& n) { return std::tie(n.name, n.type); }
inline auto fields(const FuncDecl& n) { return std::tie(n.name, n.params, n.result, n.body); }
inline auto fields(const ExternFunc& n) {
    return std::tie(n.serial, n.name, n.params, n.result, n.header);
}
inline auto fields(const Param& n) {
    return std::tie(n.kind, n.dimensions, n.name, n.type, n.defaultValue);
}
inline auto fields(const BusDecl& n) {
    return std::tie(n.exposed, n.hold, n.unique, n.delay, n.name, n.dimensions, n.type, n.fields);
}
inline auto fields(const InstanceDecl& n) {
    return std::tie(n.name, n.indices, n.entity, n.arguments);
}
inline auto fields(const GenerateFor& n) {
    return std::tie(n.variable, n.from, n.isUntil, n.to, n.body);
}
inline auto fields(const GenerateIf& n) { return std::tie(n.condition, n.yes, n.no); }
inline auto fields(const ForeignBody& n) { return std::tie(n.language, n.file); }
inline auto fields(const ForeignProc& n) { return std::tie(n.bodies); }
inline auto fields(const ProcDecl& n) {
    return std::tie(n.kind, n.isSyncWord, n.name, n.params, n.decls, n.body, n.external);
}
inline auto fields(const NetworkDecl& n) { return std::tie(n.name, n.params, n.decls); }
inline auto fields(const Decl& n) { return std::tie(n.node); }

template <typename T>
concept Node = requires(const T& node) { fields(node); };

}  // namespace smec::ast
