#include "codegen/cpp/decide/name_tree.h"

#include <algorithm>
#include <charconv>
#include <string_view>

// Runs  bins[0…9].count: u8   bins[3].top: bool   cam.r: u8
// give  bins (10 elements: count u8, top bool), cam (r u8).

namespace smec::codegen::cpp {
namespace {

class TreeBuilder {
public:
    explicit TreeBuilder(const ModelPlan& model) : model_(model) { tree_.nodes.emplace_back(); }

    /// `last`: of the elements that the place "[]" in a path stands for.
    void add(std::string_view path, std::uint64_t last, std::uint32_t type) {
        std::uint32_t node = 0;
        while (!path.empty()) {
            if (path.front() == '[') {
                node = elementOf(node, takeIndex(path, last));
            } else {
                if (path.front() == '.') path.remove_prefix(1);
                const std::string_view name = path.substr(0, path.find_first_of(".["));
                path.remove_prefix(name.size());
                node = childOf(node, std::string(name));
            }
        }
        setType(node, type);
    }
    NameTree take() { return std::move(tree_); }

private:
    static std::uint64_t takeIndex(std::string_view& path, std::uint64_t last) {
        const std::size_t end = std::min(path.find(']'), path.size() - 1);
        std::uint64_t index = last;
        std::from_chars(path.data() + 1, path.data() + end, index);
        path.remove_prefix(end + 1);
        return index;
    }
    std::uint32_t made() {
        tree_.nodes.emplace_back();
        return static_cast<std::uint32_t>(tree_.nodes.size() - 1);
    }
    std::uint32_t childOf(std::uint32_t node, const std::string& name) {
        const auto [place, isNew] =
            tree_.nodes[node].places.emplace(name, tree_.nodes[node].children.size());
        if (!isNew) return tree_.nodes[node].children[place->second].second;
        const std::uint32_t child = made();
        tree_.nodes[node].children.emplace_back(name, child);
        return child;
    }
    std::uint32_t elementOf(std::uint32_t node, std::uint64_t index) {
        if (!tree_.nodes[node].element) {
            const std::uint32_t element = made();
            tree_.nodes[node].element = element;
        }
        tree_.nodes[node].elements = std::max(tree_.nodes[node].elements, index + 1);
        return *tree_.nodes[node].element;
    }

    /// Elements of different types have a common one where it has the same bytes.
    void setType(std::uint32_t node, std::uint32_t type) {
        NameTree::Node& of = tree_.nodes[node];
        if (!of.type) of.type = type;
        if (*of.type == type) return;
        const TypeRow& a = model_.types[*of.type];
        const TypeRow& b = model_.types[type];
        const bool isNumber = a.kind == TypeKind::Unsigned || a.kind == TypeKind::Signed;
        if (!isNumber || a.kind != b.kind || a.bytes != b.bytes) of.isMixed = true;
        if (a.width < b.width) of.type = type;
    }

    const ModelPlan& model_;
    NameTree tree_;
};

}  // namespace

NameTree buildNameTree(const ir::Design& design, const ModelPlan& model) {
    TreeBuilder builder(model);
    for (std::size_t i = 0; i < design.names.size(); ++i) {
        const ir::NameRun& run = design.names[i];
        const std::uint32_t type = model.names[i].type.value_or(model.planes[run.plane.index].type);
        const bool isArray =
            run.suffix && run.prefix.ends_with('[') && run.suffix->starts_with(']');
        if (!run.suffix) {
            builder.add(run.prefix, 0, type);
        } else if (isArray) {
            builder.add(run.prefix + *run.suffix, run.index + run.count - 1, type);
        } else {
            for (std::uint64_t k = 0; k < run.count; ++k)
                builder.add(run.prefix + std::to_string(run.index + k) + *run.suffix, 0, type);
        }
    }
    return builder.take();
}

}  // namespace smec::codegen::cpp
