#include "driver/verilog/scan/findings.h"

#include <algorithm>

#include <fmt/format.h>

namespace smec::driver::scan {
namespace {

std::string counted(std::uint32_t count, std::string_view one, std::string_view more) {
    return fmt::format("{} {}", count, count == 1 ? one : more);
}

/// "2 conditions on SYNTHESIS or YOSYS and 1 region of translate_off"
std::string textOf(const Notes& notes) {
    std::vector<std::string> parts;
    if (notes.conditions != 0)
        parts.push_back(counted(notes.conditions, "condition on SYNTHESIS or YOSYS",
                                "conditions on SYNTHESIS or YOSYS"));
    if (notes.regions != 0)
        parts.push_back(
            counted(notes.regions, "region of translate_off", "regions of translate_off"));
    if (notes.cases != 0)
        parts.push_back(
            counted(notes.cases, "full_case or parallel_case", "of full_case and parallel_case"));
    std::string text;
    for (std::size_t i = 0; i < parts.size(); ++i)
        text += (i == 0 ? "" : i + 1 == parts.size() ? " and " : ", ") + parts[i];
    return text;
}

class Findings {
public:
    Findings(const VerilogInput& input, Texts& texts) : input_(input), texts_(texts) {}

    std::vector<Finding> run() {
        read();
        for (const Parsed& parsed : parsed_)
            for (const Module& module : parsed.modules)
                modules_.try_emplace(sources_[module.unit][module.name].text, &module);
        const std::set<const Module*> used = usedModules();
        for (const Parsed& parsed : parsed_)
            for (const Module& module : parsed.modules)
                if (used.contains(&module)) check(module);
        std::ranges::stable_sort(found_, {}, [](const Finding& one) {
            return std::tuple(one.at.file, one.at.line, one.at.column);
        });
        return std::move(found_);
    }

private:
    void read() {
        std::map<std::uint16_t, Notes> notes;
        for (const std::string& file : input_.files) {
            Unit unit = preprocess(texts_.file(file), input_, texts_);
            for (const auto& [number, ones] : unit.notes)
                notes.try_emplace(number, ones);
            for (const Token& t : unit.unread)
                found_.push_back({RuleId::NotRead, t, fmt::format("'{}'", t.text)});
            if (!unit.isWhole) unit.tokens = {Token{}};
            sources_.emplace_back(std::move(unit.tokens));
        }
        for (const auto& [number, ones] : notes)
            found_.push_back({RuleId::SynthesisWords, ones.first, textOf(ones)});
        for (std::uint32_t i = 0; i < sources_.size(); ++i) {
            parsed_.push_back(parse(sources_[i], i));
            for (const Unreadable& unread : parsed_.back().unreadable)
                found_.push_back(
                    {unread.what.starts_with("tri") ? RuleId::PullNet : RuleId::NotRead,
                     sources_[i][unread.at], std::string(unread.what)});
        }
    }

    /// From the top module down, or from all that nobody instantiates.
    std::set<const Module*> usedModules() const {
        std::set<const Module*> used;
        std::vector<const Module*> todo;
        const auto add = [&](const Module* module) {
            if (used.insert(module).second) todo.push_back(module);
        };
        if (const auto top = modules_.find(input_.top); top != modules_.end()) {
            add(top->second);
        } else {
            for (const auto& [name, module] : modules_)
                add(module);
        }
        for (const auto& [name, module] : modules_)
            if (sources_[module->unit][module->word].is("package")) add(module);
        while (!todo.empty()) {
            const Module& module = *todo.back();
            todo.pop_back();
            for (const Instance& instance : module.instances) {
                const auto child = modules_.find(sources_[module.unit][instance.module].text);
                if (child != modules_.end()) add(child->second);
            }
        }
        return used;
    }

    void check(const Module& module) {
        const Context context{sources_[module.unit], module, modules_,
                              isSystemVerilogFile(input_.files[module.unit]), found_};
        checkNames(context);
        checkNumbers(context);
        checkLoops(context);
        checkTargets(context);
        checkMemories(context);
        checkRoutines(context);
        checkEvents(context);
    }

    const VerilogInput& input_;
    Texts& texts_;
    std::deque<Source> sources_;
    std::deque<Parsed> parsed_;
    ModulesByName modules_;
    std::vector<Finding> found_;
};

}  // namespace

std::vector<Finding> findAll(const VerilogInput& input, Texts& texts) {
    return Findings(input, texts).run();
}

}  // namespace smec::driver::scan
