/* Sieve, CRC and a loop like Dhrystone's, again and again. Each round gives one word, which is the same on any machine. */
typedef unsigned int word;

static unsigned char isComposite[512];
static char text[40];

struct Record {
    struct Record* next;
    int kind, value;
    char name[31];
};
static struct Record records[2];

static word crc(word sum, const unsigned char* bytes, int count) {
    for (int i = 0; i < count; ++i) {
        sum ^= bytes[i];
        for (int bit = 0; bit < 8; ++bit)
            sum = sum & 1 ? sum >> 1 ^ 0xedb88320u : sum >> 1;
    }
    return sum;
}

static word sieve(void) {
    word count = 0;
    for (int i = 0; i < 512; ++i)
        isComposite[i] = 0;
    for (int i = 2; i < 512; ++i) {
        if (isComposite[i]) continue;
        ++count;
        for (int j = i + i; j < 512; j += i)
            isComposite[j] = 1;
    }
    return count;
}

static int copied(char* to, const char* from) {
    int length = 0;
    while ((to[length] = from[length]))
        ++length;
    return length;
}

static word dhrystoneLike(int rounds) {
    struct Record* first = &records[0];
    first->next = &records[1];
    word sum = 0;
    for (int i = 1; i <= rounds; ++i) {
        first->kind = i % 3;
        first->value = copied(text, i & 1 ? "DHRYSTONE PROGRAM, SOME STRING" : "DHRYSTONE PROGRAM, 2'ND STRING") * i;
        copied(first->name, text);
        *first->next = *first;
        switch (first->next->kind) {
            case 0: first->next->value += 5; break;
            case 1: first->next->value /= 7; break;
            default: first->next->value = -first->next->value;
        }
        sum = sum * 31 + (word)first->next->value + (word)first->next->name[i % 30];
    }
    return sum;
}

/* The bytes of a word in the order of little-endian machines. */
static word crcOfWord(word sum, word value) {
    for (int i = 0; i < 32; i += 8) {
        unsigned char byte = (unsigned char)(value >> i);
        sum = crc(sum, &byte, 1);
    }
    return sum;
}

static word once(word round) {
    const word primes = sieve(), loop = dhrystoneLike(20);
    const word sum = crcOfWord(crc(~0u, isComposite, sizeof isComposite), primes);
    return crcOfWord(crcOfWord(sum, loop), round & 0);
}

#ifdef HOST
#include <stdio.h>
int main(void) { printf("%u\n", once(0)); }
#else
void* memcpy(void* to, const void* from, unsigned count) {
    for (unsigned i = 0; i < count; ++i)
        ((char*)to)[i] = ((const char*)from)[i];
    return to;
}
void* memset(void* to, int value, unsigned count) {
    for (unsigned i = 0; i < count; ++i)
        ((char*)to)[i] = (char)value;
    return to;
}
#ifndef PLACE
#define PLACE 0x80000000u
#endif
static volatile word* const place = (volatile word*)PLACE;
#ifdef RING
/* What came from the node before becomes part of what goes to the next one. */
int main(void) {
    for (;;) {
        word values[2] = {sieve(), *place};
        *place = crc(~0u, (const unsigned char*)values, sizeof values);
    }
}
__asm__(".section .start\nli sp, 0x4000\ncall main\n");
#else
int main(void) {
    for (word round = 0;; ++round) {
#ifdef ROUNDS
        if (round == ROUNDS) __asm__ volatile("ebreak");
#endif
        *place = once(round);
    }
}
#ifdef __or1k__
/* Empties both caches, a line at a time, and turns them on. */
__asm__(".section .start\n.org BEGIN\nl.movhi r0, 0\nl.ori r1, r0, 0xfffc\nl.ori r3, r0, 0\n"
        "1: l.mtspr r0, r3, 0x2002\nl.mtspr r0, r3, 0x1803\nl.addi r3, r3, 32\nl.sfltui r3, 0x4000\nl.bf 1b\nl.nop\n"
        "l.mfspr r3, r0, 17\nl.ori r3, r3, 0x18\nl.mtspr r0, r3, 17\nl.nop\nl.nop\nl.nop\nl.nop\nl.jal main\nl.nop\n");
#elif defined(__lm32__)
__asm__(".section .start\n.org BEGIN\nxor r0, r0, r0\nmvhi sp, hi(STACK)\nori sp, sp, lo(STACK)\ncalli main\n");
#else
__asm__(".section .start\n.org BEGIN\nli sp, STACK\ncall main\n");
#endif
#endif
#endif
