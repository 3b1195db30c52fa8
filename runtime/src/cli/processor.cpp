// The check must run before any code that was compiled for this processor, and the linker may take a
// function of a header from such code: nothing of the standard library is called here.

#include "cli/processor.h"

#include <sme/code.h>
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

enum Leaf : std::uint8_t { Basic, Extended, Extended1, Amd, LeafCount };

struct Feature {
    const char* name;
    Leaf leaf;
    Register where;
    unsigned bit;
    Kept kept;
};

constexpr Feature kFeatures[] = {
    {"sse3", Basic, C, 0, None},
    {"ssse3", Basic, C, 9, None},
    {"sse4_1", Basic, C, 19, None},
    {"sse4_2", Basic, C, 20, None},
    {"popcnt", Basic, C, 23, None},
    {"movbe", Basic, C, 22, None},
    {"cx16", Basic, C, 13, None},
    {"aes", Basic, C, 25, None},
    {"pclmulqdq", Basic, C, 1, None},
    {"rdrand", Basic, C, 30, None},
    {"avx", Basic, C, 28, Avx},
    {"f16c", Basic, C, 29, Avx},
    {"fma", Basic, C, 12, Avx},
    {"bmi1", Extended, B, 3, None},
    {"bmi2", Extended, B, 8, None},
    {"avx2", Extended, B, 5, Avx},
    {"rdseed", Extended, B, 18, None},
    {"adx", Extended, B, 19, None},
    {"sha_ni", Extended, B, 29, None},
    {"avx512f", Extended, B, 16, Avx512},
    {"avx512dq", Extended, B, 17, Avx512},
    {"avx512ifma", Extended, B, 21, Avx512},
    {"avx512cd", Extended, B, 28, Avx512},
    {"avx512bw", Extended, B, 30, Avx512},
    {"avx512vl", Extended, B, 31, Avx512},
    {"avx512vbmi", Extended, C, 1, Avx512},
    {"avx512_vbmi2", Extended, C, 6, Avx512},
    {"gfni", Extended, C, 8, None},
    {"vaes", Extended, C, 9, Avx},
    {"vpclmulqdq", Extended, C, 10, Avx},
    {"avx512_vnni", Extended, C, 11, Avx512},
    {"avx512_bitalg", Extended, C, 12, Avx512},
    {"avx512_vpopcntdq", Extended, C, 14, Avx512},
    {"movdiri", Extended, C, 27, None},
    {"movdir64b", Extended, C, 28, None},
    {"avx512_4vnniw", Extended, D, 2, Avx512},
    {"avx512_4fmaps", Extended, D, 3, Avx512},
    {"avx512_vp2intersect", Extended, D, 8, Avx512},
    {"avx512_fp16", Extended, D, 23, Avx512},
    {"amx_bf16", Extended, D, 22, None},
    {"amx_tile", Extended, D, 24, None},
    {"amx_int8", Extended, D, 25, None},
    {"avx512er", Extended, B, 27, Avx512},
    {"avx512pf", Extended, B, 26, Avx512},
    {"avx_vnni", Extended1, A, 4, Avx},
    {"avx512_bf16", Extended1, A, 5, Avx512},
    {"lahf_lm", Amd, C, 0, None},
    {"abm", Amd, C, 5, None},
    {"sse4a", Amd, C, 6, None},
    {"3dnowprefetch", Amd, C, 8, None},
    {"xop", Amd, C, 11, Avx},
    {"fma4", Amd, C, 16, Avx},
    {"tbm", Amd, C, 21, None},
};

/// What the processor says: each leaf once: it is slow in virtual machines.
class Processor {
public:
    Processor() {
        constexpr unsigned kNumbers[LeafCount][2] = {{1, 0}, {7, 0}, {7, 1}, {0x80000001, 0}};
        constexpr unsigned kAmdStart = 0x80000000;
        const unsigned most = __get_cpuid_max(0, nullptr);
        const unsigned mostAmd = __get_cpuid_max(kAmdStart, nullptr);
        for (int i = 0; i < LeafCount; ++i) {
            const unsigned number = kNumbers[i][0];
            unsigned* const to = said_[i];
            if (number <= (number >= kAmdStart ? mostAmd : most))
                __cpuid_count(number, kNumbers[i][1], to[A], to[B], to[C], to[D]);
        }
        constexpr unsigned kOsxsave = 1U << 27;
        if ((said_[Basic][C] & kOsxsave) == 0) return;
        unsigned high = 0;  // XCR0: which registers the system keeps
        __asm__ volatile("xgetbv" : "=a"(kept_), "=d"(high) : "c"(0));
    }
    bool has(const Feature& feature) const {
        return (said_[feature.leaf][feature.where] >> feature.bit & 1) != 0
               && (feature.kept & ~kept_) == 0;
    }

private:
    unsigned said_[LeafCount][4] = {};
    unsigned kept_ = 0;
};

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

struct Processor {
    bool has(const Feature& feature) const {
        return (getauxval(static_cast<unsigned long>(feature.word)) >> feature.bit & 1) != 0;
    }
};

#else

struct Feature {
    const char* name;
};

constexpr Feature kFeatures[] = {{""}};

struct Processor {
    bool has(const Feature&) const { return true; }
};

#endif

bool hasFeature(const Processor& processor, const char* word, std::size_t length) {
    for (const Feature& feature : kFeatures)
        if (isEqual(feature.name, word, length)) return processor.has(feature);
    return false;
}

}  // namespace

MissingFeature missingFeature(const char* features) {
    if (!features) return {};
    while (*features != 0 && !isBlank(*features))  // what the text begins with
        ++features;
    if (*features == 0) return {};
    const Processor processor;
    while (*features != 0) {
        while (isBlank(*features))
            ++features;
        std::size_t length = 0;
        while (features[length] != 0 && !isBlank(features[length]))
            ++length;
        if (length > 0 && !hasFeature(processor, features, length)) return {features, length};
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
extern "C" __attribute__((weak, visibility("hidden"))) const sme::Code* const sme_program_code;

/// Before constructors of the user's C++, which is compiled for the same processor.
__attribute__((constructor(101), used)) static void checkProcessor(int argc, char** argv) {
    if (&sme_program_code == nullptr) return;
    const sme::MissingFeature missing = sme::missingFeature(sme_program_code->processor);
    if (missing.length == 0) return;
    sme::Text text;
    text.add(argc > 0 && argv ? sme::lastPart(argv[0]) : sme_program_code->name);
    text.add(": error: ");
    text.add(sme::kMissingStart);
    text.add(missing.name, missing.length);
    text.add(sme::kMissingEnd);
    text.add("\n");
    if (write(STDERR_FILENO, text.bytes, text.size) < 0) _exit(sme::kFiles);
    _exit(sme::kFiles);
}
