#include "elab/names_used.h"

namespace smec::elab {

namespace {

template <typename... Ts>
struct Overloaded : Ts... {
    using Ts::operator()...;
};
template <typename... Ts>
Overloaded(Ts...) -> Overloaded<Ts...>;

/// Pushes the operands of an expression; leaves are visited at once.
class Walker {
public:
    Walker(const ast::Module& module, const NameVisitor& visit) : module_(module), visit_(visit) {}

    void run(ast::ExprId root) {
        push(root);
        while (!stack_.empty()) {
            const ast::ExprId id = stack_.back();
            stack_.pop_back();
            std::visit([&](const auto& node) { step(node); }, module_[id].node);
        }
    }

private:
    void push(ast::ExprId id) {
        if (id.valid()) stack_.push_back(id);
    }
    void step(const ast::Name& name) { visit_(name.text); }
    void step(const ast::Member& member) { push(member.base); }
    void step(const ast::Index& index) { push(index.base), push(index.index); }
    void step(const ast::Star& star) { push(star.base); }
    void step(const ast::Slice& slice) { push(slice.base), push(slice.high), push(slice.low); }
    void step(const ast::Unary& unary) { push(unary.operand); }
    void step(const ast::Binary& binary) { push(binary.left), push(binary.right); }
    void step(const ast::Conditional& node) { push(node.condition), push(node.yes), push(node.no); }
    void step(const ast::Paren& paren) { push(paren.inner); }
    void step(const ast::ArrayLiteral& array) {
        for (const ast::ExprId element : array.elements)
            push(element);
    }
    void step(const ast::Call& call) {
        push(call.callee);
        for (const ast::Argument& argument : call.arguments)
            push(argument.value);
    }
    void step(const ast::IntLiteral&) {}
    void step(const ast::FloatLiteral&) {}
    void step(const ast::BoolLiteral&) {}
    void step(const ast::StringLiteral&) {}
    void step(const ast::Undefined&) {}

    const ast::Module& module_;
    const NameVisitor& visit_;
    std::vector<ast::ExprId> stack_;
};

void namesInFields(const ast::Module& module, const std::vector<ast::FieldDecl>& fields,
                   const NameVisitor& visit) {
    for (const ast::FieldDecl& field : fields) {
        namesInType(module, field.type, visit);
        namesInExpr(module, field.init, visit);
    }
}

void namesInTypeDecl(const ast::Module& module, const ast::TypeDecl& type,
                     const NameVisitor& visit) {
    std::visit(
        Overloaded{[&](const ast::AliasType& alias) { namesInType(module, alias.target, visit); },
                   [&](const auto& fields) { namesInFields(module, fields.fields, visit); }},
        type.node);
}

}  // namespace

void namesInExpr(const ast::Module& module, ast::ExprId expr, const NameVisitor& visit) {
    if (expr.valid()) Walker(module, visit).run(expr);
}

void namesInType(const ast::Module& module, const ast::TypeExpr& type, const NameVisitor& visit) {
    std::visit(
        Overloaded{[&](const ast::NamedType& named) {
                       if (!named.path.empty()) visit(named.path.front().text);
                   },
                   [&](const ast::SizedType& sized) { namesInExpr(module, sized.width, visit); },
                   [&](const ast::ArrayType& array) {
                       namesInExpr(module, array.size, visit);
                       namesInType(module, array.element.front(), visit);
                   },
                   [&](const ast::TypeOf& typeOf) { namesInExpr(module, typeOf.operand, visit); }},
        type.node);
    if (!type.bound) return;
    namesInExpr(module, type.bound->low, visit);
    namesInExpr(module, type.bound->high, visit);
}

void namesInBus(const ast::Module& module, const ast::BusDecl& bus, const NameVisitor& visit) {
    namesInExpr(module, bus.delay, visit);
    for (const ast::ExprId dimension : bus.dimensions)
        namesInExpr(module, dimension, visit);
    if (bus.type) namesInType(module, *bus.type, visit);
    namesInFields(module, bus.fields, visit);
}

void namesInStructure(const ast::Module& module, std::span<const ast::Decl> decls,
                      const NameVisitor& visit) {
    for (const ast::Decl& decl : decls) {
        std::visit(
            Overloaded{[&](const ast::ConstDecl& node) {
                           if (node.type) namesInType(module, *node.type, visit);
                           namesInExpr(module, node.value, visit);
                       },
                       [&](const ast::EnumDecl& node) {
                           for (const ast::EnumMember& member : node.members)
                               namesInExpr(module, member.value, visit);
                       },
                       [&](const ast::TypeDecl& node) { namesInTypeDecl(module, node, visit); },
                       [&](const ast::BusDecl& node) { namesInBus(module, node, visit); },
                       [&](const ast::InstanceDecl& node) {
                           for (const ast::ExprId index : node.indices)
                               namesInExpr(module, index, visit);
                       },
                       [&](const ast::GenerateFor& node) {
                           namesInExpr(module, node.from, visit);
                           namesInExpr(module, node.to, visit);
                           namesInStructure(module, node.body, visit);
                       },
                       [&](const ast::GenerateIf& node) {
                           namesInExpr(module, node.condition, visit);
                           namesInStructure(module, node.yes, visit);
                           namesInStructure(module, node.no, visit);
                       },
                       [](const auto&) {}},
            decl.node);
    }
}

void forEachInstance(const std::vector<ast::Decl>& decls,
                     const std::function<void(const ast::InstanceDecl&)>& visit) {
    for (const ast::Decl& decl : decls) {
        std::visit(
            Overloaded{[&](const ast::InstanceDecl& instance) { visit(instance); },
                       [&](const ast::GenerateFor& loop) { forEachInstance(loop.body, visit); },
                       [&](const ast::GenerateIf& choice) {
                           forEachInstance(choice.yes, visit);
                           forEachInstance(choice.no, visit);
                       },
                       [](const auto&) {}},
            decl.node);
    }
}

}  // namespace smec::elab
