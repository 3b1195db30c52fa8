#include "hdl/regular.h"

#include <algorithm>
#include <map>
#include <optional>
#include <tuple>
#include <utility>

#include "hdl/target.h"
#include "ir/arithmetic.h"

namespace smec::hdl {

namespace {

/// What all numbers of a member grow by from one to the next: parts, then arguments.
using Steps = std::vector<std::int64_t>;

bool isNumber(const Integer& value) {
    return value > -ir::powerOfTwo(30) && value < ir::powerOfTwo(30);
}

/// From `a` to `b`; nothing where they differ in anything else.
std::optional<Steps> stepsBetween(const Instance& a, const Instance& b) {
    if (a.module != b.module || a.loops != b.loops || a.actuals.size() != b.actuals.size()
        || a.arguments.size() != b.arguments.size())
        return std::nullopt;
    Steps result;
    for (std::size_t i = 0; i < a.actuals.size(); ++i) {
        if (a.actuals[i].port != b.actuals[i].port
            || a.actuals[i].parts.size() != b.actuals[i].parts.size())
            return std::nullopt;
        for (std::size_t k = 0; k < a.actuals[i].parts.size(); ++k) {
            Actual::Part moved = a.actuals[i].parts[k];
            const Actual::Part& part = b.actuals[i].parts[k];
            result.push_back(part.first - moved.first);
            moved.first = part.first;
            if (moved != part) return std::nullopt;
        }
    }
    for (std::size_t i = 0; i < a.arguments.size(); ++i) {
        const Argument &from = a.arguments[i], &to = b.arguments[i];
        if (from.parameter != to.parameter || from.steps != to.steps) return std::nullopt;
        const bool isSame = from.value == to.value;
        if (!isSame && (!isNumber(from.value) || !isNumber(to.value) || to.width == 1))
            return std::nullopt;
        result.push_back(isSame ? 0 : static_cast<std::int64_t>(to.value - from.value));
    }
    return result;
}

void setSteps(Instance& instance, const Steps& steps) {
    std::size_t at = 0;
    for (Actual& actual : instance.actuals)
        for (Actual::Part& part : actual.parts)
            part.steps.insert(part.steps.begin(), steps[at++]);
    for (Argument& argument : instance.arguments)
        argument.steps.insert(argument.steps.begin(), steps[at++]);
}

class Merger {
public:
    /// Along one direction.
    Merger(std::vector<Member>& members, std::size_t direction)
        : members_(members), direction_(direction) {}

    std::vector<Member> run() {
        gather();
        std::vector<Member> result;
        for (std::size_t i = 0; i < members_.size();) {
            const auto [end, steps] = runFrom(i);
            if (end - i < target::kFewestNeighbours) {
                result.push_back(std::move(members_[i++]));
                continue;
            }
            Member& whole = result.emplace_back(std::move(members_[i]));
            setSteps(whole.instance, steps);
            std::optional<std::uint64_t>& index = whole.indices[direction_];
            whole.instance.loops.insert(
                whole.instance.loops.begin(),
                {static_cast<std::int64_t>(*index), static_cast<std::uint32_t>(end - i)});
            index.reset();
            for (std::size_t k = i + 1; k < end; ++k)
                whole.children.insert(whole.children.end(), members_[k].children.begin(),
                                      members_[k].children.end());
            i = end;
        }
        return result;
    }

private:
    using Indices = std::vector<std::optional<std::uint64_t>>;

    bool isElement(const Member& member) const {
        return direction_ < member.indices.size() && member.indices[direction_];
    }

    /// All that neighbours have in common.
    std::pair<std::string, Indices> keyOf(const Member& member) const {
        std::pair<std::string, Indices> key{member.base, member.indices};
        key.second[direction_].reset();
        for (const Loop& loop : member.instance.loops)
            key.first += " " + std::to_string(loop.first) + " " + std::to_string(loop.count);
        return key;
    }

    /// Those that may be neighbours one after the other, where the first of them stands.
    void gather() {
        std::map<std::pair<std::string, Indices>, std::size_t> first;
        std::vector<std::tuple<std::size_t, std::uint64_t, std::size_t>> order;
        for (std::size_t i = 0; i < members_.size(); ++i) {
            const bool isOne = isElement(members_[i]);
            order.emplace_back(isOne ? first.try_emplace(keyOf(members_[i]), i).first->second : i,
                               isOne ? *members_[i].indices[direction_] : 0, i);
        }
        std::sort(order.begin(), order.end());
        std::vector<Member> result;
        for (const auto& [group, index, i] : order)
            result.push_back(std::move(members_[i]));
        members_ = std::move(result);
    }

    bool areNeighbours(const Member& a, const Member& b) const {
        return isElement(a) && isElement(b) && *b.indices[direction_] == *a.indices[direction_] + 1
               && keyOf(a) == keyOf(b);
    }

    /// The end of the run that begins at `first`, and what its members grow by.
    std::pair<std::size_t, Steps> runFrom(std::size_t first) const {
        std::size_t end = first + 1;
        Steps steps;
        while (end < members_.size() && end - first < target::kMostNeighbours
               && areNeighbours(members_[end - 1], members_[end])) {
            const auto next = stepsBetween(members_[end - 1].instance, members_[end].instance);
            if (!next || (end > first + 1 && *next != steps)) break;
            steps = *next;
            ++end;
        }
        return {end, std::move(steps)};
    }

    std::vector<Member>& members_;
    std::size_t direction_;
};

}  // namespace

std::vector<Member> withLoops(std::vector<Member> members) {
    std::size_t directions = 0;
    for (const Member& member : members)
        directions = std::max(directions, member.indices.size());
    for (std::size_t direction = directions; direction-- > 0;)
        members = Merger(members, direction).run();
    return members;
}

}  // namespace smec::hdl
