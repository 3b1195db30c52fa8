#include "driver/verilog/scan/port_signs.h"

#include <deque>

#include "driver/verilog/scan/model.h"

namespace smec::driver::scan {
namespace {

constexpr int kDeepestNames = 20;  // of types that are names of others

class Signs {
public:
    Signs(const VerilogInput& input, Texts& texts) {
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
                std::set<std::string, std::less<>> ports;
                for (const auto& [name, decl] : module.decls) {
                    if (isSigned(decl, module)) ports.insert(plain(name));
                }
                if (!ports.empty())
                    signs.try_emplace(plain(sources_[module.unit][module.name].text), ports);
            }
        }
        return signs;
    }

private:
    static std::string plain(std::string_view name) {
        return std::string(name.substr(name.starts_with('\\') ? 1 : 0));
    }

    bool isSigned(const Decl& decl, const Module& module) const {
        if (decl.isArray) return false;
        if (decl.type == 0) return decl.isSignedPort;
        return !decl.hasTypeRange && isSignedType(decl.type, sources_[module.unit], &module, 0);
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

    bool isSignedType(std::uint32_t name, const Source& source, const Module* module,
                      int depth) const {
        if (depth > kDeepestNames) return false;
        const std::string_view text = source[name].text;
        if (const Module* package = packageOf(name, source)) module = package;
        if (module) {
            const auto own = module->types.find(text);
            if (own != module->types.end())
                return has(own->second, sources_[module->unit], module, depth);
            if (module->decls.contains(text)) return false;  // a parameter
        }
        return isSignedElsewhere(text, depth);
    }

    /// Of no module, or of a package that is imported; where they differ none has a sign.
    bool isSignedElsewhere(std::string_view name, int depth) const {
        bool isAny = false;
        for (std::size_t i = 0; i < parsed_.size(); ++i) {
            const auto mind = [&](const Types& types, const Module* module) {
                const auto found = types.find(name);
                if (found == types.end()) return true;
                isAny = true;
                return has(found->second, sources_[i], module, depth);
            };
            if (!mind(parsed_[i].types, nullptr)) return false;
            for (const Module& module : parsed_[i].modules) {
                const bool isPackage = sources_[i][module.word].is("package");
                if (isPackage && !mind(module.types, &module)) return false;
            }
        }
        return isAny;
    }

    bool has(const Type& type, const Source& source, const Module* module, int depth) const {
        return type.same == 0 ? type.isSigned : isSignedType(type.same, source, module, depth + 1);
    }

    std::deque<Source> sources_;
    std::deque<Parsed> parsed_;
};

}  // namespace

PortSigns signedPorts(const VerilogInput& input, Texts& texts) { return Signs(input, texts).run(); }

}  // namespace smec::driver::scan
