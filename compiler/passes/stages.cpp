#include <algorithm>
#include <utility>
#include <vector>

#include "ir/lanes.h"
#include "ir/reach.h"
#include "ir/references.h"
#include "passes/body.h"

// Assignments (=) and accesses to arrays (m) alternate as seldom as what one leaves for another
// allows. An access has the number of stretches of accesses up to its own, and an assignment stands
// in front of the first stretch that needs it, at last:
//
//   a = x + 1   t = mem[a]   b = y + 2   c = t + b   mem[b] = c      a =   t m   b, c =   mem[b] m

namespace smec::passes {

using namespace ir;

namespace {

class StageOrder {
public:
    explicit StageOrder(Body& body) : body_(body), reach_(body), uses_(body.locals.size()) {}

    bool run() {
        for (const Stmt& stmt : body_.statements)
            add(stmt);
        if (last_ > target::kMostStages) return false;
        placeLate();
        std::vector<std::size_t> order(items_.size());
        for (std::size_t i = 0; i < order.size(); ++i)
            order[i] = i;
        std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
            return items_[a].place() < items_[b].place();
        });
        Block sorted;
        for (const std::size_t i : order)
            sorted.push_back(std::move(body_.statements[i]));
        body_.statements = std::move(sorted);
        return true;
    }

private:
    struct Item {
        bool isAccess = false;
        /// Of an access: its stretch, from 1. Of an assignment: the stretch that it stands behind.
        std::uint32_t stage = 0;
        std::vector<std::size_t> after;  ///< items that stay in front
        std::uint32_t place() const { return isAccess ? 2 * stage - 1 : 2 * stage; }
    };
    /// Items that touched a local.
    struct Uses {
        std::vector<std::size_t> setBy;      ///< none or one
        std::vector<std::size_t> readSince;  ///< it was set
    };

    void add(const Stmt& stmt) {
        const std::size_t index = items_.size();
        Item& item = items_.emplace_back();
        item.isAccess = isAccess(body_, stmt);
        reach_.restart();
        forEachStatement(stmt, [&](const Stmt& one) {
            reach_.from(one, [&](ExprId id) { read(id, item, index); });
        });
        forEachStatement(stmt, [&](const Stmt& one) {
            forEachAssigned(one, [&](LocalId id) { set(id, item, index); });
        });
        item.stage = item.isAccess ? 1 : 0;
        for (const std::size_t before : item.after)
            item.stage = std::max(item.stage, items_[before].stage
                                                  + (item.isAccess && !items_[before].isAccess));
        last_ = std::max(last_, item.stage);
    }

    template <typename F>
    static void forEachStatement(const Stmt& stmt, F&& use) {
        use(stmt);
        forEachBlock(stmt, [&](const Block& inner) { forEachStmt(inner, use); });
    }

    void read(ExprId id, Item& item, std::size_t index) {
        forEachReference<LocalId>(body_[id], [&](const LocalId& local) {
            Uses& uses = uses_[local.index];
            item.after.insert(item.after.end(), uses.setBy.begin(), uses.setBy.end());
            uses.readSince.push_back(index);
        });
    }

    void set(LocalId local, Item& item, std::size_t index) {
        Uses& uses = uses_[local.index];
        for (const auto* earlier : {&uses.setBy, &uses.readSince})
            std::copy_if(earlier->begin(), earlier->end(), std::back_inserter(item.after),
                         [&](std::size_t other) { return other != index; });
        uses.setBy = {index};
        uses.readSince.clear();
    }

    void placeLate() {
        for (Item& item : items_)
            if (!item.isAccess) item.stage = last_;
        for (std::size_t i = items_.size(); i-- > 0;) {
            const std::uint32_t latest = items_[i].stage - (items_[i].isAccess ? 1 : 0);
            for (const std::size_t before : items_[i].after)
                if (!items_[before].isAccess)
                    items_[before].stage = std::min(items_[before].stage, latest);
        }
    }

    Body& body_;
    Reach reach_;
    std::vector<Item> items_;
    std::vector<Uses> uses_;
    std::uint32_t last_ = 0;
};

}  // namespace

bool orderStages(Body& body) { return StageOrder(body).run(); }

}  // namespace smec::passes
