// For a model of Verilator with --public-flat-rw: without arguments what is inside, a line for each ("id width offset path", of words of an array the bit at which each is in all of it, side by side); with a number of cycles and a
// file of identifiers how these change, as a VCD file says it, as they are before the edge of each cycle.
#include "Vtop.h"
#include "verilated.h"
#include "verilated_sym_props.h"
#include "verilated_syms.h"
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

struct Word {
    std::string path;
    const unsigned char* data;
    unsigned width;
    size_t size;
    size_t offset;
    std::vector<unsigned char> seen;
};

static void add(std::vector<Word>& words, const std::string& path, const VerilatedVar& var) {
    size_t count = 1;
    for (const VerilatedRange& range : var.unpackedRanges())
        count *= static_cast<size_t>(range.elements());
    const auto* data = static_cast<const unsigned char*>(var.datap());
    const size_t size = var.totalSize() / count;
    const auto& ranges = var.unpackedRanges();
    const bool isUp =
        !ranges.empty() && ranges[0].left() < ranges[0].right();  // the first one is highest
    for (size_t i = 0; i < count; ++i)
        words.push_back({count == 1 ? path : path + "[" + std::to_string(i) + "]",
                         data + i * size,
                         var.entBits(),
                         size,
                         (isUp ? count - 1 - i : i) * var.entBits(),
                         {}});
}

static std::vector<Word> wordsOf() {
    std::vector<Word> words;
    for (const auto& [name, scope] : *Verilated::threadContextp()->scopeNameMap()) {
        if (!scope->varsp()) continue;
        for (const auto& [own, var] : *scope->varsp()) {
            if (!var.isParam() && var.datap() && var.entBits() > 0)
                add(words, std::string(name) + "." + own, var);
        }
    }
    return words;
}

static void tell(Word& word, size_t id) {
    if (!word.seen.empty() && std::memcmp(word.seen.data(), word.data, word.size) == 0) return;
    word.seen.assign(word.data, word.data + word.size);
    std::string bits;
    for (unsigned bit = word.width; bit-- > 0;)
        bits += static_cast<char>('0' + (word.data[bit / 8] >> (bit % 8) & 1));
    std::printf("b%s %zu\n", bits.c_str(), id);
}

int main(int count, char** arguments) {
    VerilatedContext context;
    Vtop top{&context};
    top.clk = 0;
    top.eval();
    std::vector<Word> words = wordsOf();
    if (count < 3) {
        for (size_t i = 0; i < words.size(); ++i)
            std::printf("%zu %u %zu %s\n", i, words[i].width, words[i].offset,
                        words[i].path.c_str());
        return 0;
    }
    std::vector<size_t> wanted;
    std::FILE* list = std::fopen(arguments[2], "r");
    for (size_t id; list && std::fscanf(list, "%zu", &id) == 1;)
        wanted.push_back(id);
    for (long k = 0; k < std::atol(arguments[1]); ++k) {
        std::printf("#%ld\n", k);
        for (const size_t id : wanted)
            tell(words[id], id);
        for (const int level : {1, 0}) {
            top.clk = static_cast<CData>(level);
            top.eval();
        }
    }
}
