#include "codegen/cpp/decide/step_order.h"

#include <cstdint>
#include <set>
#include <utility>

#include "ir/reader_graph.h"

namespace smec::codegen::cpp {
namespace {

class StepOrder {
public:
    StepOrder(const ir::Design& design, const std::vector<plan::InstanceRef>& steps,
              const std::function<bool(ir::PlaneId)>& isKept)
        : steps_(steps), nodes_(steps.size()) {
        std::uint32_t count = 0;
        for (const ir::Class& cls : design.classes) {
            first_.push_back(count);
            count += cls.instances;
        }
        places_.resize(count);
        for (std::uint32_t i = 0; i < steps.size(); ++i)
            places_[first_[steps[i].cls.index] + steps[i].instance] = i;
        for (std::uint32_t cls = 0; cls < design.classes.size(); ++cls)
            ir::forEachRead(design, cls, [&](const ir::Read& read) {
                if (read.isInSameCycle() || isKept(read.run->plane)) note(read);
            });
    }

    std::vector<plan::InstanceRef> run() {
        for (std::uint32_t i = 0; i < nodes_.size(); ++i)
            if (nodes_[i].needs == 0) ready_.insert({nodes_[i].wishes, i});
        std::vector<plan::InstanceRef> order;
        while (!ready_.empty()) {
            const std::uint32_t next = ready_.begin()->second;
            ready_.erase(ready_.begin());
            order.push_back(steps_[next]);
            nodes_[next].isPlaced = true;
            for (const std::uint32_t reader : nodes_[next].readers)
                change(reader, &Node::needs);
            for (const std::uint32_t writer : nodes_[next].writers)
                change(writer, &Node::wishes);
        }
        return order;
    }

private:
    struct Node {
        std::vector<std::uint32_t> readers;  ///< in its cycle
        std::vector<std::uint32_t> writers;  ///< of what is kept
        std::uint32_t needs = 0;             ///< steps that have to come first
        std::uint32_t wishes = 0;            ///< steps that should
        bool isPlaced = false;
    };

    void note(const ir::Read& read) {
        for (std::uint32_t i = 0; i < read.run->count; ++i) {
            const std::uint32_t reader = places_[first_[read.reader] + read.run->first + i];
            const std::uint32_t writer = places_[first_[read.writer] + read.source(i)];
            if (read.isInSameCycle()) {
                nodes_[writer].readers.push_back(reader);
                ++nodes_[reader].needs;
            } else if (writer != reader) {
                nodes_[reader].writers.push_back(writer);
                ++nodes_[writer].wishes;
            }
        }
    }

    void change(std::uint32_t place, std::uint32_t Node::*count) {
        Node& node = nodes_[place];
        if (node.isPlaced) return;
        ready_.erase({node.wishes, place});
        --(node.*count);
        if (node.needs == 0) ready_.insert({node.wishes, place});
    }

    const std::vector<plan::InstanceRef>& steps_;
    std::vector<Node> nodes_;            ///< by place in steps_
    std::vector<std::uint32_t> first_;   ///< of each class' instances, in places_
    std::vector<std::uint32_t> places_;  ///< of instances
    std::set<std::pair<std::uint32_t, std::uint32_t>> ready_;  ///< wishes and place
};

}  // namespace

std::vector<plan::InstanceRef> orderBehindReaders(const ir::Design& design,
                                                  const std::vector<plan::InstanceRef>& steps,
                                                  const std::function<bool(ir::PlaneId)>& isKept) {
    return StepOrder(design, steps, isKept).run();
}

}  // namespace smec::codegen::cpp
