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

static word once(word round) {
    word values[3] = {sieve(), dhrystoneLike(20), round & 0};
    word sum = crc(~0u, isComposite, sizeof isComposite);
    return crc(sum, (const unsigned char*)values, sizeof values);
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
static volatile word* const place = (volatile word*)0x80000000u;
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
    for (word round = 0;; ++round)
        *place = once(round);
}
__asm__(".section .start\nli sp, 0x10000\ncall main\n");
#endif
#endif
