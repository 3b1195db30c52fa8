// What the runtime loads of a model.bin:
//
//     damaged_models 20000         so many mutants of the file as it comes, and of one whose hash fits

#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "codegen/cpp/generate.h"
#include "codegen/designs.h"
#include "codegen/loaded_image.h"
#include "driver/compile/generate.h"
#include "elab/elaborate.h"
#include "fuzz/mutants.h"
#include "output/error.h"
#include "syntax/parse.h"

namespace {

using namespace smec;

/// Something in every table.
constexpr const char* kDesign = R"(
    type pair: struct { a: u4; b: [2]u8; wide: u100 range 3 to 0x80000000000000000000; };
    enum state { IDLE, BUSY = 5, LOST };
    enum far { NEAR, FAR = 0x1000000000000000000000 };
    type cmd: bus { n: u8 = 3; k: state; p: pair; w: i70; };
    proc p(in c: cmd, const first: u8 = 7, out r: cmd)
        var t: u8 range 0 to 200 = first; var f: far; var q: pair; var m: [300]u8 = 9; var h: [3]u8 = [9, 8, 7];
    {
        cover(c.k == BUSY, "busy");
        while (t > 3) { t -= 1; trace("{} {} {}", t, c.k, q); wait; }
        assert(t < 100, "too much: {} of {}", t, f);
        r.n = t + c.n; m[t] = c.n + h[1]; q.a = u4(t); r.k = LOST; t = 9;
    }
    network top(in c: cmd)
    {
        instance a of p(c, 1, b);
        bus b: cmd;
        generate i = 0 until 20 { bus o: cmd; instance s[i] of p(b, i, o); }
    }
)";

std::string imageOfDesign() {
    driver::FrontEnd front(WarningOptions{});
    const FileId file = front.sources.add("p.sme", kDesign);
    front.program.modules.push_back(
        {syntax::parse(front.sources, file, front.diagnostics), "/p.sme", false, {}});
    front.design = elab::elaborate(front.program, front.sources, {}, front.diagnostics);
    driver::Stats stats;
    std::optional<codegen::cpp::SourceBundle> bundle;
    if (front.design) bundle = driver::generate(front, {}, stats).bundle;
    if (!bundle) {
        std::fprintf(stderr, "%s\n", render(front.diagnostics, front.sources, {}).c_str());
        std::exit(1);
    }
    return bundle->files.at(codegen::cpp::kModelImage);
}

std::string imageOf(const ir::Design& design) {
    return codegen::cpp::generate(design, plan::build(design, {}), plan::factsOf(design),
                                  SourceManager(), {})
        .files.at(codegen::cpp::kModelImage);
}

/// Follows all that points somewhere, as who runs the model does. A sum, so that it is done.
class Walk {
public:
    explicit Walk(const sme::Model& model) { row(model); }
    std::uint64_t sum() const { return sum_; }

private:
    template <typename Row>
    void row(const Row& row) {
        if constexpr (std::is_integral_v<Row>)
            sum_ += row;
        else
            sme::rows::Of<Row>::forEach(row, [&](auto kind, const Row& of) { member(kind, of); });
    }
    template <auto M>
    void member(sme::rows::Text<M>, const sme::rows::OwnerOf<M>& row) {
        sum_ += std::strlen(row.*M);
    }
    template <auto M>
    void member(sme::rows::MaybeText<M>, const sme::rows::OwnerOf<M>& row) {
        if (row.*M) sum_ += std::strlen(row.*M);
    }
    template <auto M, auto Count>
    void member(sme::rows::Rows<M, Count>, const sme::rows::OwnerOf<M>& of) {
        for (std::uint64_t i = 0; i < of.*Count && ++visited_ < kMost; ++i)
            row((of.*M)[i]);
    }
    template <auto M>
    void member(sme::rows::SomeRows<M>, const sme::rows::OwnerOf<M>& of) {
        if (of.*M && ++visited_ < kMost) row(*(of.*M));
    }
    template <auto M>
    void member(sme::rows::Nested<M>, const sme::rows::OwnerOf<M>& of) {
        row(of.*M);
    }
    template <typename Kind, typename Row>
    void member(Kind, const Row&) {}

    /// Rows that many others share are visited from each.
    static constexpr std::uint64_t kMost = 1'000'000;
    std::uint64_t sum_ = 0, visited_ = 0;
};

/// Initial values are copied from the file, and reads looked at.
std::uint64_t bytesOf(const sme::Model& model) {
    std::uint64_t sum = 0;
    for (std::uint32_t i = 0; i < model.planeCount; ++i) {
        const sme::Plane& plane = model.planes[i];
        if (plane.initial == sme::Initial::Zero) continue;
        const sme::Type* type = &model.types[plane.type];
        while (plane.initial == sme::Initial::Elements && type->kind == sme::Kind::Array)
            type = &model.types[type->element];
        sum +=
            static_cast<std::uint64_t>(plane.initialData[0])
            + static_cast<std::uint64_t>(plane.initialData[type->bytes == 0 ? 0 : type->bytes - 1]);
    }
    if (model.readCount > 0)
        sum += static_cast<std::uint64_t>(model.reads[model.readCount * sizeof(sme::Read) - 1]);
    return sum;
}

std::string load(const std::string& file) {
    try {
        const test::LoadedImage image(file);
        volatile std::uint64_t used = Walk(image.model()).sum() + bytesOf(image.model());
        static_cast<void>(used);
    } catch (const sme::Error& error) {
        return error.what();
    }
    return {};
}

/// The same file with the hash that it should have.
std::string sealed(std::string file) {
    sme::ImageHeader header;
    if (file.size() < sizeof header) return file;
    std::memcpy(&header, file.data(), sizeof header);
    header.hash = sme::imageHash(std::as_bytes(std::span(file)).subspan(sizeof header));
    std::memcpy(file.data(), &header, sizeof header);
    return file;
}

}  // namespace

int main(int argc, char** argv) {
    const std::vector<std::string> seeds = {imageOfDesign(), imageOf(test::ring(8)),
                                            imageOf(test::failing(9)), imageOf(test::mesh(4))};
    const std::vector<test::Reader> readers = {
        {"model", seeds, {"SMEMODEL"}, load, "'x.bin'"},
        {"model.content",
         seeds,
         {std::string(8, '\0')},
         [](const std::string& file) { return load(sealed(file)); },
         "'x.bin'"}};
    return test::mutantsMain(readers, argc, argv);
}
