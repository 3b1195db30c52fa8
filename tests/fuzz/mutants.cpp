#include "fuzz/mutants.h"
#include "support/sanitizers.h"

#include <sys/resource.h>
#include <sys/time.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>

namespace smec::test {
namespace {

#if defined(SMEC_ADDRESS_SANITIZER) || defined(SMEC_THREAD_SANITIZER)
constexpr bool kIsSanitized = true;
#else
constexpr bool kIsSanitized = false;
#endif
constexpr time_t kSeconds = kIsSanitized ? 30 : 2;
constexpr rlim_t kMemory = rlim_t{1} << 30;

const std::string* current =
    nullptr;  // the mutant at hand, for who finds out that it is none to live with

void keepCurrent(const char* why) {
    std::fprintf(stderr, "%s; the file is kept as damaged-file\n", why);
    std::ofstream("damaged-file", std::ios::binary) << *current;
}

[[noreturn]] void tooLong(int) {
    keepCurrent("a file takes too long to be read");
    std::_Exit(1);
}

void died() {
    keepCurrent("an exception that nobody catches");
    std::abort();
}

/// Of the processor, so that a busy machine is no finding.
void limitTime(time_t seconds) {
    const itimerval limit{{0, 0}, {seconds, 0}};
    setitimer(ITIMER_PROF, &limit, nullptr);
}

std::size_t below(Dice& dice, std::size_t bound) { return bound == 0 ? 0 : dice() % bound; }

void putNumber(std::string& bytes, Dice& dice) {
    static constexpr std::uint64_t kNumbers[] = {
        0,          1,          2,          0x7F,       0x80,       0xFF,      0xFFFF, 0x7FFFFFFF,
        0x80000000, 0xFFFFFFFF, 1ULL << 32, 1ULL << 40, ~0ULL >> 1, ~0ULL - 7, ~0ULL};
    static constexpr std::size_t kSizes[] = {1, 2, 4, 8};
    const std::uint64_t number = kNumbers[below(dice, std::size(kNumbers))] + below(dice, 2);
    const std::size_t size = std::min(kSizes[below(dice, 4)], bytes.size());
    const std::size_t at = below(dice, bytes.size() - size + 1);
    const bool isBigEndian = below(dice, 2) == 0;
    for (std::size_t i = 0; i < size; ++i)
        bytes[at + i] = static_cast<char>(number >> 8 * (isBigEndian ? size - 1 - i : i));
}

void damage(std::string& bytes, Dice& dice, const std::vector<std::string>& words) {
    if (bytes.empty()) return bytes.push_back(static_cast<char>(dice()));
    const std::size_t at = below(dice, bytes.size());
    const std::size_t length = std::min(1 + below(dice, 40), bytes.size() - at);
    switch (below(dice, words.empty() ? 8 : 10)) {
    case 0: bytes[at] = static_cast<char>(bytes[at] ^ 1 << below(dice, 8)); break;
    case 1: bytes[at] = static_cast<char>(dice()); break;
    case 2: putNumber(bytes, dice); break;
    case 3: bytes.erase(at, length); break;
    case 4: bytes.insert(at, bytes.substr(at, length)); break;
    case 5: {
        const std::string part = bytes.substr(at, length);
        bytes.erase(at, length);
        bytes.insert(below(dice, bytes.size() + 1), part);
        break;
    }
    case 6: bytes.resize(at); break;
    case 7: bytes.replace(at, length, bytes.substr(below(dice, bytes.size()), length)); break;
    default: {
        const std::string& word = words[below(dice, words.size())];
        if (below(dice, 2) == 0)
            bytes.insert(at, word);
        else
            bytes.replace(at, std::min(word.size(), bytes.size() - at), word);
    }
    }
}

void readOne(const Reader& reader, const std::string& bytes, unsigned& complaints) {
    current = &bytes;
    limitTime(kSeconds);
    const std::string complaint = reader.read(bytes);
    limitTime(0);
    if (complaint.empty()) return;
    ++complaints;
    if (complaint.find(reader.place) != std::string::npos) return;
    keepCurrent(("a complaint without the file's name: " + complaint).c_str());
    std::_Exit(1);
}

}  // namespace

std::string mutantOf(const std::string& seed, Dice& dice, const std::vector<std::string>& words) {
    std::string bytes = seed;
    for (std::size_t times = 1 + below(dice, 4); times > 0; --times)
        damage(bytes, dice, words);
    return bytes;
}

int readMutants(const std::vector<Reader>& readers, unsigned first, unsigned count) {
    std::signal(SIGPROF, tooLong);
    std::set_terminate(died);
    const rlimit limit{kMemory, kMemory};
    if (!kIsSanitized) setrlimit(RLIMIT_DATA, &limit);
    for (const Reader& reader : readers) {
        unsigned complaints = 0;
        for (const std::string& seed : reader.seeds) {
            const unsigned before = complaints;
            readOne(reader, seed, complaints);
            if (complaints == before) continue;
            std::fprintf(stderr, "%s: the file that mutants come from is refused: %s\n",
                         reader.name.c_str(), reader.read(seed).c_str());
            return 1;
        }
        for (unsigned i = first; i < first + count; ++i) {
            Dice dice(i);
            const std::string& seed = reader.seeds[i % reader.seeds.size()];
            readOne(reader, mutantOf(seed, dice, reader.words), complaints);
        }
        std::printf("%s: %u mutants, %u refused\n", reader.name.c_str(), count, complaints);
        std::fflush(stdout);
        if (complaints > 0 || count < 100) continue;
        std::fprintf(stderr, "%s: no mutant is refused\n", reader.name.c_str());
        return 1;
    }
    return 0;
}

int mutantsMain(const std::vector<Reader>& readers, int argc, char** argv) {
    std::vector<Reader> chosen;
    for (const Reader& reader : readers)
        if (argc < 3 || std::find(argv + 2, argv + argc, reader.name) != argv + argc)
            chosen.push_back(reader);
    const auto number = [](const char* text, char** end) {
        return static_cast<unsigned>(std::strtoul(text, end, 10));
    };
    if (argc > 1) {
        char* rest = nullptr;
        const unsigned count = number(argv[1], &rest);
        return readMutants(chosen, *rest == '@' ? number(rest + 1, nullptr) : 0, count);
    }
    std::fprintf(stderr, "%s COUNT[@FIRST] [READER...]\n", argv[0]);
    return 2;
}

}  // namespace smec::test
