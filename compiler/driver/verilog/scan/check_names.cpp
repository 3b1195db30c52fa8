#include "driver/verilog/scan/checks.h"

// top.u.count, u.count, row[i].u.count: names in other modules

namespace smec::driver::scan {
namespace {

class Names {
public:
    explicit Names(const Context& context)
        : c_(context), source_(context.source), m_(context.module) {
        for (const Instance& instance : m_.instances) {
            const auto module = c_.modules.find(source_[instance.module].text);
            const bool isInterface = module != c_.modules.end() && module->second->isInterface;
            (isInterface ? interfaces_ : instances_).insert(source_[instance.name].text);
        }
        for (const auto& [name, routine] : m_.routines)
            for (const auto& [local, decl] : routine.locals)
                locals_.insert(local);
    }

    void run() {
        std::set<std::string_view> said;
        std::uint32_t i = source_.find(m_.whole, {";"});
        auto skipped = m_.uncalled.begin();
        for (; i + 1 < m_.whole.end; ++i) {
            for (; skipped != m_.uncalled.end() && skipped->begin <= i; ++skipped)
                i = std::max(i, skipped->end);
            if (source_[i].is("defparam") || source_[i].is("import"))
                i = source_.find({i, m_.whole.end}, {";"});
            if (i + 1 >= m_.whole.end) break;
            if (!source_[i].isName() && !source_[i].is("$root")) continue;
            if (source_[i - 1].is(".") || source_[i - 1].is("::")) continue;
            const std::uint32_t end = chainEnd(i);
            if (end == i + 1 || !reachesOut(i, end)) continue;
            if (said.insert(source_[i].text).second)
                c_.report(RuleId::Hierarchy, i, c_.text({i, end}));
        }
    }

private:
    /// Behind a.b[1].c; behind `a` where no member follows.
    std::uint32_t chainEnd(std::uint32_t i) const {
        std::uint32_t end = i + 1;
        for (std::uint32_t at = i + 1; at + 1 < m_.whole.end;) {
            std::uint32_t behind = at;
            while (behind < m_.whole.end && source_[behind].is("["))
                behind = source_.after(behind, m_.whole.end);
            if (behind + 1 >= m_.whole.end || !source_[behind].is(".")
                || !source_[behind + 1].isName())
                break;
            at = end = behind + 2;
        }
        return end;
    }

    bool reachesOut(std::uint32_t begin, std::uint32_t end) const {
        const std::string_view first = source_[begin].text;
        if (instances_.contains(first) && !m_.decls.contains(first)) return true;
        if (interfaces_.contains(first) || m_.decls.contains(first) || locals_.contains(first))
            return false;
        if (first == "this" || first == "super" || first == "local") return false;
        if (m_.blocks.contains(first) || first.starts_with("genblk")) {
            for (std::uint32_t i = begin + 2; i < end; i = source_.after(i, end)) {
                const bool isLast = i + 1 >= end;
                if (source_[i].isName() && source_[i - 1].is(".") && !isLast
                    && instances_.contains(source_[i].text))
                    return true;
            }
            return false;
        }
        // SystemVerilog has members of many things
        return !m_.isInterface && (!c_.isSystemVerilog || c_.modules.contains(first));
    }

    const Context& c_;
    const Source& source_;
    const Module& m_;
    std::set<std::string_view> instances_, interfaces_, locals_;
};

/// .x($signed(b)), where b has no sign.
void checkConnection(const Context& c, Span part) {
    const Source& source = c.source;
    if (part.size() > 2 && source[part.begin].is(".") && source[part.begin + 2].is("("))
        part = {part.begin + 3, source.after(part.begin + 2, part.end) - 1};
    if (part.size() != 4 || !source[part.begin + 1].is("(") || !source[part.begin + 2].isName())
        return;
    const bool isSigned = source[part.begin].is("$signed");
    if (!isSigned && !source[part.begin].is("$unsigned")) return;
    const Decl* decl = c.find(source[part.begin + 2].text, nullptr);
    if (decl && !decl->isArray && decl->isSigned != isSigned && decl->kind != DeclKind::Other)
        c.report(RuleId::SignedConnection, part.begin, c.text(part));
}

}  // namespace

void checkNames(const Context& context) {
    Names(context).run();
    for (const Instance& instance : context.module.instances)
        for (const Span part : context.source.list(instance.connections))
            checkConnection(context, part);
}

}  // namespace smec::driver::scan
