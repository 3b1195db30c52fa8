#include "driver/verilog/scan/port_signs.h"

#include <deque>
#include <optional>

#include <fmt/format.h>

#include "driver/verilog/scan/statements.h"

namespace smec::driver::scan {
namespace {

constexpr int kDeepestNames = 20;  // of types that are names of others

enum class Sign : std::uint8_t { No, Yes, Unknown };

/// Of all together.
class Agreement {
public:
    void add(Sign one) {
        if (!sign_) sign_ = one;
        if (*sign_ != one) sign_ = Sign::Unknown;
    }
    bool isEmpty() const { return !sign_; }
    Sign sign() const { return sign_.value_or(Sign::Unknown); }

private:
    std::optional<Sign> sign_;
};

class Signs {
public:
    Signs(const VerilogInput& input, Texts& texts) : texts_(texts) {
        for (const std::string& file : input.files) {
            Unit unit = preprocess(texts.file(file), input, texts);
            if (!unit.isWhole) continue;
            const Source& source = sources_.emplace_back(std::move(unit.tokens));
            parsed_.push_back(parse(source, static_cast<std::uint32_t>(sources_.size() - 1)));
        }
    }

    PortSigns run() {
        PortSigns signs;
        for (const Parsed& parsed : parsed_) {
            for (const Module& module : parsed.modules) {
                ModuleSigns found;
                for (const auto& [name, decl] : module.decls)
                    take(decl, name, module, found);
                if (found != ModuleSigns{})
                    signs.try_emplace(plain(sources_[module.unit][module.name].text), found);
            }
        }
        return signs;
    }

private:
    static std::string plain(std::string_view name) {
        return std::string(name.substr(name.starts_with('\\') ? 1 : 0));
    }

    void take(const Decl& decl, std::string_view name, const Module& module,
              ModuleSigns& found) const {
        if (decl.isArray || decl.kind == DeclKind::Parameter) return;
        const Source& source = sources_[module.unit];
        Sign sign = decl.isSignedPort ? Sign::Yes : Sign::No;
        if (decl.type != 0)
            sign = decl.hasTypeRange ? Sign::No : named(decl.type, source, &module, 0);
        if (sign == Sign::Yes) found.isSigned.insert(plain(name));
        if (sign != Sign::Unknown) return;
        const Token& at = source[decl.name];
        found.unknown.insert({plain(name),
                              {fmt::format("{0}:{1}.{2}-{1}.{3}", texts_.path(at.file), at.line,
                                           at.column, at.column + at.length),
                               std::string(source[decl.type].text)}});
    }

    /// Of a package, by what is written before a name; null: none is.
    const Module* packageOf(std::uint32_t name, const Source& source) const {
        if (name < 2 || !source[name - 1].is("::")) return nullptr;
        for (const Parsed& parsed : parsed_) {
            for (const Module& module : parsed.modules) {
                if (sources_[module.unit][module.name].text == source[name - 2].text)
                    return &module;
            }
        }
        return nullptr;
    }

    /// By the name of a type.
    Sign named(std::uint32_t name, const Source& source, const Module* module, int depth) const {
        if (depth > kDeepestNames) return Sign::Unknown;
        const std::string_view text = source[name].text;
        if (const Module* package = packageOf(name, source)) module = package;
        if (module) {
            const auto own = module->types.find(text);
            if (own != module->types.end())
                return signOf(own->second, sources_[module->unit], module, depth);
            const auto parameter = module->decls.find(text);
            if (parameter != module->decls.end())
                return given(parameter->second, text, *module, depth);
            if (const Agreement imported = importedBy(*module, text, depth); !imported.isEmpty())
                return imported.sign();
        }
        return elsewhere(text, depth);
    }

    /// Of a parameter: by its default, and by what instances give it, in any module.
    Sign given(const Decl& parameter, std::string_view name, const Module& module,
               int depth) const {
        const Source& own = sources_[module.unit];
        if (parameter.type == 0 || !own[parameter.type].is("type")) return Sign::No;
        Agreement all;
        const auto add = [&](const Source& source, Span words, const Module* in) {
            all.add(signOf(typeOf(source, words), source, in, depth));
        };
        if (!parameter.value.empty()) add(own, parameter.value, &module);
        for (const Parsed& parsed : parsed_) {
            for (const Module& other : parsed.modules) {
                for (const Instance& instance : other.instances) {
                    const Source& source = sources_[other.unit];
                    if (source[instance.module].text != own[module.name].text) continue;
                    if (!source[instance.module + 1].is("#")) continue;
                    const Span inside = between(source, instance.module + 2);
                    if (!inside.empty() && !source[inside.begin].is(".")) return Sign::Unknown;
                    for (const Span part : source.list(inside)) {
                        if (part.size() > 3 && source[part.begin + 1].text == name)
                            add(source, between(source, part.begin + 2), &other);
                    }
                }
            }
        }
        return all.sign();
    }

    /// What is in the brackets that open at a token.
    static Span between(const Source& source, std::uint32_t at) {
        const std::uint32_t behind = source.closing[at];
        return {at + 1, behind > at + 1 ? behind - 1 : at + 1};
    }

    /// Of a package that the module names in an `import`: one for this name counts alone.
    Agreement importedBy(const Module& module, std::string_view name, int depth) const {
        const Source& source = sources_[module.unit];
        Agreement whole, single;
        for (std::uint32_t i = module.whole.begin; i + 2 < module.whole.end; ++i) {
            const bool isOne = source[i + 2].text == name;
            if (!source[i + 1].is("::") || !(isOne || source[i + 2].is("*"))) continue;
            if (i == 0 || !(source[i - 1].is("import") || source[i - 1].is(","))) continue;
            const Module* package = packageOf(i + 2, source);
            if (!package) continue;
            const auto type = package->types.find(name);
            if (type == package->types.end()) continue;
            const Sign sign = signOf(type->second, sources_[package->unit], package, depth);
            (isOne ? single : whole).add(sign);
        }
        return single.isEmpty() ? whole : single;
    }

    /// Of no module, or of any package.
    Sign elsewhere(std::string_view name, int depth) const {
        Agreement all;
        for (std::size_t i = 0; i < parsed_.size(); ++i) {
            const auto mind = [&](const Types& types, const Module* module) {
                const auto found = types.find(name);
                if (found != types.end())
                    all.add(signOf(found->second, sources_[i], module, depth));
            };
            mind(parsed_[i].types, nullptr);
            for (const Module& module : parsed_[i].modules) {
                if (sources_[i][module.word].is("package")) mind(module.types, &module);
            }
        }
        return all.sign();
    }

    Sign signOf(const Type& type, const Source& source, const Module* module, int depth) const {
        if (type.same != 0) return named(type.same, source, module, depth + 1);
        return type.isSigned ? Sign::Yes : Sign::No;
    }

    Texts& texts_;
    std::deque<Source> sources_;
    std::deque<Parsed> parsed_;
};

}  // namespace

PortSigns signedPorts(const VerilogInput& input, Texts& texts) { return Signs(input, texts).run(); }

}  // namespace smec::driver::scan
