// Straight-line code: every field has a constant place, `read_u32[17]`, in a region seen as an
// array of its type. A place is only ever accessed as one type, so the typed views do not alias;
// the three regions are restrict parameters.

#include <map>

#include "codegen/cpp/activation.h"
#include "codegen/cpp/unit.h"
#include "codegen/cpp/wiring.h"

namespace smec::codegen::cpp {
namespace {

class BlockPrinter {
public:
    BlockPrinter(Program& program, std::uint32_t kernel, Writer& out)
        : program_(program),
          kernel_(program.plan.kernels[kernel]),
          name_(program.kernelNames[kernel]),
          innerName_(program.loopNames[kernel].inner),
          out_(out) {}

    void print() {
        Writer body;
        body.setDepth(1);
        for (const plan::InstanceRef& step : kernel_.steps)
            printStep(step, body);

        out_.margin("namespace {");
        out_.blank();
        out_.open("SME_BLOCK void {}([[maybe_unused]] const sme::Context& context, "
                  "[[maybe_unused]] const std::byte* __restrict read, "
                  "[[maybe_unused]] std::byte* __restrict write, [[maybe_unused]] std::byte* "
                  "__restrict state)",
                  innerName_);
        for (const auto& [name, view] : views_)
            out_.line("{}", view);
        out_.append(body.text());
        out_.close();
        out_.blank();
        out_.margin("}  // namespace");
        out_.blank();
        out_.open("void {}(const sme::Context& context, u32, u32)", name_);
        out_.line("{}(context, context.read, context.write, context.state);", innerName_);
        out_.close();
        out_.blank();
    }

private:
    void printStep(const plan::InstanceRef& step, Writer& out) {
        const ir::Class& cls = program_.design.classes[step.cls.index];
        Storage storage;
        Writer tables;
        tables.setDepth(2);
        Names names;
        for (const auto& [input, element] : program_.classes[step.cls.index].elements) {
            const ir::Input& in = cls.inputs[input];
            const Source source = sourceOf(program_, in.elements[element], step.instance);
            storage.inputs[{input, element}] =
                place(source.inWriteSlot ? "write" : "read", in.type, source.element);
        }
        for (const std::uint32_t input : program_.classes[step.cls.index].selected) {
            storage.selections[input] = select(cls.inputs[input], step.instance, names, tables);
        }
        for (const std::uint32_t column : program_.classes[step.cls.index].columns) {
            const ir::Column& c = cls.columns[column];
            storage.columns[column] = literal(c.values.at(step.instance), c.type);
        }
        addPlanes(cls, program_.classes[step.cls.index], step.instance, storage);

        out.line("// {}", locationComment(program_, cls.range, cls.name));
        out.open("");
        out.append(tables.text());
        Site site;
        site.instance = std::to_string(step.instance);
        printActivation(program_, step.cls, storage, site, names, labels_, out);
        out.close();
    }

    void addPlanes(const ir::Class& cls, const BodyInfo& info, std::uint32_t instance,
                   Storage& storage) {
        const Touched touched = touchedBy(cls, info);
        storage.state.resize(cls.state.size());
        storage.outputs.resize(cls.outputs.size());
        storage.last.resize(cls.outputs.size());
        storage.defaults.resize(cls.outputs.size());
        for (std::size_t slot = 0; slot < cls.state.size(); ++slot) {
            if (touched.state[slot] != UINT32_MAX)
                storage.state[slot] = planePlace("state", cls.state[slot], instance);
        }
        for (std::size_t slot = 0; slot < cls.outputs.size(); ++slot) {
            if (touched.outputs[slot] == UINT32_MAX) continue;
            const ir::PlaneId plane = cls.outputs[slot].plane;
            storage.outputs[slot] = planePlace("write", plane, instance);
            if (cls.outputs[slot].hold)
                storage.last[slot] = planePlace("read", plane, instance);
            else
                storage.defaults[slot] = defaultOf(program_.design.planes[plane.index], instance);
        }
    }

    std::string planePlace(const char* base, ir::PlaneId id, std::uint32_t instance) {
        const ir::Plane& plane = program_.design.planes[id.index];
        return place(base, plane.ownType(),
                     elementIndex(program_, id, std::int64_t(instance) * plane.perOwner));
    }

    /// A scalar's place, or a pointer to an array's first element.
    std::string place(const std::string& base, const ir::StorageType& type, std::uint64_t element) {
        const std::string name = view(base, nameOf(storedWord(type.scalar)));
        return type.isArray() ? fmt::format("{} + {}", name, element)
                              : fmt::format("{}[{}]", name, element);
    }

    /// A region as an array of a type, declared in front of the block.
    std::string view(const std::string& base, const std::string& type) {
        std::string name = base + "_" + type;
        for (char& c : name)
            c = c == ':' || c == '<' ? '_' : c;
        if (name.back() == '>') name.pop_back();
        const char* constness = base == "read" ? "const " : "";
        views_[name] =
            fmt::format("{}{}* const {} = sme::at<{}>({}, 0);", constness, type, name, type, base);
        return name;
    }

    Selection select(const ir::Input& input, std::uint32_t instance, Names& names, Writer& tables) {
        Selection selection;
        bool inWriteSlot = false;
        const auto index =
            selectionIndex(program_, input, instance, instance + 1, selection.isMixed, inWriteSlot);
        selection.type = storedWord(input.type.scalar);
        selection.elements = static_cast<std::uint32_t>(index.size());
        selection.index = names.add(input.name + "_index");
        if (!selection.isMixed)
            selection.base = view(inWriteSlot ? "write" : "read", nameOf(selection.type));
        std::string list;
        for (const std::uint32_t element : index)
            list += fmt::format("{}{}", list.empty() ? "" : ", ", element);
        tables.line("static constexpr u32 {}[] = {{{}}};", selection.index, list);
        return selection;
    }

    DefaultText defaultOf(const ir::Plane& plane, std::uint32_t instance) {
        const ir::StorageType own = plane.ownType();
        const auto length = static_cast<std::uint32_t>(own.elements());
        bool isUniform = true;
        for (std::uint32_t i = 1; i < length; ++i)
            isUniform = isUniform && initialOf(plane, instance, i) == initialOf(plane, instance, 0);
        const ir::Constant& first = initialOf(plane, instance, 0);
        if (isUniform) {
            const bool isByte = own.isArray() && own.scalar.kind == ir::ScalarKind::Bool;
            return {isByte ? literal(std::get<ir::Integer>(first.value), kInt)
                           : literal(first, plane.type.scalar),
                    false};
        }
        const std::string type = nameOf(storedWord(plane.type.scalar));
        const std::uint64_t bytes = length * std::uint64_t(plan::storageBytes(plane.type.scalar));
        const std::uint64_t offset =
            addInitial(program_.data, plane) + (plane.initial.perInstance ? instance * bytes : 0);
        return {fmt::format("sme::at<{}>(context.constants, {})", type, offset), true};
    }

    Program& program_;
    const plan::Kernel& kernel_;
    const std::string& name_;
    const std::string& innerName_;
    Writer& out_;
    Names labels_;
    std::map<std::string, std::string> views_;
};

}  // namespace

void printBlock(Program& program, std::uint32_t kernel, Writer& out) {
    BlockPrinter(program, kernel, out).print();
}

}  // namespace smec::codegen::cpp
