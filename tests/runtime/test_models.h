#pragma once

// Models written by hand, as the code generator would write them, and a way to run them like a
// simulator.

#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <vector>

#include <sme/model.h>

namespace sme::test {

struct Result {
    int status;
    std::string out;
    std::string err;
};

/// What lies at an offset of a region.
template <typename T>
const T* in(const std::byte* region, std::uint64_t offset) {
    return reinterpret_cast<const T*>(region + offset);
}
template <typename T>
T* in(std::byte* region, std::uint64_t offset) {
    return reinterpret_cast<T*>(region + offset);
}

/// Runs the model in this process with the given command line. `--quiet` is added unless `summary`.
Result simulate(const Model& model, std::vector<std::string> arguments, bool summary = false);

/// Owns what a Model points to.
class ModelBuilder {
public:
    ModelBuilder();
    ModelBuilder(const ModelBuilder&) = delete;
    ModelBuilder& operator=(const ModelBuilder&) = delete;

    std::uint32_t integer(bool isSigned, std::uint32_t width);
    std::uint32_t type(const Type& type);
    /// Lays the plane out after the others of its region and returns its number.
    std::uint32_t plane(Home home, std::uint32_t type, std::uint32_t instances);
    Plane& planeAt(std::uint32_t index) { return planes_[index]; }
    std::uint64_t offset(std::uint32_t plane) const { return planes_[plane].offset; }
    /// Every element of the plane starts as `value`.
    template <typename T>
    void initialise(std::uint32_t plane, T value) {
        static_assert(sizeof(T) <= 8);
        auto& bytes = values_.emplace_back();
        bytes.resize(sizeof(T));
        __builtin_memcpy(bytes.data(), &value, sizeof(T));
        planes_[plane].initial = Initial::Uniform;
        planes_[plane].initialData = bytes.data();
    }
    /// A process of `instances` instances at `level`, with paths prefix + i + suffix (one instance:
    /// prefix).
    std::uint32_t process(const char* name, Instances kernel, std::uint32_t instances,
                          std::uint32_t granularity, double cost, std::uint32_t level,
                          std::uint64_t order, std::uint64_t orderStride);
    /// Makes a block of a process: straight-line code for all its instances.
    void block(std::uint32_t cls, Block block);
    /// Of the process that is the whole design.
    void unobserved(std::uint32_t cls, const Unobserved& of) { work_[cls].unobserved = of; }
    void sites(std::uint32_t cls, const TraceSite* traces, const FailSite* fails);
    void name(const char* prefix, const char* suffix, std::uint32_t count, std::uint32_t plane,
              std::uint32_t flags);
    /// Who writes a plane; what instances of a class read, instance `first + i` element
    /// `start + i * stride`.
    void writes(std::uint32_t cls, std::uint32_t plane) { planes_[plane].owner = cls; }
    void reads(const Read& read) { reads_.push_back(read); }

    /// The model; valid as long as the builder and until it is changed.
    const Model& model();

    Model raw{};

private:
    std::vector<Type> types_;
    std::vector<Plane> planes_;
    std::vector<Class> classes_;
    std::vector<Work> work_;
    Stage stage_{};
    std::deque<WorkPart> parts_;
    std::vector<InstanceRun> instances_;
    std::vector<NameRun> names_;
    std::vector<SiteTable> sites_;
    std::vector<Read> reads_;
    std::deque<std::string> strings_;
    std::deque<std::vector<std::byte>> values_;
};

/// n × `out.v = in.v + 1`, closed to a ring; process 0 starts at 12345. Names link[i].v.
class Ring : public ModelBuilder {
public:
    explicit Ring(std::uint32_t n);
    static std::uint32_t expected(std::uint32_t n, std::uint32_t i, std::uint64_t cycles);
};

/// What the processes of Mixed do; lies in the model's constants.
struct MixedPlan {
    std::uint64_t stopCycle = ~std::uint64_t{0};  ///< sinks 3 (status 5) and 7 (status 9) stop
    std::uint64_t failCycle = ~std::uint64_t{0};  ///< sinks 2 and 8 fail an assertion
    bool trace = true;
};

/// Two levels and three processes of uneven work, in interleaved output order: source i, blend i
/// (combinational), sink i.
///   source: src[i].v = acc; acc += 3 * i + link from the source before; traces sometimes
///   blend:  mix[i].v = low bits of src[i].v and src[i+1].v, in the same cycle
///   sink:   total += mix[i].v; out[i].t = total; may stop or fail
class Mixed : public ModelBuilder {
public:
    static constexpr std::uint32_t kCount = 37;
    explicit Mixed(const MixedPlan& plan);

private:
    MixedPlan plan_;
};

/// The traffic light, a design with every kind of exposed input:
///   cmd.v: u8, cmd.go: bool, cmd.keep: i16 (hold, default -1), cmd.light: enum, cmd.gain: f64
///   (default 0.5), cmd.list: [2]u4 (default 7), cmd.pair: struct, cmd.digit: uint range 0 to 9
/// `echo` traces them all and writes res.sum = sum of v while go, a variable `a.t`.
class Inputs : public ModelBuilder {
public:
    Inputs();
};

/// A file with the given content in a folder for this process, removed at its end; returns the
/// path.
std::string writeFile(const std::string& name, const std::string& content);
std::string readFile(const std::string& path);
std::string temporaryPath(const std::string& name);

}  // namespace sme::test
