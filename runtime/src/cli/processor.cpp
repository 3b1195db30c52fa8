// The check must run before any code that was compiled for this processor, and the linker may take a
// function of a header from such code: nothing of the standard library is called here.

#include "cli/processor.h"

#include <sme/model.h>
#include <unistd.h>

#include <cstdint>

#include "cli/exit_status.h"

#if defined(__x86_64__) || defined(__i386__)
#include <cpuid.h>
#elif defined(__linux__)
#include <sys/auxv.h>
#endif

namespace sme {
namespace {

bool isBlank(char c) { return c == ' '; }

bool isEqual(const char* name, const char* word, std::size_t length) {
    std::size_t i = 0;
    while (i < length && name[i] == word[i])
        ++i;
    return i == length && name[i] == 0;
}

#if defined(__x86_64__) || defined(__i386__)

enum Register : std::uint8_t { A, B, C, D };
/// What the system must keep for a program beside the old registers.
enum Kept : std::uint8_t { None, Avx = 0x06, Avx512 = 0xe6 };

struct Feature {
    const char* name;
    unsigned leaf, subleaf;
    Register where;
    unsigned bit;
    Kept kept;
};

constexpr Feature kFeatures[] = {
    {"sse3", 1, 0, C, 0, None},
    {"ssse3", 1, 0, C, 9, None},
    {"sse4_1", 1, 0, C, 19, None},
    {"sse4_2", 1, 0, C, 20, None},
    {"popcnt", 1, 0, C, 23, None},
    {"movbe", 1, 0, C, 22, None},
    {"cx16", 1, 0, C, 13, None},
    {"aes", 1, 0, C, 25, None},
    {"pclmulqdq", 1, 0, C, 1, None},
    {"rdrand", 1, 0, C, 30, None},
    {"avx", 1, 0, C, 28, Avx},
    {"f16c", 1, 0, C, 29, Avx},
    {"fma", 1, 0, C, 12, Avx},
    {"bmi1", 7, 0, B, 3, None},
    {"bmi2", 7, 0, B, 8, None},
    {"avx2", 7, 0, B, 5, Avx},
    {"rdseed", 7, 0, B, 18, None},
    {"adx", 7, 0, B, 19, None},
    {"sha_ni", 7, 0, B, 29, None},
    {"avx512f", 7, 0, B, 16, Avx512},
    {"avx512dq", 7, 0, B, 17, Avx512},
    {"avx512ifma", 7, 0, B, 21, Avx512},
    {"avx512cd", 7, 0, B, 28, Avx512},
    {"avx512bw", 7, 0, B, 30, Avx512},
    {"avx512vl", 7, 0, B, 31, Avx512},
    {"avx512vbmi", 7, 0, C, 1, Avx512},
    {"avx512_vbmi2", 7, 0, C, 6, Avx512},
    {"gfni", 7, 0, C, 8, None},
    {"vaes", 7, 0, C, 9, Avx},
    {"vpclmulqdq", 7, 0, C, 10, Avx},
    {"avx512_vnni", 7, 0, C, 11, Avx512},
    {"avx512_bitalg", 7, 0, C, 12, Avx512},
    {"avx512_vpopcntdq", 7, 0, C, 14, Avx512},
    {"movdiri", 7, 0, C, 27, None},
    {"movdir64b", 7, 0, C, 28, None},
    {"avx512_4vnniw", 7, 0, D, 2, Avx512},
    {"avx512_4fmaps", 7, 0, D, 3, Avx512},
    {"avx512_vp2intersect", 7, 0, D, 8, Avx512},
    {"avx512_fp16", 7, 0, D, 23, Avx512},
    {"amx_bf16", 7, 0, D, 22, None},
    {"amx_tile", 7, 0, D, 24, None},
    {"amx_int8", 7, 0, D, 25, None},
    {"avx512er", 7, 0, B, 27, Avx512},
    {"avx512pf", 7, 0, B, 26, Avx512},
    {"avx_vnni", 7, 1, A, 4, Avx},
    {"avx512_bf16", 7, 1, A, 5, Avx512},
    {"lahf_lm", 0x80000001, 0, C, 0, None},
    {"abm", 0x80000001, 0, C, 5, None},
    {"sse4a", 0x80000001, 0, C, 6, None},
    {"3dnowprefetch", 0x80000001, 0, C, 8, None},
    {"xop", 0x80000001, 0, C, 11, Avx},
    {"fma4", 0x80000001, 0, C, 16, Avx},
    {"tbm", 0x80000001, 0, C, 21, None},
};

/// XCR0: which registers the system keeps.
unsigned keptBySystem() {
    unsigned a = 0, b = 0, c = 0, d = 0;
    constexpr unsigned kOsxsave = 1U << 27;
    if (__get_cpuid(1, &a, &b, &c, &d) == 0 || (c & kOsxsave) == 0) return 0;
    unsigned low = 0, high = 0;
    __asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
    return low;
}

bool hasFeature(const Feature& feature) {
    unsigned found[4] = {};
    if (__get_cpuid_count(feature.leaf, feature.subleaf, &found[A], &found[B], &found[C], &found[D])
        == 0)
        return false;
    return (found[feature.where] >> feature.bit & 1) != 0 && (feature.kept & ~keptBySystem()) == 0;
}

#elif defined(__aarch64__)

struct Feature {
    const char* name;
    int word;
    unsigned bit;
};

constexpr Feature kFeatures[] = {
    {"asimdrdm", AT_HWCAP, 12}, {"atomics", AT_HWCAP, 8},  {"crc32", AT_HWCAP, 7},
    {"asimddp", AT_HWCAP, 20},  {"asimdhp", AT_HWCAP, 10}, {"sve", AT_HWCAP, 22},
    {"sve2", AT_HWCAP2, 1},     {"i8mm", AT_HWCAP2, 13},
};

bool hasFeature(const Feature& feature) {
    return (getauxval(feature.word) >> feature.bit & 1) != 0;
}

#else

struct Feature {
    const char* name;
};

constexpr Feature kFeatures[] = {{""}};

bool hasFeature(const Feature&) { return true; }

#endif

bool hasFeature(const char* word, std::size_t length) {
    for (const Feature& feature : kFeatures)
        if (isEqual(feature.name, word, length)) return hasFeature(feature);
    return false;
}

}  // namespace

MissingFeature missingFeature(const char* features) {
    if (!features) return {};
    while (*features != 0 && !isBlank(*features))  // what the text begins with
        ++features;
    while (*features != 0) {
        while (isBlank(*features))
            ++features;
        std::size_t length = 0;
        while (features[length] != 0 && !isBlank(features[length]))
            ++length;
        if (length > 0 && !hasFeature(features, length)) return {features, length};
        features += length;
    }
    return {};
}

namespace {

struct Text {
    char bytes[1024];
    std::size_t size = 0;
    void add(const char* text, std::size_t length) {
        for (std::size_t i = 0; i < length && size < sizeof bytes; ++i)
            bytes[size++] = text[i];
    }
    void add(const char* text) {
        std::size_t length = 0;
        while (text[length] != 0)
            ++length;
        add(text, length);
    }
};

const char* lastPart(const char* path) {
    const char* part = path;
    for (; *path != 0; ++path)
        if (*path == '/') part = path + 1;
    return part;
}

}  // namespace

}  // namespace sme

/// Libraries have none: those tell who makes a simulation.
extern "C" __attribute__((weak, visibility("hidden"))) const sme::Model* const sme_program_model;

/// Before constructors of the user's C++, which is compiled for the same processor.
__attribute__((constructor(101), used)) static void checkProcessor(int argc, char** argv) {
    if (&sme_program_model == nullptr) return;
    const sme::MissingFeature missing = sme::missingFeature(sme_program_model->processor);
    if (missing.length == 0) return;
    sme::Text text;
    text.add(argc > 0 && argv ? sme::lastPart(argv[0]) : sme_program_model->name);
    text.add(": error: ");
    text.add(sme::kMissingStart);
    text.add(missing.name, missing.length);
    text.add(sme::kMissingEnd);
    text.add("\n");
    if (write(STDERR_FILENO, text.bytes, text.size) < 0) _exit(sme::kFiles);
    _exit(sme::kFiles);
}
