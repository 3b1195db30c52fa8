#include "codegen/cpp/print/activation.h"

#include <utility>

#include "source/overloaded.h"

namespace smec::codegen::cpp {
namespace {

bool isBool(const ir::Scalar& scalar) { return scalar.kind == ir::ScalarKind::Bool; }

/// What the body does with a variable that it has loaded.
enum class Use : std::uint8_t { Reads, Changes };

class ActivationPrinter {
public:
    ActivationPrinter(const CppDesign& cpp, ir::ClassId id, const Activation& plan,
                      AccessSpeller& speller, Names& names, Writer& out)
        : cpp_(cpp),
          cls_(cpp.program.design.classes[id.index]),
          info_(cpp.program.classes[id.index]),
          plan_(plan),
          speller_(speller),
          names_(names),
          out_(out) {
        leaves_.locals.resize(cls_.body.locals.size());
    }

    void printStage(const Site& site, const StagePlaces& places) {
        const Stage& stage = places.stage;
        loadInputs();
        loadColumns();
        loadState();
        beginOutputs();
        nameTemporaries();
        take(places);
        declareOthers(stage);
        Statements statements(cpp_, info_, cls_.inputs, leaves_, site, names_, out_);
        statements.some(cls_.body.statements, stage.first, stage.count);
        for (const ir::LocalId id : stage.left)
            out_.line("{} = {};", places.of(id), leaves_.locals[id.index].name);
        store();
    }

    void print(const Site& site) {
        for (const InputSelection& selection : plan_.selections)
            leaves_.selections[selection.input] =
                speller_.ofSelection(selection, cls_.inputs[selection.input]);
        loadInputs();
        loadColumns();
        loadState();
        beginOutputs();
        nameTemporaries();
        if (info_.needs.rounds) out_.line("u64 rounds = 0;");
        body(site);
        store();
    }

private:
    void load(const std::string& name, const ir::StorageType& type, const std::string& place,
              Use use) {
        const char* constness = use == Use::Reads ? "const " : "";
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
        out_.line("{} {}{};", nameOf(variableWord(type.scalar)), name,
                  info_.isCopiedToParts ? "{}" : "");
    }

    void loadInputs() {
        for (const InputLoad& field : plan_.inputs) {
            const ir::Input& input = cls_.inputs[field.input];
            const std::string suffix =
                input.elements.size() > 1 ? "_" + std::to_string(field.element) : "";
            const std::string name = names_.add(input.name + suffix);
            load(name, input.type, speller_.ofInput(field, input.type), Use::Reads);
            leaves_.inputs[{field.input, field.element}] = placeOf(name, input.type);
        }
    }

    void loadColumns() {
        for (const ColumnLoad& column : plan_.columns) {
            const ir::Column& c = cls_.columns[column.column];
            const std::string name = names_.add(c.name);
            load(name, {c.type, 0}, speller_.of(column.from, {c.type, 0}), Use::Reads);
            leaves_.columns[column.column] = {name, variableWord(c.type), true, {}};
        }
    }

    void loadState() {
        for (const StateAccess& state : plan_.state) {
            const ir::Local& variable = cls_.body.locals[state.local.index];
            Place& place = leaves_.locals[state.local.index];
            switch (state.worksOn) {
            case WorksOn::Direct:
                place = placeOf(speller_.of(state.place, variable.type), variable.type);
                continue;
            case WorksOn::Reference:
                place = placeOf(names_.add(variable.name), variable.type);
                printReference(place.name, state, variable.type);
                continue;
            case WorksOn::Copy:
            case WorksOn::Bounded: break;
            }
            place = placeOf(names_.add(variable.name), variable.type);
            place.distance = state.distance;
            place.isBounded = state.worksOn == WorksOn::Bounded;
            loadCopy(place.name, state);
        }
    }

    /// Bools of loops lie in bytes.
    void printReference(const std::string& name, const StateAccess& state,
                        const ir::StorageType& type) {
        const std::string place = speller_.of(state.place, type);
        if (isBool(type.scalar) && !std::holds_alternative<AtElement>(state.place))
            out_.line("bool& {} = reinterpret_cast<bool&>({});", name, place);
        else
            out_.line("auto& {} = {};", name, place);
    }

    void loadCopy(const std::string& name, const StateAccess& state) {
        const ir::StorageType& type = cls_.body.locals[state.local.index].type;
        const bool isRead = !type.isArray() && !info_.locals[state.local.index].isWritten;
        smec::visit(Overloaded{
                        [&](const Overwritten&) { declare(name, type); },
                        [&](const From& from) {
                            load(name, type, speller_.of(from.place, type),
                                 isRead ? Use::Reads : Use::Changes);
                        },
                    },
                    state.begin);
    }

    void beginOutputs() {
        for (const OutputAccess& output : plan_.outputs) {
            const ir::Local& variable = cls_.body.locals[output.local.index];
            const std::string name = names_.add(variable.name);
            leaves_.locals[output.local.index] = placeOf(name, variable.type);
            if (variable.type.isArray())
                beginArray(name, output, variable.type);
            else
                beginScalar(name, output, variable.type);
        }
    }

    void beginScalar(const std::string& name, const OutputAccess& output,
                     const ir::StorageType& type) {
        smec::visit(Overloaded{
                        [&](const Overwritten&) { declare(name, type); },
                        [&](const From& last) {
                            load(name, type, speller_.of(last.place, type), Use::Changes);
                        },
                        [&](const Default& value) {
                            const bool isByte =
                                isBool(type.scalar) && !std::holds_alternative<Known>(value.value);
                            out_.line("{} {} = {}{};", nameOf(variableWord(type.scalar)), name,
                                      speller_.of(value.value, type), isByte ? " != 0" : "");
                        },
                        [](const Replay&) {},  // of arrays
                    },
                    output.begin);
    }

    void beginArray(const std::string& name, const OutputAccess& output,
                    const ir::StorageType& type) {
        const std::string stored = nameOf(storedWord(type.scalar));
        out_.line("{}* const {} = {};", stored, name, speller_.of(output.place, type));
        const auto copy = [&](const Access& from) {
            out_.line("sme::copyArray<{}>({}, {}, {});", stored, name, speller_.of(from, type),
                      type.length);
        };
        smec::visit(Overloaded{
                        [](const Overwritten&) {},
                        [&](const From& last) { copy(last.place); },
                        [&](const Default& value) {
                            if (!std::holds_alternative<Known>(value.value))
                                return copy(value.value);
                            out_.line("sme::fillArray<{}>({}, {}, {});", stored, name, type.length,
                                      speller_.of(value.value, type));
                        },
                        [&](const Replay& replay) { takeOver(name, replay, type); },
                    },
                    output.begin);
    }

    void takeOver(const std::string& name, const Replay& replay, const ir::StorageType& type) {
        const std::uint32_t local = variable(replay.log).local.index;
        out_.line("sme::{}<{}>({}, {}, {}, {}, {});", replay.isCounted ? "replay" : "replayEach",
                  nameOf(storedWord(type.scalar)), name, speller_.of(replay.last, type),
                  type.length, leaves_.locals[local].name, cls_.body.locals[local].type.length);
    }

    /// The access of a slot of Class::state.
    const StateAccess& variable(std::uint32_t slot) const {
        std::size_t i = 0;
        while (plan_.state.at(i).slot != slot)
            ++i;
        return plan_.state[i];
    }

    void nameTemporaries() {
        for (std::size_t i = 0; i < cls_.body.locals.size(); ++i) {
            const ir::Local& local = cls_.body.locals[i];
            if (local.kind != ir::LocalKind::Temp || !info_.locals[i].isUsed) continue;
            leaves_.locals[i] = placeOf(names_.add(local.name), local.type);
        }
    }

    void take(const StagePlaces& places) {
        for (const ir::LocalId id : places.stage.taken) {
            const ir::Local& local = cls_.body.locals[id.index];
            load(leaves_.locals[id.index].name, local.type, places.of(id), Use::Changes);
        }
    }

    void declareOthers(const Stage& stage) {
        for (const ir::LocalId id : stage.declared) {
            const Place& place = leaves_.locals[id.index];
            out_.line("{} {}{{}};", nameOf(place.type), place.name);
        }
    }

    void body(const Site& site) {
        Statements statements(cpp_, info_, cls_.inputs, leaves_, site, names_, out_);
        if (plan_.mayLeave)
            out_.open("");  // goto must not pass the initialisation of what stands beside its label
        declareTemporaries(info_, leaves_, out_);
        statements.block(cls_.body.statements);
        if (plan_.mayLeave) out_.close();
        if (statements.leaves()) out_.margin(site.leave.substr(5, site.leave.size() - 6) + ":;");
    }

    void store() {
        for (const StateAccess& state : plan_.state) {
            if (state.isStored) store("", state.local, state.place);
        }
        for (const OutputAccess& output : plan_.outputs) {
            if (output.stored) store("", output.local, *output.stored);
            if (output.observed)
                store("if constexpr (!isUnobserved) ", output.local, *output.observed);
        }
    }

    void store(const char* where, ir::LocalId local, const Access& place) {
        out_.line("{}{} = {};", where, speller_.of(place, cls_.body.locals[local.index].type),
                  leaves_.locals[local.index].name);
    }

    const CppDesign& cpp_;
    const ir::Class& cls_;
    const BodyInfo& info_;
    const Activation& plan_;
    AccessSpeller& speller_;
    Names& names_;
    Writer& out_;
    Leaves leaves_;
};

}  // namespace

const char* memberOf(Base base) {
    switch (base) {
    case Base::Read: return "read";
    case Base::Write: return "write";
    case Base::State: return "state";
    case Base::Constants: return "constants";
    }
    return "";
}

std::string literalOf(const Known& known, const ir::StorageType& type) {
    const bool isByte = type.isArray() && isBool(type.scalar);
    return isByte ? literal(std::get<ir::Integer>(known.value.value), kInt)
                  : literal(known.value, type.scalar);
}

namespace {

Site completed(const CppDesign& cpp, ir::ClassId cls, const Activation& plan, Site site,
               Names& labels) {
    site.mayLeave = plan.mayLeave;
    site.cls = "classes::" + cpp.names.classes[cls.index];
    site.rounds = "rounds";
    site.arguments = &cpp.program.arguments[cls.index];
    site.labels = &labels;
    site.leave = "goto " + labels.add("leave") + ";";
    site.lines = cpp.program.options.lineDirectives ? &cpp.program.sources : nullptr;
    return site;
}

}  // namespace

void printActivation(const CppDesign& cpp, ir::ClassId cls, const Activation& plan,
                     AccessSpeller& speller, Site site, Names& names, Names& labels, Writer& out) {
    ActivationPrinter(cpp, cls, plan, speller, names, out)
        .print(completed(cpp, cls, plan, std::move(site), labels));
}

void printActivation(const CppDesign& cpp, ir::ClassId cls, const StagePlaces& places,
                     AccessSpeller& speller, Site site, Names& names, Names& labels, Writer& out) {
    ActivationPrinter(cpp, cls, places.stage.activation, speller, names, out)
        .printStage(completed(cpp, cls, places.stage.activation, std::move(site), labels), places);
}

}  // namespace smec::codegen::cpp
