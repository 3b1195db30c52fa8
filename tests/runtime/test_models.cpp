#include "test_models.h"

#include <cstdio>
#include <cstring>

#include "cli/cli.h"
#include "support/files.h"

namespace sme::test {

Result simulate(const Model& model, std::vector<std::string> arguments, bool summary) {
    if (!summary) arguments.emplace_back("--quiet");
    StringSink out;
    StringSink err;
    const int status = runCommand(model, "sim", arguments, out, err);
    return {status, out.text, err.text};
}

// ---------------------------------------------------------------- builder

ModelBuilder::ModelBuilder() {
    raw.version = kModelVersion;
    raw.name = "test";
    raw.compiler = "smec 1.2.3";
    raw.hash = 0x1234;
    raw.levels = 1;
    sites_.reserve(64);
}

std::uint32_t ModelBuilder::integer(bool isSigned, std::uint32_t width) {
    const std::uint32_t bytes = width <= 8    ? 1
                                : width <= 16 ? 2
                                : width <= 32 ? 4
                                              : (width + 63) / 64 * 8;
    strings_.push_back((isSigned ? "i" : "u") + std::to_string(width));
    return type({isSigned ? Kind::Signed : Kind::Unsigned, width, bytes, strings_.back().c_str(), 0,
                 0, nullptr, nullptr, 0, 0});
}

std::uint32_t ModelBuilder::type(const Type& type) {
    types_.push_back(type);
    return static_cast<std::uint32_t>(types_.size() - 1);
}

std::uint32_t ModelBuilder::plane(Home home, std::uint32_t type, std::uint32_t instances) {
    std::uint64_t& end = home == Home::OneSlot ? raw.stateBytes : raw.clockedBytes;
    Plane plane{};
    plane.type = type;
    plane.home = home;
    plane.instances = instances;
    plane.offset = end;
    plane.initial = Initial::Zero;
    planes_.push_back(plane);
    end = (end + std::uint64_t{instances} * types_[type].bytes + 63) / 64 * 64;
    return static_cast<std::uint32_t>(planes_.size() - 1);
}

std::uint32_t ModelBuilder::process(const char* name, Instances kernel, std::uint32_t instances,
                                    std::uint32_t granularity, double cost, std::uint32_t level,
                                    std::uint64_t order, std::uint64_t orderStride) {
    const auto cls = static_cast<std::uint32_t>(classes_.size());
    classes_.push_back({name, {"test.sme", 1, 1}, instances, nullptr, 0});
    parts_.push_back({cls, 0, instances});
    work_.push_back(
        {name, {kernel, nullptr}, instances, granularity, 1, cost, level, &parts_.back(), 1});
    strings_.push_back(std::string(name) + "[");
    const bool one = instances == 1;
    instances_.push_back({cls, 0, instances, one ? name : strings_.back().c_str(),
                          one ? nullptr : "]", 0, order, orderStride});
    raw.levels = std::max(raw.levels, level + 1);
    raw.processCount += instances;
    return cls;
}

void ModelBuilder::block(std::uint32_t cls, Block block) {
    Work& work = work_[cls];
    work.entry = {nullptr, block};
    work.steps = work.count;
    work.count = work.granularity = 1;
}

void ModelBuilder::sites(std::uint32_t cls, const TraceSite* traces, const FailSite* fails) {
    sites_.push_back({0, traces, fails});
    classes_[cls].sites = &sites_.back();
    classes_[cls].siteCount = 1;
}

void ModelBuilder::name(const char* prefix, const char* suffix, std::uint32_t count,
                        std::uint32_t plane, std::uint32_t flags) {
    names_.push_back({prefix, suffix, 0, count, plane, 0, 1, flags});
}

const Model& ModelBuilder::model() {
    raw.types = types_.data();
    raw.typeCount = static_cast<std::uint32_t>(types_.size());
    raw.planes = planes_.data();
    raw.planeCount = static_cast<std::uint32_t>(planes_.size());
    raw.classes = classes_.data();
    raw.classCount = static_cast<std::uint32_t>(classes_.size());
    raw.work = work_.data();
    raw.workCount = static_cast<std::uint32_t>(work_.size());
    stage_ = {kOnlyGroup, 0, raw.levels - 1};
    raw.stages = &stage_;
    raw.stageCount = 1;
    raw.instances = instances_.data();
    raw.instanceRunCount = static_cast<std::uint32_t>(instances_.size());
    raw.names = names_.data();
    raw.nameRunCount = static_cast<std::uint32_t>(names_.size());
    raw.reads = reinterpret_cast<const std::byte*>(reads_.data());
    raw.readCount = reads_.size();
    return raw;
}

namespace {

// ---------------------------------------------------------------- ring

void ringKernel([[maybe_unused]] const Thread& thread, const Slots& slots, std::uint32_t begin,
                std::uint32_t end) {
    const auto* read = in<std::uint32_t>(slots.read, 0);
    auto* write = in<std::uint32_t>(slots.write, 0);
    const auto n = static_cast<std::uint32_t>(thread.setup->model->processCount);
    for (std::uint32_t i = begin; i < end; ++i)
        write[i] = read[i == 0 ? n - 1 : i - 1] + 1;
}

// ---------------------------------------------------------------- mixed

constexpr std::uint32_t kMixed = Mixed::kCount;
// Offsets as ModelBuilder lays them out.
constexpr std::uint64_t kSource = 0;                                   // u32
constexpr std::uint64_t kMix = kSource + (kMixed * 4 + 63) / 64 * 64;  // u16, combinational
constexpr std::uint64_t kTotal = kMix + (kMixed * 2 + 63) / 64 * 64;   // i16
constexpr std::uint64_t kAcc = 0;                                      // u32
constexpr std::uint64_t kSum = (kMixed * 4 + 63) / 64 * 64;            // i16

const MixedPlan& planOf(const Thread& thread) {
    return *reinterpret_cast<const MixedPlan*>(thread.constants);
}

/// Takes a while, longer for some instances, so that threads meet in ever new ways.
void dawdle(std::uint32_t instance, std::uint64_t cycle) {
    volatile std::uint32_t sink = 0;
    for (std::uint64_t i = 0; i < (instance * 7 + cycle * 13) % 200; ++i)
        sink = sink + 1;
}

void sourceKernel([[maybe_unused]] const Thread& thread, const Slots& slots, std::uint32_t begin,
                  std::uint32_t end) {
    const auto* v = in<std::uint32_t>(slots.read, kSource);
    auto* out = in<std::uint32_t>(slots.write, kSource);
    auto* acc = in<std::uint32_t>(slots.state, kAcc);
    for (std::uint32_t i = begin; i < end; ++i) {
        dawdle(i, slots.cycle);
        out[i] = acc[i];
        acc[i] += 3 * i + v[(i + kMixed - 1) % kMixed];
        if (!planOf(thread).trace || (acc[i] + slots.cycle) % 5 != 0) continue;
        const Arg args[] = {{slots.cycle, 0}, {acc[i], 0}};
        trace(thread, slots, 0, 0, i, args);
        if (acc[i] % 2 == 0) trace(thread, slots, 0, 1, i, args);
    }
}

void blendKernel([[maybe_unused]] const Thread& thread, const Slots& slots, std::uint32_t begin,
                 std::uint32_t end) {
    const auto* v = in<std::uint32_t>(slots.read, kSource);
    auto* mix = in<std::uint16_t>(slots.write, kMix);
    for (std::uint32_t i = begin; i < end; ++i) {
        mix[i] = static_cast<std::uint16_t>(v[i] * 31 + v[(i + 1) % kMixed]);
        if (planOf(thread).trace && mix[i] % 11 == 0) trace(thread, slots, 1, 0, i, nullptr);
    }
}

void sinkKernel([[maybe_unused]] const Thread& thread, const Slots& slots, std::uint32_t begin,
                std::uint32_t end) {
    const auto* mix = in<std::uint16_t>(slots.write, kMix);
    auto* total = in<std::int16_t>(slots.write, kTotal);
    auto* sum = in<std::int16_t>(slots.state, kSum);
    const MixedPlan& plan = planOf(thread);
    for (std::uint32_t i = begin; i < end; ++i) {
        dawdle(kMixed - i, slots.cycle);
        sum[i] = static_cast<std::int16_t>(sum[i] + mix[i]);
        total[i] = sum[i];
        if (slots.cycle == plan.stopCycle && (i == 3 || i == 7))
            stop(thread, slots, 2, i, static_cast<std::uint8_t>(i == 3 ? 5 : 9));
        const Arg args[] = {{i, 0}};
        if (slots.cycle == plan.failCycle && (i == 2 || i == 8)) fail(thread, slots, 2, 0, i, args);
    }
}

constexpr ArgFormat kTwo[] = {{ArgKind::Unsigned, 64, 0}, {ArgKind::Unsigned, 32, 0}};
constexpr TraceSite kSourceTraces[] = {{"{}: acc {:08x}", kTwo, 2}, {"{}: {} is even", kTwo, 2}};
constexpr TraceSite kBlendTraces[] = {{"blend {{}}", nullptr, 0}};
constexpr FailSite kSinkFails[] = {
    {Failure::Assertion, {"mixed.sme", 12, 5}, {"sink {}", kTwo, 1}, nullptr}};

// ---------------------------------------------------------------- inputs

struct Pair {
    std::uint8_t x;
    std::int8_t y;
};

constexpr EnumMember kLights[] = {{"RED", 0}, {"GREEN", 2}, {"BLUE", 3}};
constexpr StructMember kPairFields[] = {{"x", 0, 0, 0}, {"y", 1, 1, 1}};

void echoKernel([[maybe_unused]] const Thread& thread, const Slots& slots, std::uint32_t,
                std::uint32_t) {
    const std::byte* read = slots.read;
    auto* total = in<std::uint8_t>(slots.state, 0);
    const auto address = [&](std::uint64_t offset) {
        return reinterpret_cast<std::uint64_t>(read + offset);
    };
    std::uint64_t gain = 0;
    std::memcpy(&gain, read + 256, 8);
    const Arg args[] = {{*in<std::uint8_t>(read, 0), 0},
                        {*in<std::uint8_t>(read, 64), 0},
                        {static_cast<std::uint64_t>(std::int64_t{*in<std::int16_t>(read, 128)}),
                         *in<std::int16_t>(read, 128) < 0 ? ~std::uint64_t{0} : 0},
                        {address(192), 0},
                        {gain, 0},
                        {address(320), 0},
                        {address(384), 0},
                        {*in<std::uint8_t>(read, 448), 0}};
    trace(thread, slots, 0, 0, 0, args);
    if (*in<std::uint8_t>(read, 64) != 0)
        *total = static_cast<std::uint8_t>(*total + *in<std::uint8_t>(read, 0));
    *in<std::uint8_t>(slots.write, 512) = *total;
}

}  // namespace

Ring::Ring(std::uint32_t n) {
    const std::uint32_t u32 = integer(false, 32);
    const std::uint32_t link = plane(Home::TwoSlots, u32, n);
    static const std::vector<std::uint32_t> start = [] {
        std::vector<std::uint32_t> values(1 << 20);
        values[0] = 12345;
        return values;
    }();
    planeAt(link).initial = Initial::Column;
    planeAt(link).initialData = reinterpret_cast<const std::byte*>(start.data());
    writes(process("p", ringKernel, n, 16, 1, 0, 0, 1), link);
    reads({0, 0, 1, link, n - 1, 0});
    if (n > 1) reads({0, 1, n - 1, link, 0, 1});
    name("link[", "].v", n, link, kExposed);
}

std::uint32_t Ring::expected(std::uint32_t n, std::uint32_t i, std::uint64_t cycles) {
    const auto from = static_cast<std::uint32_t>((i + n - cycles % n) % n);
    return static_cast<std::uint32_t>((from == 0 ? 12345 : 0) + cycles);
}

Mixed::Mixed(const MixedPlan& plan) : plan_(plan) {
    const std::uint32_t u32 = integer(false, 32);
    const std::uint32_t u16 = integer(false, 16);
    const std::uint32_t i16 = integer(true, 16);
    const std::uint32_t source = this->plane(Home::TwoSlots, u32, kCount);
    const std::uint32_t mix = this->plane(Home::WrittenSlot, u16, kCount);
    const std::uint32_t total = this->plane(Home::TwoSlots, i16, kCount);
    const std::uint32_t acc = this->plane(Home::OneSlot, u32, kCount);
    const std::uint32_t sum = this->plane(Home::OneSlot, i16, kCount);
    initialise(acc, std::uint32_t{7});
    const std::uint32_t sources = process("source", sourceKernel, kCount, 1, 4, 1, 0, 3);
    const std::uint32_t blends = process("blend", blendKernel, kCount, 1, 1, 0, 1, 3);
    const std::uint32_t sinks = process("sink", sinkKernel, kCount, 1, 2, 1, 2, 3);
    for (const std::uint32_t field : {source, acc})
        writes(sources, field);
    writes(blends, mix);
    for (const std::uint32_t field : {total, sum})
        writes(sinks, field);
    reads({sources, 0, 1, source, kCount - 1, 0});
    reads({sources, 1, kCount - 1, source, 0, 1});
    reads({blends, 0, kCount, source, 0, 1});
    reads({blends, 0, kCount - 1, source, 1, 1});
    reads({blends, kCount - 1, 1, source, 0, 0});
    reads({sinks, 0, kCount, mix, 0, 1});
    sites(sources, kSourceTraces, nullptr);
    sites(blends, kBlendTraces, nullptr);
    sites(sinks, nullptr, kSinkFails);
    name("src[", "].v", kCount, source, 0);
    name("mix[", "].v", kCount, mix, 0);
    name("out[", "].t", kCount, total, kExposed);
    name("source[", "].acc", kCount, acc, kVariable);
    name("sink[", "].sum", kCount, sum, kVariable);
    raw.constants = reinterpret_cast<const std::byte*>(&plan_);
    raw.flags = kHasStop | kHasFailure | kPrints;
    // the builder keeps source order; the contract wants levels
    model();
    auto* work = const_cast<Work*>(raw.work);
    std::swap(work[0], work[1]);
}

Inputs::Inputs() {
    const std::uint32_t u8 = integer(false, 8);
    const std::uint32_t i8 = integer(true, 8);
    const std::uint32_t boolean = type({Kind::Bool, 1, 1, "bool", 0, 0, nullptr, nullptr, 0, 0});
    const std::uint32_t i16 = integer(true, 16);
    const std::uint32_t light = type({Kind::Enum, 2, 1, "light", 0, 3, kLights, nullptr, 0, 0});
    const std::uint32_t f64 = type({Kind::F64, 64, 8, "f64", 0, 0, nullptr, nullptr, 0, 0});
    const std::uint32_t u4 = integer(false, 4);
    const std::uint32_t list = type({Kind::Array, 0, 2, "[2]u4", u4, 2, nullptr, nullptr, 0, 0});
    const std::uint32_t pair = type({Kind::Struct, 0, 2, "pair", 0, 2, nullptr, kPairFields, 0, 0});
    const std::uint32_t digit =
        type({Kind::Unsigned, 4, 1, "uint range 0 to 9", 0, 0, nullptr, nullptr, 0, 9});
    (void)u8;
    (void)i8;  // types 0 and 1, named by kPairFields
    const char* names[] = {"cmd.v",    "cmd.go",   "cmd.keep", "cmd.light",
                           "cmd.gain", "cmd.list", "cmd.pair", "cmd.digit"};
    const std::uint32_t types[] = {u8, boolean, i16, light, f64, list, pair, digit};
    for (std::uint32_t i = 0; i < 8; ++i) {
        const std::uint32_t input = plane(Home::TwoSlots, types[i], 1);
        planeAt(input).home = Home::Given;
        name(names[i], nullptr, 1, input, kExposed);
    }
    planeAt(2).hold = true;
    initialise(2, std::int16_t{-1});
    initialise(4, 0.5);
    initialise(5, std::uint16_t{0x0707});
    const std::uint32_t sum = plane(Home::TwoSlots, u8, 1);
    name("res.sum", nullptr, 1, sum, kExposed);
    const std::uint32_t total = plane(Home::OneSlot, u8, 1);
    name("a.t", nullptr, 1, total, kVariable);
    static const ArgFormat formats[] = {{ArgKind::Unsigned, 8, 0}, {ArgKind::Bool, 1, 0},
                                        {ArgKind::Signed, 16, 0},  {ArgKind::Typed, 2, light},
                                        {ArgKind::F64, 64, 0},     {ArgKind::Typed, 0, list},
                                        {ArgKind::Typed, 0, pair}, {ArgKind::Unsigned, 4, 0}};
    static const TraceSite traces[] = {{"{} {} {} {} {} {} {} {}", formats, 8}};
    const std::uint32_t echo = process("a", echoKernel, 1, 1, 1, 0, 0, 1);
    sites(echo, traces, nullptr);
    writes(echo, sum);
    writes(echo, total);
    raw.flags |= kPrints;
}

// ---------------------------------------------------------------- files

std::string temporaryPath(const std::string& name) {
    static const smec::test::Folder folder;
    return folder.file(name);
}

std::string writeFile(const std::string& name, const std::string& content) {
    const std::string path = temporaryPath(name);
    smec::test::writeFile(path, content);
    return path;
}

std::string readFile(const std::string& path) { return smec::test::readFile(path); }

}  // namespace sme::test
