#include "codegen/cpp/activation.h"

namespace smec::codegen::cpp {
namespace {

constexpr std::uint32_t kNone = UINT32_MAX;

bool isBool(const ir::Scalar& scalar) { return scalar.kind == ir::ScalarKind::Bool; }

class Activation {
public:
    Activation(const Program& program, ir::ClassId id, const Storage& storage, Names& names,
               Writer& out)
        : program_(program),
          cls_(program.design.classes[id.index]),
          info_(program.classes[id.index]),
          storage_(storage),
          touched_(touchedBy(cls_, info_)),
          names_(names),
          out_(out) {
        leaves_.selections = storage.selections;
        leaves_.locals.resize(cls_.body.locals.size());
    }

    void print(const Site& site) {
        loadInputs();
        loadColumns();
        loadState();
        beginOutputs();
        nameTemporaries();
        if (info_.needs.rounds) out_.line("u64 rounds = 0;");
        body(site);
        if (site.checks != Checks::Collect) store();
    }

private:
    void load(const std::string& name, const ir::StorageType& type, const std::string& place,
              bool isConst) {
        const char* constness = isConst ? "const " : "";
        const std::string stored = nameOf(storedWord(type.scalar));
        if (type.isArray())
            out_.line("{}{}* const {} = {};", constness, stored, name, place);
        else if (isBool(type.scalar))
            out_.line("{}bool {} = {} != 0;", constness, name, place);
        else
            out_.line("{}{} {} = {};", constness, stored, name, place);
    }

    static Place placeOf(const std::string& name, const ir::StorageType& type) {
        return {name, type.isArray() ? storedWord(type.scalar) : variableWord(type.scalar)};
    }

    void declare(const std::string& name, const ir::StorageType& type) {
        out_.line("{} {};", nameOf(variableWord(type.scalar)), name);
    }

    void loadInputs() {
        for (const auto& [key, place] : storage_.inputs) {
            const ir::Input& input = cls_.inputs[key.first];
            const std::string suffix =
                input.elements.size() > 1 ? "_" + std::to_string(key.second) : "";
            const std::string name = names_.add(input.name + suffix);
            load(name, input.type, place, true);
            leaves_.inputs[key] = placeOf(name, input.type);
        }
    }

    void loadColumns() {
        for (const auto& [column, place] : storage_.columns) {
            const ir::Column& c = cls_.columns[column];
            const std::string name = names_.add(c.name);
            load(name, {c.type, 0}, place, true);
            leaves_.columns[column] = {name, variableWord(c.type), true, {}};
        }
    }

    void loadState() {
        for (std::size_t slot = 0; slot < touched_.state.size(); ++slot) {
            const std::uint32_t local = touched_.state[slot];
            if (local == kNone) continue;
            const ir::Local& variable = cls_.body.locals[local];
            const std::string name = names_.add(variable.name);
            const auto saved = storage_.saved.find(static_cast<std::uint32_t>(slot));
            if (!variable.type.isArray() && info_.locals[local].isOverwritten)
                declare(name, variable.type);
            else
                load(name, variable.type,
                     saved != storage_.saved.end() ? saved->second : storage_.state[slot],
                     !variable.type.isArray() && !info_.locals[local].isWritten);
            leaves_.locals[local] = placeOf(name, variable.type);
        }
    }

    void beginOutputs() {
        for (std::size_t slot = 0; slot < touched_.outputs.size(); ++slot) {
            const std::uint32_t local = touched_.outputs[slot];
            if (local == kNone) continue;
            const ir::Local& variable = cls_.body.locals[local];
            const std::string name = names_.add(variable.name);
            leaves_.locals[local] = placeOf(name, variable.type);
            if (variable.type.isArray())
                beginArray(name, slot, variable.type, info_.locals[local].isOverwritten);
            else if (info_.locals[local].isOverwritten)
                declare(name, variable.type);
            else if (cls_.outputs[slot].hold)
                load(name, variable.type, storage_.last[slot], false);
            else
                out_.line("{} {} = {};", nameOf(variableWord(variable.type.scalar)), name,
                          defaultOf(slot, variable.type));
        }
    }

    std::string defaultOf(std::size_t slot, const ir::StorageType& type) const {
        const DefaultText& text = storage_.defaults[slot];
        return text.isPointer && isBool(type.scalar) ? text.text + " != 0" : text.text;
    }

    void beginArray(const std::string& name, std::size_t slot, const ir::StorageType& type,
                    bool isOverwritten) {
        const std::string stored = nameOf(storedWord(type.scalar));
        out_.line("{}* const {} = {};", stored, name, storage_.outputs[slot]);
        if (isOverwritten) return;
        if (cls_.outputs[slot].hold) {
            out_.line("sme::copyArray<{}>({}, {}, {});", stored, name, storage_.last[slot],
                      type.length);
            return;
        }
        const DefaultText& from = storage_.defaults[slot];
        if (from.isPointer)
            out_.line("sme::copyArray<{}>({}, {}, {});", stored, name, from.text, type.length);
        else
            out_.line("sme::fillArray<{}>({}, {}, {});", stored, name, type.length, from.text);
    }

    void nameTemporaries() {
        for (std::size_t i = 0; i < cls_.body.locals.size(); ++i) {
            const ir::Local& local = cls_.body.locals[i];
            if (local.kind != ir::LocalKind::Temp || !info_.locals[i].isUsed) continue;
            leaves_.locals[i] = placeOf(names_.add(local.name), local.type);
        }
    }

    void body(const Site& site) {
        Statements statements(program_.design, info_, cls_.inputs, cls_.body, program_.globals,
                              leaves_, site, names_, out_);
        const bool mayLeave = info_.needs.leave && site.checks == Checks::Test;
        if (mayLeave)
            out_.open("");  // goto must not pass the initialisation of what stands beside its label
        statements.declareTemporaries();
        statements.block(cls_.body.statements);
        if (mayLeave) out_.close();
        if (statements.leaves()) out_.margin(site.leave.substr(5, site.leave.size() - 6) + ":;");
    }

    void store() {
        for (std::size_t slot = 0; slot < touched_.state.size(); ++slot) {
            const std::uint32_t local = touched_.state[slot];
            if (local != kNone && info_.locals[local].isWritten)
                storeScalar(local, storage_.state[slot]);
        }
        for (std::size_t slot = 0; slot < touched_.outputs.size(); ++slot) {
            if (touched_.outputs[slot] != kNone)
                storeScalar(touched_.outputs[slot], storage_.outputs[slot]);
        }
    }

    void storeScalar(std::uint32_t local, const std::string& place) {
        if (!cls_.body.locals[local].type.isArray())
            out_.line("{} = {};", place, leaves_.locals[local].name);
    }

    const Program& program_;
    const ir::Class& cls_;
    const BodyInfo& info_;
    const Storage& storage_;
    const Touched touched_;
    Names& names_;
    Writer& out_;
    Leaves leaves_;
};

}  // namespace

Touched touchedBy(const ir::Class& cls, const BodyInfo& info) {
    Touched touched{std::vector<std::uint32_t>(cls.outputs.size(), kNone),
                    std::vector<std::uint32_t>(cls.state.size(), kNone)};
    for (std::uint32_t i = 0; i < cls.body.locals.size(); ++i) {
        const ir::Local& local = cls.body.locals[i];
        if (local.kind == ir::LocalKind::Output && info.locals[i].isWritten)
            touched.outputs[local.slot] = i;
        if (local.kind == ir::LocalKind::State && info.locals[i].isUsed)
            touched.state[local.slot] = i;
    }
    return touched;
}

void printActivation(const Program& program, ir::ClassId cls, const Storage& storage, Site site,
                     Names& names, Names& labels, Writer& out) {
    site.cls = "classes::" + program.classNames[cls.index];
    site.rounds = "rounds";
    site.arguments = &program.arguments[cls.index];
    site.labels = &labels;
    site.leave = "goto " + labels.add("leave") + ";";
    site.lines = program.options.lineDirectives ? &program.sources : nullptr;
    Activation(program, cls, storage, names, out).print(site);
}

}  // namespace smec::codegen::cpp
