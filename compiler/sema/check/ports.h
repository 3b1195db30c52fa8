#pragma once

#include <unordered_map>

#include "sema/check/body_builder.h"

namespace smec::sema {

/// Of the loops around a statement: which elements an index with the variable in it names.
struct LoopBounds {
    hir::LoopKind kind;
    hir::ExprId from, to;
};

/// The buses that a body sees: the ports of the process and its own buses, and those at the end of
/// paths that leave it. Keeps which fields, and which elements of array ports, are read and driven.
class Ports {
public:
    Ports(Core& core, BodyBuilder& build, ConstantUses& uses, hir::ProcKind kind)
        : reporter_(core.reporter),
          design_(core.design),
          limits_(core.limits),
          build_(build),
          uses_(uses),
          kind_(kind) {}

    void add(const PortInput& input);
    /// The port of a path; `text` is the path without blanks.
    std::uint32_t addReference(const std::string& text, const ResolvedPath& path, ExprRef ref,
                               SourceRange range);
    std::optional<std::uint32_t> find(const std::string& name) const;
    const std::vector<hir::Port>& all() const { return ports_; }
    hir::Port& operator[](std::size_t port) { return ports_[port]; }
    const hir::Port& operator[](std::size_t port) const { return ports_[port]; }
    const std::vector<hir::FieldShape>& fields(std::size_t port) const;
    std::optional<std::uint32_t> fieldNamed(std::size_t port, std::string_view name) const;
    /// A parameter declared `out`, or no parameter.
    bool isOut(std::size_t port) const { return isOut_[port]; }

    // ---- what the body does with them (port_elements.cpp)
    void noteRead(const Operand& bus, std::uint32_t field);
    /// Reports a field that the process may not drive.
    bool noteWrite(const Operand& bus, std::uint32_t field, SourceRange range);
    void noteLoop(hir::VarId var, const LoopBounds& bounds) { loops_[var.index] = bounds; }
    bool shapesElements(bool isTarget) const;

    // ---- at the end
    std::vector<hir::Port> take();
    std::vector<ExprRef> takeReferences() { return std::move(referencePaths_); }

private:
    /// Elements of an array port that the text of a body names for one field.
    struct ElementUses {
        bool all = false;
        std::vector<std::uint64_t> elements;
        hir::ElementSet finish(std::uint32_t count) const;
    };
    struct FieldUses {
        ElementUses reads, writes;
    };
    class Unroller;
    std::uint32_t add(hir::Port port, bool isOut);
    bool mayWrite(std::size_t port, bool flip) const;
    void noteElement(ElementUses& uses, const Operand& bus, bool isTarget);

    Reporter& reporter_;
    const hir::Design& design_;
    const Limits& limits_;
    BodyBuilder& build_;
    ConstantUses& uses_;
    const hir::ProcKind kind_;
    std::vector<hir::Port> ports_;
    std::vector<bool> isOut_;  ///< parallel to ports_
    std::unordered_map<std::string, std::uint32_t> names_;
    std::unordered_map<std::string, std::uint32_t> references_;
    std::vector<ExprRef> referencePaths_;
    std::vector<std::vector<FieldUses>> elementUses_;      ///< parallel to the fields of ports_
    std::unordered_map<std::uint32_t, LoopBounds> loops_;  ///< by the loop's variable
};

}  // namespace smec::sema
