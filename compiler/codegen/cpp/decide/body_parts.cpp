// Statements of a block that are short follow each other until they are enough for a part; in a long
// one its blocks are looked at:
//
//   a; b; c; …          {a; b;} {c; …}
//   if (k) { a; … }     if (k) { {a; …} {…} }
//
// A long chain of alternatives stays whole: g++ compiles it in no time, and as a table where it can.

#include "codegen/cpp/decide/body_parts.h"

#include "codegen/cpp/target.h"
#include "ir/visit.h"
#include "source/overloaded.h"

namespace smec::codegen::cpp {
namespace {

class BodyCutter {
public:
    explicit BodyCutter(BodyOf kind) : kind_(kind) {}

    std::map<ir::StmtId, BodyPart> run(const ir::Block& body) {
        measure(body);
        if (sizes_.size() > target::kLongBody) cut(body);
        return std::move(parts_);
    }

private:
    struct Size {
        std::size_t weight = 0;
        bool goesOut = false;  ///< to where a function of its own cannot go
        bool leavesLoop = false;
    };

    Size measure(const ir::Block& block) {
        Size sum;
        for (const ir::Stmt& stmt : block) {
            const Size one = measure(stmt);
            sum.weight += one.weight;
            sum.goesOut = sum.goesOut || one.goesOut;
            sum.leavesLoop = sum.leavesLoop || one.leavesLoop;
        }
        return sum;
    }

    Size measure(const ir::Stmt& stmt) {
        if (sizes_.size() <= stmt.id.index) sizes_.resize(stmt.id.index + 1);
        Size size = smec::visit(
            Overloaded{
                [](const ir::AnyOf<ir::Check, ir::CountRound, ir::Trace, ir::Stop, ir::Call,
                                   ir::For, ir::Loop> auto&) { return Size{target::kCallWeight}; },
                [](const ir::AnyOf<ir::Break, ir::Continue> auto&) {
                    return Size{1, false, true};
                },
                [&](const ir::Return&) {
                    return Size{1, kind_ == BodyOf::Function};
                },
                [](const ir::AnyOf<ir::Set, ir::CopyArray, ir::FillArray, ir::If,
                                   ir::Switch> auto&) { return Size{1}; },
            },
            stmt.node);
        ir::forEachBlock(stmt, [&](const ir::Block& block) {
            const Size inner = measure(block);
            size.weight += inner.weight;
            size.goesOut = size.goesOut || inner.goesOut;
            size.leavesLoop = size.leavesLoop || inner.leavesLoop;
        });
        if (ir::isLoop(stmt)) size.leavesLoop = false;
        sizes_[stmt.id.index] = size;
        return size;
    }

    void cut(const ir::Block& block) {
        std::size_t begin = 0, weight = 0;
        for (std::size_t i = 0; i < block.size(); ++i) {
            const Size& size = sizes_[block[i].id.index];
            const bool isPart = size.weight < target::kPartWeight && staysInside(size);
            if (!isPart) {
                addPart(block, begin, i, weight);
                cut(block[i]);
            } else {
                weight += size.weight;
                if (weight < target::kPartWeight && i + 1 < block.size()) continue;
                addPart(block, begin, i + 1, weight);
            }
            begin = i + 1;
            weight = 0;
        }
    }

    static bool staysInside(const Size& size) { return !size.goesOut && !size.leavesLoop; }

    void addPart(const ir::Block& block, std::size_t begin, std::size_t end, std::size_t weight) {
        if (weight >= target::kPartWeight / 4) parts_[block[begin].id].count = end - begin;
    }

    /// A long statement.
    void cut(const ir::Stmt& stmt) {
        if (sizes_[stmt.id.index].weight < target::kPartWeight) return;
        const auto* branch = std::get_if<ir::If>(&stmt.node);
        if (branch == nullptr || branch->no.size() != 1) {
            ir::forEachBlock(stmt, [&](const ir::Block& block) { cut(block); });
            return;
        }
        cut(branch->yes);
        cut(branch->no.front());
    }

    const BodyOf kind_;
    std::vector<Size> sizes_;  ///< by StmtId
    std::map<ir::StmtId, BodyPart> parts_;
};

}  // namespace

std::map<ir::StmtId, BodyPart> bodyParts(const ir::Block& body, BodyOf kind) {
    return BodyCutter(kind).run(body);
}

}  // namespace smec::codegen::cpp
