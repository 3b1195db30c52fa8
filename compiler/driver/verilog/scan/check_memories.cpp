#include <algorithm>
#include <set>
#include <utility>
#include <vector>

#include "driver/verilog/scan/paths.h"

// for (i = 0; i < 8; i = i + 1) m[i] = 0; $readmemh("f", m);

namespace smec::driver::scan {
namespace {

struct Filling {
    Path path;
    bool isAlternative = false;
};

class Memories {
public:
    explicit Memories(const Context& context)
        : c_(context), source_(context.source), m_(context.module) {}

    void run() {
        for (const Always& always : m_.always) {
            if (!always.isInitial) continue;
            isAlternative_ = always.isAlternative;
            Path path;
            auto visit = [&](StatementId id, const Path& now, StatementId) {
                statement(m_.statements[id], now);
            };
            walkPaths(m_, always.body, path, kNone, visit);
        }
    }

private:
    void statement(const Statement& s, const Path& path) {
        if (s.kind == StatementKind::Assign) {
            for (const std::uint32_t target : c_.targets(s.left))
                writes_[source_[target].text].push_back({path, isAlternative_});
            return;
        }
        if (s.kind != StatementKind::Call) return;
        if (const auto task = m_.routines.find(source_[s.word].text); task != m_.routines.end())
            called(task->second, path);
        if (!source_[s.word].text.starts_with("$readmem")) return;
        const std::vector<Span> arguments = source_.list(s.head);
        if (arguments.size() < 2 || arguments[1].empty()) return;
        const std::uint32_t memory = arguments[1].begin;
        bool isCertain = false, isPossible = false;
        for (const Filling& write : writes_[source_[memory].text]) {
            if (areExclusive(write.path, path)) continue;
            const bool isSure =
                isTaken(path) && isTaken(write.path) && !write.isAlternative && !isAlternative_;
            (isSure ? isCertain : isPossible) = true;
        }
        if (isCertain || isPossible)
            c_.report(isCertain ? RuleId::MemoryLoad : RuleId::MemoryLoadMaybe, memory,
                      source_[memory].text);
    }

    /// What a task writes, with those that it calls; as the block that calls it, but for conditions
    /// of its own.
    void called(const Routine& first, const Path& path) {
        if (path.empty() && !always_.emplace(&first, isAlternative_).second) return;
        std::vector<const Routine*> todo{&first};
        std::set<const Routine*> seen{&first};
        for (std::size_t i = 0; i < todo.size(); ++i) {
            walk(m_, todo[i]->body, [&](StatementId id) {
                const Statement& s = m_.statements[id];
                if (s.kind == StatementKind::Assign)
                    for (const std::uint32_t target : c_.targets(s.left))
                        writes_[source_[target].text].push_back({path, isAlternative_});
                if (s.kind != StatementKind::Call) return;
                const auto next = m_.routines.find(source_[s.word].text);
                if (next != m_.routines.end() && seen.insert(&next->second).second)
                    todo.push_back(&next->second);
            });
        }
    }

    /// Whether all conditions on the way are constants, which lead there.
    bool isTaken(const Path& path) const {
        return std::ranges::all_of(path, [&](const auto& step) {
            const Statement& s = m_.statements[step.first];
            if (s.kind != StatementKind::If) return false;
            const auto value = valueIn(source_, s.head, m_.decls);
            return value && (*value != 0) == (step.second == 0);
        });
    }

    const Context& c_;
    const Source& source_;
    const Module& m_;
    bool isAlternative_ = false;
    std::map<std::string_view, std::vector<Filling>> writes_;
    std::set<std::pair<const Routine*, bool>> always_;  ///< called under no condition
};

}  // namespace

void checkMemories(const Context& context) { Memories(context).run(); }

}  // namespace smec::driver::scan
