#include "codegen/vhdl/probes.h"

#include <algorithm>

#include "codegen/vhdl/spelling.h"
#include "hdl/names.h"
#include "source/internal_error.h"

namespace smec::codegen::vhdl {

using namespace hdl;

namespace {

std::string portName(const Module& module) {
    Names names;
    for (const Signal& signal : module.signals)
        names.take(signal.name);
    for (const Instance& instance : module.instances)
        names.take(instance.name);
    return names.take("probes");
}

const Instance& instanceOf(const Module& module, const std::string& name) {
    const auto at = std::find_if(module.instances.begin(), module.instances.end(),
                                 [&](const Instance& one) { return one.name == name; });
    require(at != module.instances.end(), "a probe within an instance that is not there");
    return *at;
}

/// The bit of a port's `low`, as the network sees it.
std::uint32_t afterPort(const Module& module, const Probed::Copy& copy, const Instance& instance,
                        const Step& step, const std::string& port, std::uint32_t low) {
    for (const Actual& actual : instance.actuals) {
        if (actual.port != port) continue;
        for (const Actual::Part& part : actual.parts) {
            const Signal& signal = module[part.signal];
            const std::uint32_t width =
                part.count == 0 ? widthOf(signal) : part.count * signal.type.width;
            if (low >= width) {
                low -= width;
                continue;
            }
            std::int64_t first = part.first;
            for (std::size_t i = 0; i < part.steps.size(); ++i)
                first += part.steps[i] * (step.indices[i] - instance.loops[i].first);
            return copy.signals.at(part.signal.index)
                   + static_cast<std::uint32_t>(first) * signal.type.width + low;
        }
    }
    throw InternalError("a probe at a port that is not connected");
}

std::uint32_t roundOf(const Instance& instance, const Step& step) {
    std::int64_t round = 0;
    for (std::size_t i = 0; i < instance.loops.size(); ++i)
        round = round * instance.loops[i].count + step.indices[i] - instance.loops[i].first;
    return static_cast<std::uint32_t>(round);
}

}  // namespace

Probed probed(const Design& design) {
    Probed result;
    Names names;
    for (const Module& module : design.modules)
        names.take(module.name);
    names.take(design.bench);
    names.take(design.support);
    for (const Module& module : design.modules) {
        Probed::Copy& copy = result.copies.emplace_back();
        if (module.kind != Kind::Network) continue;
        copy.name = names.take(design.bench + "_" + module.name);
        copy.port = portName(module);
        for (std::uint32_t i = 0; i < module.signals.size(); ++i) {
            if (module.signals[i].role == Role::Input) continue;
            copy.signals[i] = copy.width;
            copy.width += widthOf(module.signals[i]);
        }
        for (const Instance& instance : module.instances) {
            const std::uint32_t width = result.copies[instance.module.index].width;
            if (width == 0) continue;
            copy.instances[instance.name] = copy.width;
            copy.width += width * static_cast<std::uint32_t>(instance.rounds());
        }
    }
    return result;
}

std::uint32_t bitOf(const Design& design, const Probed& copies, const Probe& probe) {
    std::size_t at = design.modules.size() - 1;
    std::uint32_t bit = 0;
    for (const Step& step : probe.path) {
        const Module& module = design.modules[at];
        const Instance& instance = instanceOf(module, step.instance);
        if (design.modules[instance.module.index].kind != Kind::Network)
            return bit
                   + afterPort(module, copies.copies[at], instance, step, probe.signal, probe.low);
        bit += copies.copies[at].instances.at(instance.name)
               + roundOf(instance, step) * copies.copies[instance.module.index].width;
        at = instance.module.index;
    }
    for (const auto& [signal, low] : copies.copies[at].signals)
        if (design.modules[at].signals[signal].name == probe.signal) return bit + low + probe.low;
    throw InternalError("a probe of a signal that is not there");
}

}  // namespace smec::codegen::vhdl
