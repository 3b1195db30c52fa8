#include "codegen/cpp/tables/model_image.h"

#include <algorithm>

#include "codegen/cpp/tables/rows.h"
#include "ir/hash.h"
#include "source/internal_error.h"

namespace smec::codegen::cpp {

std::uint32_t narrow(std::uint64_t number) {
    require(number <= UINT32_MAX, "codegen: a number of the model takes more than 32 bits");
    return static_cast<std::uint32_t>(number);
}

sme::Location locationOf(const Program& program, const SourceRange& range, ImageBuilder& image) {
    if (!range.valid()) return {image.text(""), 0, 0};
    const LineColumn position = program.sources.position(range.file, range.begin);
    return {image.text(program.sources.path(range.file)), position.line, position.column};
}

const char* textOrNull(const std::optional<std::string>& text, ImageBuilder& image) {
    return text ? image.text(*text) : nullptr;
}

namespace {

class ModelRows {
public:
    ModelRows(const CppDesign& cpp, const std::string& refusals, std::uint64_t code)
        : cpp_(cpp),
          program_(cpp.program),
          design_(program_.design),
          plan_(program_.model),
          refusals_(refusals),
          code_(code) {}

    std::string build() {
        sme::Model model{};
        model.version = sme::kModelVersion;
        model.name = image_.text(design_.name);
        model.hash = ir::identityOf(design_);
        model.flags = flags();
        model.levels = program_.plan.levels;
        addStages(model);
        model.clockedBytes = program_.plan.clockedBytes;
        model.stateBytes = program_.plan.stateBytes;
        model.constants = ImageBuilder::constant(0);
        addTypes(program_, image_, model);
        addPlanes(model);
        addClasses(program_, image_, model);
        addWork(model);
        addInstances(program_, image_, model);
        addNames(program_, image_, model);
        addObjects(model);
        model.processCount = design_.processCount;
        model.uncountedRounds = design_.uncountedRounds;
        addFlows(model);
        if (plan_.readCount != 0) model.reads = ImageBuilder::constant(plan_.readsOffset);
        model.readCount = plan_.readCount;
        model.compiler = image_.text(program_.options.compiler);
        if (!refusals_.empty()) model.refusals = image_.text(refusals_);
        return image_.finish(model, program_.data.bytes(), code_);
    }

private:
    std::uint32_t flags() const {
        const Effects& effects = plan_.effects;
        return (effects.stops ? sme::kHasStop : 0U) | (effects.fails ? sme::kHasFailure : 0U)
               | (effects.isOnce ? sme::kHasEffects : 0U)
               | (effects.isSerial ? sme::kHasSerial : 0U) | (effects.prints ? sme::kPrints : 0U)
               | (effects.trustsValues ? sme::kTrustsValues : 0U);
    }

    // ------------------------------------------------------------ planes

    bool isLog(std::size_t index) const {
        const ir::Plane& plane = design_.planes[index];
        if (!plane.hidden || !plane.owner.valid()) return false;
        const ir::PlaneId id{static_cast<std::uint32_t>(index)};
        const std::vector<ir::Output>& outputs = design_.classes[plane.owner.index].outputs;
        return std::any_of(outputs.begin(), outputs.end(), [&](const ir::Output& output) {
            return output.log && output.log->plane == id;
        });
    }

    static sme::Home homeOf(plan::Home home) {
        switch (home) {
        case plan::Home::TwoSlots: return sme::Home::TwoSlots;
        case plan::Home::WrittenSlot: return sme::Home::WrittenSlot;
        case plan::Home::OneSlot: return sme::Home::OneSlot;
        case plan::Home::Given: return sme::Home::Given;
        case plan::Home::Constant: break;
        }
        return sme::Home::Constant;
    }

    sme::Plane planeRow(std::size_t index) const {
        const ir::Plane& plane = design_.planes[index];
        const PlaneRow& decided = plan_.planes[index];
        sme::Plane row{};
        row.type = decided.type;
        row.home = homeOf(decided.home);
        row.group = sme::kOnlyGroup;
        row.hold = plane.hold;
        row.instances = plane.instances;
        row.offset = program_.plan.placements[index].offset;
        row.initial = decided.initial;
        if (decided.initial != InitialKind::Zero)
            row.initialData = ImageBuilder::constant(decided.initialOffset);
        if (!plane.owner.valid()) return row;
        row.owner = plane.owner.index;
        if (plane.firstElement.valid()) row.firstElement = plane.firstElement.index;
        row.isLog = !plane.firstElement.valid() && isLog(index);
        return row;
    }

    void addPlanes(sme::Model& model) {
        std::vector<sme::Plane> rows;
        for (std::size_t i = 0; i < design_.planes.size(); ++i)
            rows.push_back(planeRow(i));
        model.planes = image_.add(rows);
        model.planeCount = narrow(rows.size());
    }

    // ------------------------------------------------------------ work

    /// Of the only group: all levels.
    void addStages(sme::Model& model) {
        const std::vector<sme::Stage> rows{{sme::kOnlyGroup, 0, program_.plan.levels - 1}};
        model.stages = image_.add(rows);
        model.stageCount = narrow(rows.size());
    }

    /// The next function of its table.
    sme::Entry entryOf(const WorkRow& work) {
        if (isDivisible(program_.kernels[work.kernel]))
            return {ImageBuilder::function<sme::Instances>(instances_++), nullptr};
        return {nullptr, ImageBuilder::function<sme::Block>(blocks_++)};
    }

    /// Its functions are the next ones of their tables.
    sme::Unobserved unobservedRow(const WorkRow& work) {
        const auto* block = std::get_if<BlockPlan>(&program_.kernels[work.kernel]);
        if (block == nullptr || !block->runsUnobserved) return {};
        const std::uint64_t function = unobserved_++;
        return {ImageBuilder::function<sme::Cycles>(function),
                ImageBuilder::function<sme::Settle>(function), block->mayEnd};
    }

    sme::Work workRow(const WorkRow& work) {
        const plan::Kernel& kernel = program_.plan.kernels[work.kernel];
        const bool isLoop = kernel.kind == plan::KernelKind::Loop;
        std::vector<sme::WorkPart> parts;
        for (const plan::OrderedRow& part : work.parts)
            parts.push_back({part.cls.index, part.begin, part.end - part.begin});
        sme::Work row{};
        row.name = image_.text(isLoop ? design_.classes[kernel.cls.index].name
                                      : cpp_.names.kernels[work.kernel]);
        row.entry = entryOf(work);
        row.count = narrow(work.instances);
        row.granularity = kernel.granularity;
        row.steps = narrow(work.steps);
        row.cost = kernel.cost / kernel.lanes;
        row.level = kernel.level;
        row.parts = image_.add(parts);
        row.partCount = narrow(parts.size());
        row.unobserved = unobservedRow(work);
        return row;
    }

    void addWork(sme::Model& model) {
        std::vector<sme::Work> rows;
        for (const WorkRow& work : plan_.work)
            rows.push_back(workRow(work));
        model.work = image_.add(rows);
        model.workCount = narrow(rows.size());
    }

    void addFlows(sme::Model& model) {
        std::vector<sme::Flow> rows;
        for (const plan::Flow& flow : plan_.flows)
            rows.push_back({flow.reader, flow.readerFirst, flow.readerCount, flow.writer,
                            flow.writerFirst, flow.writerCount, flow.bytes});
        model.flows = image_.add(rows);
        model.flowCount = rows.size();
    }

    // ------------------------------------------------------------ objects

    const std::string& foreignName(std::uint32_t id) const {
        const auto isIt = [&](const ir::Function& function) {
            return function.external && function.external->id == id;
        };
        return std::find_if(design_.functions.begin(), design_.functions.end(), isIt)
            ->external->name;
    }

    void addObjects(sme::Model& model) {
        std::vector<sme::Objects> rows;
        for (std::size_t i = 0; i < design_.planes.size(); ++i) {
            const auto& id = design_.planes[i].objects;
            if (!id) continue;
            sme::Objects row{};
            row.plane = narrow(i);
            row.release = ImageBuilder::function<decltype(row.release)>(rows.size());
            row.copy = ImageBuilder::function<decltype(row.copy)>(rows.size());
            row.save = ImageBuilder::function<decltype(row.save)>(rows.size());
            row.process = image_.text(foreignName(*id));
            rows.push_back(row);
        }
        model.objects = image_.add(rows);
        model.objectCount = narrow(rows.size());
    }

    const CppDesign& cpp_;
    const Program& program_;
    const ir::Design& design_;
    const ModelPlan& plan_;
    const std::string& refusals_;
    const std::uint64_t code_;
    ImageBuilder image_;
    std::uint64_t instances_ = 0, blocks_ = 0;  ///< works so far that are such
    std::uint64_t unobserved_ = 0;              ///< works so far that have such cycles
};

}  // namespace

std::string modelImage(const CppDesign& cpp, const std::string& refusals, std::uint64_t code) {
    return ModelRows(cpp, refusals, code).build();
}

}  // namespace smec::codegen::cpp
