#include "driver/compile/shares.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <utility>

#include "driver/compile/imported_text.h"

namespace smec::driver {

namespace {

/// By class: how many instances one instruction works on.
std::vector<std::uint32_t> lanesOf(const ir::Design& design, const plan::Plan& plan) {
    std::vector<std::uint32_t> lanes(design.classes.size(), 1);
    for (const plan::Kernel& kernel : plan.kernels) {
        if (kernel.kind == plan::KernelKind::Loop) lanes[kernel.cls.index] = kernel.lanes;
        for (const ir::ClassId part : kernel.parts)  // of a Merged one, which stands behind them
            lanes[part.index] = kernel.lanes;
    }
    return lanes;
}

class Shares {
public:
    Shares(const ir::Design& design, const plan::Plan& plan, const plan::Facts& facts,
           const SourceManager& sources)
        : design_(design), sources_(sources), facts_(facts), lanes_(lanesOf(design, plan)) {}

    std::vector<ModuleShare> run() {
        for (std::uint32_t cls = 0; cls < design_.classes.size(); ++cls)
            add(cls);
        std::vector<ModuleShare> shares;
        for (auto& [name, sum] : sums_) {
            for (const auto& [process, count] : sum.processes)
                sum.share.instances = std::max(sum.share.instances, count);
            sum.share.name = name;
            shares.push_back(std::move(sum.share));
        }
        std::ranges::stable_sort(shares, std::ranges::greater(), &ModuleShare::cost);
        return shares;
    }

private:
    struct Sum {
        ModuleShare share;
        /// Instances; a module has at most one of each of its processes.
        std::map<std::string, std::uint64_t> processes;
    };

    /// A class may have instances of several processes, which became one.
    void add(std::uint32_t index) {
        const ir::Class& cls = design_.classes[index];
        const double cost = facts_.classes[index].cost / lanes_[index];
        std::map<Sum*, bool> counted;
        for (const ir::InstanceRun& run : cls.runs) {
            const bool isProcess = !cls.isDelayLine && run.range.valid();
            const std::string process(isProcess ? sources_.text(run.range) : cls.name);
            Sum& sum = sums_[isProcess ? moduleOf(run.range.file, process) : process];
            sum.share.cost += cost * run.count;
            sum.processes[process] += run.count;
            if (!std::exchange(counted[&sum], true))
                sum.share.statements += facts_.classes[index].size;
        }
    }

    std::string moduleOf(FileId file, const std::string& process) {
        auto [found, isNew] = files_.try_emplace(file.index);
        auto& [stem, modules] = found->second;
        if (isNew) {
            const std::filesystem::path path = sources_.path(file);
            stem = path.stem().string();
            modules = modulesBeside(path);
        }
        const auto module = modules.find(process);
        return stem + "." + (module == modules.end() ? process : module->second);
    }

    const ir::Design& design_;
    const SourceManager& sources_;
    const plan::Facts& facts_;
    std::vector<std::uint32_t> lanes_;
    std::map<std::uint32_t, std::pair<std::string, std::map<std::string, std::string>>> files_;
    std::map<std::string, Sum> sums_;
};

}  // namespace

std::vector<ModuleShare> moduleShares(const ir::Design& design, const plan::Plan& plan,
                                      const plan::Facts& facts, const SourceManager& sources) {
    return Shares(design, plan, facts, sources).run();
}

std::vector<std::string> verilogReaders(const SourceManager& sources) {
    std::vector<std::string> readers;
    for (std::uint32_t i = 0; i < sources.fileCount(); ++i) {
        const std::filesystem::path path = sources.path(FileId{i});
        const std::string reader = readerBeside(path);
        if (!reader.empty()) readers.push_back(path.stem().string() + ": " + reader);
    }
    return readers;
}

}  // namespace smec::driver
