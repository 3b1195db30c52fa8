// What an activation does, stage by stage: a stage loads what it reads and stores what it sets, so
// that the next one finds variables and fields where they lie. Temporaries of several stages stand in
// an array of their own, one element for each instance of a round.

#include "codegen/cpp/decide/stages.h"

#include <algorithm>
#include <set>
#include <utility>

#include "codegen/cpp/decide/body_info.h"
#include "ir/lanes.h"
#include "ir/reach.h"
#include "ir/references.h"

namespace smec::codegen::cpp {
namespace {

/// What the statements of a stage read and set.
struct StageUses {
    std::set<std::uint32_t> takes;    ///< locals whose value from before the stage is read
    std::set<std::uint32_t> changes;  ///< locals that are set
    std::set<std::pair<std::uint32_t, std::uint32_t>> inputs;  ///< and element
    std::set<std::uint32_t> columns;
};

class StageUsesFinder {
public:
    explicit StageUsesFinder(const ir::Body& body) : body_(body), reach_(body) {}

    StageUses of(const ir::Block& block, std::size_t first, std::size_t count) {
        uses_ = {};
        for (std::size_t i = first; i < first + count; ++i) {
            reach_.restart();
            read(block[i]);
            ir::forEachBlock(block[i], [&](const ir::Block& inner) {
                for (const ir::Stmt& one : inner)
                    read(one);
            });
            set(block[i]);
            ir::forEachBlock(block[i], [&](const ir::Block& inner) {
                for (const ir::Stmt& one : inner)
                    set(one);
            });
        }
        return std::move(uses_);
    }

private:
    void set(const ir::Stmt& stmt) {
        ir::forEachAssigned(stmt, [&](ir::LocalId id) { uses_.changes.insert(id.index); });
    }

    void read(const ir::Stmt& stmt) {
        reach_.from(stmt, [&](ir::ExprId id) {
            ir::forEachReference(
                body_[id],
                Overloaded{
                    [&](const ir::LocalId& local) {
                        if (!uses_.changes.contains(local.index)) uses_.takes.insert(local.index);
                    },
                    [&](const ir::ReadInput& input) {
                        uses_.inputs.insert({input.input, *constantElement(body_, input)});
                    },
                    [&](const ir::ReadColumn& column) { uses_.columns.insert(column.column); },
                    [](const ir::TableId&) {},
                });
        });
    }

    const ir::Body& body_;
    ir::Reach reach_;
    StageUses uses_;
};

class StagePlanner {
public:
    StagePlanner(const ir::Class& cls, const BodyInfo& info, const Activation& whole)
        : body_(cls.body), info_(info), whole_(whole) {}

    std::vector<Stage> plan() {
        cut();
        for (std::size_t i = 0; i < stages_.size(); ++i)
            addActivation(i);
        addLanes();
        for (Stage& stage : stages_)
            declareIn(stage);
        return std::move(stages_);
    }

private:
    void cut() {
        const ir::Block& block = body_.statements;
        StageUsesFinder collector(body_);
        for (std::size_t i = 0; i < block.size(); ++i) {
            const bool isMemory = ir::isAccess(body_, block[i]);
            if (stages_.empty() || stages_.back().isMemory != isMemory)
                stages_.push_back(stageAt(i, isMemory));
            ++stages_.back().count;
        }
        for (const Stage& stage : stages_)
            uses_.push_back(collector.of(block, stage.first, stage.count));
    }

    static Stage stageAt(std::size_t first, bool isMemory) {
        Stage stage{isMemory, first, 0};
        stage.selects = isMemory ? Selects::Branches : Selects::Masks;
        stage.isSilent = !isMemory;
        return stage;
    }

    /// Temporaries that the stage sets, but not as the first to do so in the body.
    void declareIn(Stage& stage) {
        const ir::Stmt* const first = &body_.statements[stage.first];
        std::vector<ir::LocalId> done = stage.taken;
        const auto declareSet = [&](const ir::Stmt& stmt) {
            ir::forEachAssigned(stmt, [&](ir::LocalId id) {
                const ir::StmtId by = info_.locals[id.index].declaredBy;
                const bool isOwn = std::any_of(first, first + stage.count,
                                               [&](const ir::Stmt& own) { return own.id == by; });
                if (body_.locals[id.index].kind != ir::LocalKind::Temp || isOwn
                    || std::find(done.begin(), done.end(), id) != done.end())
                    return;
                done.push_back(id);
                stage.declared.push_back(id);
            });
        };
        for (std::size_t i = 0; i < stage.count; ++i) {
            declareSet(first[i]);
            ir::forEachBlock(first[i],
                             [&](const ir::Block& inner) { ir::forEachStmt(inner, declareSet); });
        }
    }

    bool isChangedBefore(std::size_t stage, std::uint32_t local) const {
        return std::any_of(uses_.begin(), uses_.begin() + std::ptrdiff_t(stage),
                           [&](const StageUses& t) { return t.changes.contains(local); });
    }

    void addActivation(std::size_t index) {
        const StageUses& uses = uses_[index];
        Activation& own = stages_[index].activation;
        for (const InputLoad& input : whole_.inputs)
            if (uses.inputs.contains({input.input, input.element})) own.inputs.push_back(input);
        for (const ColumnLoad& column : whole_.columns)
            if (uses.columns.contains(column.column)) own.columns.push_back(column);
        for (const StateAccess& state : whole_.state)
            addState(index, state);
        for (const OutputAccess& output : whole_.outputs)
            addOutput(index, output);
    }

    void addState(std::size_t index, StateAccess state) {
        const StageUses& uses = uses_[index];
        const std::uint32_t local = state.local.index;
        const bool isChanged = uses.changes.contains(local);
        if (!isChanged && !uses.takes.contains(local)) return;
        if (uses.takes.contains(local) && isChangedBefore(index, local))
            state.begin = From{state.place};
        state.isStored = state.isStored && isChanged;
        stages_[index].activation.state.push_back(std::move(state));
    }

    void addOutput(std::size_t index, OutputAccess output) {
        const StageUses& uses = uses_[index];
        const std::uint32_t local = output.local.index;
        if (!uses.changes.contains(local) && !uses.takes.contains(local)) return;
        if (isChangedBefore(index, local)) output.begin = From{output.place};
        stages_[index].activation.outputs.push_back(std::move(output));
    }

    /// Temporaries that a stage leaves for a later one.
    void addLanes() {
        for (std::size_t i = 0; i < stages_.size(); ++i) {
            for (const std::uint32_t local : uses_[i].takes) {
                if (body_.locals[local].kind != ir::LocalKind::Temp) continue;
                stages_[i].taken.push_back({local});
                leave(i, {local});
            }
        }
    }

    /// The last stage in front that sets it does.
    void leave(std::size_t before, ir::LocalId local) {
        while (before-- > 0) {
            if (!uses_[before].changes.contains(local.index)) continue;
            std::vector<ir::LocalId>& left = stages_[before].left;
            if (std::find(left.begin(), left.end(), local) == left.end()) left.push_back(local);
            return;
        }
    }

    const ir::Body& body_;
    const BodyInfo& info_;
    const Activation& whole_;
    std::vector<Stage> stages_;
    std::vector<StageUses> uses_;
};

}  // namespace

std::vector<Stage> stagesOf(const ir::Class& cls, const BodyInfo& info,
                            const Activation& activation) {
    return StagePlanner(cls, info, activation).plan();
}

}  // namespace smec::codegen::cpp
