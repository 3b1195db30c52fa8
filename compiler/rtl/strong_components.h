#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

namespace smec::rtl {

/// Strongly connected components after Tarjan, without recursion: chains may be long.
/// `inputsOf(node)` gives a list of nodes; `close(nodes)` gets each component after those that it
/// depends on.
template <typename InputsOf, typename Close>
void forEachComponent(std::uint32_t count, const InputsOf& inputsOf, const Close& close) {
    constexpr std::uint32_t kNew = UINT32_MAX;
    struct Step {
        std::uint32_t node;
        std::vector<std::uint32_t> inputs;
        std::size_t next = 0;
    };
    std::vector<std::uint32_t> number(count, kNew);  // in the order in which they are met
    std::vector<std::uint32_t> lowest(count);        // that can be reached
    std::vector<bool> isOpen(count);
    std::vector<std::uint32_t> open;
    std::vector<Step> path;
    std::uint32_t met = 0;
    const auto enter = [&](std::uint32_t node) {
        number[node] = lowest[node] = met++;
        isOpen[node] = true;
        open.push_back(node);
        path.push_back({node, inputsOf(node)});
    };
    const auto leave = [&](std::uint32_t node) {
        if (!path.empty())
            lowest[path.back().node] = std::min(lowest[path.back().node], lowest[node]);
        if (lowest[node] != number[node]) return;
        const auto first = std::find(open.rbegin(), open.rend(), node).base() - 1;
        const std::vector<std::uint32_t> component(first, open.end());
        open.erase(first, open.end());
        for (const std::uint32_t one : component)
            isOpen[one] = false;
        close(component);
    };
    for (std::uint32_t root = 0; root < count; ++root) {
        if (number[root] == kNew) enter(root);
        while (!path.empty()) {
            Step& step = path.back();
            const std::uint32_t node = step.node;
            if (step.next == step.inputs.size()) {
                path.pop_back();
                leave(node);
                continue;
            }
            const std::uint32_t input = step.inputs[step.next++];
            if (number[input] == kNew)
                enter(input);
            else if (isOpen[input])
                lowest[node] = std::min(lowest[node], number[input]);
        }
    }
}

}  // namespace smec::rtl
