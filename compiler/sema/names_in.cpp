#include "sema/names_in.h"

#include "sema/core.h"

namespace smec::sema {

namespace {

class NameCollector {
public:
    NameCollector(const ast::Module& module, std::unordered_set<std::string_view>& names)
        : module_(module), names_(names) {}

    void expr(ast::ExprId root) {
        std::vector<ast::ExprId> work{root};
        while (!work.empty()) {
            ast::ExprId id = work.back();
            work.pop_back();
            if (id.valid()) visit(module_[id], work);
        }
    }

    void type(const ast::TypeExpr& type) {
        std::visit(Overloaded{[&](const ast::NamedType& n) { names_.insert(n.path.front().text); },
                              [&](const ast::SizedType& n) { expr(n.width); },
                              [&](const ast::ArrayType& n) {
                                  expr(n.size);
                                  this->type(n.element.front());
                              },
                              [&](const ast::TypeOf& n) { expr(n.operand); }},
                   type.node);
        if (!type.bound) return;
        expr(type.bound->low);
        expr(type.bound->high);
    }

    void decls(const std::vector<ast::Decl>& decls) {
        for (const ast::Decl& one : decls)
            decl(one);
    }

    void params(const std::vector<ast::Param>& params) {
        for (const ast::Param& param : params) {
            if (param.type) type(*param.type);
            expr(param.arraySize);
            expr(param.defaultValue);
        }
    }

    void block(const ast::Block& block) {
        for (const ast::Stmt& one : block.statements)
            statement(one);
    }

private:
    void visit(const ast::Expr& expr, std::vector<ast::ExprId>& work) {
        std::visit(Overloaded{[&](const ast::Name& n) { names_.insert(n.text); },
                              [&](const ast::Member& n) { work.push_back(n.base); },
                              [&](const ast::Index& n) {
                                  work.insert(work.end(), {n.base, n.index});
                              },
                              [&](const ast::Star& n) { work.push_back(n.base); },
                              [&](const ast::Slice& n) {
                                  work.insert(work.end(), {n.base, n.high, n.low});
                              },
                              [&](const ast::Unary& n) { work.push_back(n.operand); },
                              [&](const ast::Binary& n) {
                                  work.insert(work.end(), {n.left, n.right});
                              },
                              [&](const ast::Conditional& n) {
                                  work.insert(work.end(), {n.condition, n.yes, n.no});
                              },
                              [&](const ast::ArrayLiteral& n) {
                                  work.insert(work.end(), n.elements.begin(), n.elements.end());
                              },
                              [&](const ast::Paren& n) { work.push_back(n.inner); },
                              [&](const ast::Call& n) {
                                  work.push_back(n.callee);
                                  for (const ast::Argument& argument : n.arguments)
                                      work.push_back(argument.value);
                              },
                              [](const auto&) {}},
                   expr.node);
    }

    void fields(const std::vector<ast::FieldDecl>& fields) {
        for (const ast::FieldDecl& field : fields) {
            type(field.type);
            expr(field.init);
        }
    }

    void decl(const ast::Decl& decl) {
        std::visit(Overloaded{[&](const ast::ConstDecl& n) {
                                  if (n.type) type(*n.type);
                                  expr(n.value);
                              },
                              [&](const ast::EnumDecl& n) {
                                  for (const ast::EnumMember& member : n.members)
                                      expr(member.value);
                              },
                              [&](const ast::TypeDecl& n) { typeDecl(n); },
                              [&](const ast::FuncDecl& n) {
                                  for (const ast::FuncParam& param : n.params)
                                      type(param.type);
                                  type(n.result);
                                  block(n.body);
                              },
                              [&](const ast::BusDecl& n) {
                                  expr(n.delay);
                                  for (ast::ExprId id : n.dimensions)
                                      expr(id);
                                  if (n.type) type(*n.type);
                                  fields(n.fields);
                              },
                              [&](const ast::VarDecl& n) {
                                  type(n.type);
                                  expr(n.init);
                              },
                              [&](const ast::InstanceDecl& n) {
                                  expr(n.entity);
                                  for (ast::ExprId id : n.indices)
                                      expr(id);
                                  for (const ast::Argument& argument : n.arguments)
                                      expr(argument.value);
                              },
                              [&](const ast::GenerateFor& n) {
                                  expr(n.from);
                                  expr(n.to);
                                  decls(n.body);
                              },
                              [&](const ast::GenerateIf& n) {
                                  expr(n.condition);
                                  decls(n.yes);
                                  decls(n.no);
                              },
                              [&](const ast::ExternFunc& n) {
                                  for (const ast::FuncParam& param : n.params)
                                      type(param.type);
                                  if (n.result) type(*n.result);
                              },
                              [&](const ast::ProcDecl& n) {
                                  params(n.params);
                                  decls(n.decls);
                                  block(n.body);
                              },
                              [&](const ast::NetworkDecl& n) {
                                  params(n.params);
                                  decls(n.decls);
                              },
                              [](const ast::Import&) {}},
                   decl.node);
    }

    void typeDecl(const ast::TypeDecl& decl) {
        std::visit(Overloaded{[&](const ast::AliasType& n) { type(n.target); },
                              [&](const ast::StructType& n) { fields(n.fields); },
                              [&](const ast::BusType& n) { fields(n.fields); }},
                   decl.node);
    }

    void statement(const ast::Stmt& statement) {
        auto all = [&](const std::vector<ast::ExprId>& ids) {
            for (ast::ExprId id : ids)
                expr(id);
        };
        std::visit(Overloaded{[&](const ast::VarDecl& n) {
                                  type(n.type);
                                  expr(n.init);
                              },
                              [&](const ast::Assign& n) {
                                  all({n.target, n.value});
                              },
                              [&](const ast::If& n) {
                                  for (const ast::IfBranch& branch : n.branches) {
                                      expr(branch.condition);
                                      block(branch.body);
                                  }
                                  if (n.otherwise) block(*n.otherwise);
                              },
                              [&](const ast::For& n) {
                                  all({n.from, n.to});
                                  block(n.body);
                              },
                              [&](const ast::While& n) {
                                  expr(n.condition);
                                  block(n.body);
                              },
                              [&](const ast::Switch& n) {
                                  expr(n.subject);
                                  for (const ast::Case& one : n.cases) {
                                      all(one.labels);
                                      block(one.body);
                                  }
                                  if (n.otherwise) block(*n.otherwise);
                              },
                              [](const ast::Break&) {}, [](const ast::Continue&) {},
                              [&](const ast::Return& n) { expr(n.value); },
                              [&](const ast::Trace& n) { all(n.arguments); },
                              [&](const ast::Assert& n) {
                                  expr(n.condition);
                                  all(n.arguments);
                              },
                              [&](const ast::Cover& n) { expr(n.condition); },
                              [&](const ast::Stop& n) { expr(n.status); },
                              [&](const ast::Wait& n) { expr(n.count); },
                              [&](const ast::WaitUntil& n) { expr(n.condition); },
                              [&](const ast::Block& n) { block(n); }},
                   statement.node);
    }

    const ast::Module& module_;
    std::unordered_set<std::string_view>& names_;
};

}  // namespace

Names namesIn(const ast::Module& module, const std::vector<ast::Param>& params,
              const std::vector<ast::Decl>& decls, const ast::Block* body) {
    Names names;
    NameCollector collector(module, names);
    collector.params(params);
    collector.decls(decls);
    if (body) collector.block(*body);
    return names;
}

}  // namespace smec::sema
