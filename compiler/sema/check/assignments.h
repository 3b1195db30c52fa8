#pragma once

#include "sema/check/targets.h"

namespace smec::sema {

class Buses;
class Conversions;
class Expressions;
class Judgements;
class Operators;

/// Assignments to places and whole buses.
class Assignments {
public:
    Assignments(const CheckContext& in, Buses& buses, Operators& operators,
                Expressions& expressions, Conversions& conversions, Judgements& judgements,
                Targets& targets)
        : reporter_(in.core.reporter),
          types_(in.core.types()),
          busTypes_(in.core.busTypes),
          scope_(in.scope),
          process_(in.process),
          module_(in.module),
          uses_(in.uses),
          build_(in.build),
          ports_(in.ports),
          buses_(buses),
          operators_(operators),
          expressions_(expressions),
          conversions_(conversions),
          judgements_(judgements),
          targets_(targets) {}

    void assign(const ast::Assign& node, SourceRange range, hir::Block& out);

private:
    void assignCompound(const ast::Assign& node, Target& target, SourceRange range,
                        hir::Block& out);
    void assignBus(Target& target, const ast::Assign& node, SourceRange range, hir::Block& out);
    bool copyField(const Operand& to, const Operand& from, const hir::FieldShape& field,
                   SourceRange range, hir::Block& out);

    Reporter& reporter_;
    hir::TypeTable& types_;
    BusTypes& busTypes_;
    const Scope& scope_;
    const ast::ProcDecl* process_;
    const ast::Module& module_;
    ConstantUses& uses_;
    BodyBuilder& build_;
    Ports& ports_;
    Buses& buses_;
    Operators& operators_;
    Expressions& expressions_;
    Conversions& conversions_;
    Judgements& judgements_;
    Targets& targets_;
};

}  // namespace smec::sema
