#include <iostream>
#include <string>
#include <vector>

#include <boost/multiprecision/cpp_int.hpp>

// For rewrite_test.py: after each line, its mutants. Every one of them changes what the program
// prints.

using Integer = boost::multiprecision::cpp_int;

namespace {

constexpr int kLimit = 2 + 3;
const int atStart = kLimit - 1;
static_assert(kLimit > 4 && kLimit < 6);

constexpr int twice(int x) { return x > 0 ? x + x : 0; }

template <typename T>
bool isSmall(const T& x) {
    return x < 3;  // mutants: < -> <=; < -> >=
}

struct Point {
    int x = 1 + 1;
    std::vector<int> values;
    bool operator==(const Point&) const = default;
};

enum class Kind { A, B };

bool isFlat(const Point* p) {
    if (p  // mutants: && -> ||; &&: only the left side; &&: only the right side
        && !p->values.empty())  // mutants: !a -> a
        return false;           // mutants: return false -> return true
    return true;                // mutants: return true -> return false
}

int count(int end) {
    int n = 0;
    for (int i = 0; i < end; ++i)  // mutants: < -> <=; < -> >=
        n += i;                    // mutants: += -> -=
    int m = n;
    while (m != 7)  // mutants: != -> ==
        m = m + 1;  // mutants: + 1 -> + 0
    return n - m;   // mutants: - -> +
}

std::string name(Kind kind, bool loud) {
    std::string text = "k" + std::to_string(twice(2));
    if (const char* c = kind == Kind::A ? "a" : "b") text += c;  // mutants: == -> !=
    if constexpr (kLimit > 4) text += loud ? "!" : "?";          // mutants: c -> !c
    switch (kind) {
    case Kind::A: return text + "1";
    case Kind::B: break;
    }
    return text;
}

Integer exact(const Integer& a, const Integer& b) {
    return (a + b) * 3 - (a << 2);  // mutants: - -> +; * -> +; + -> -; << -> >>
}

auto rest(int a, int b) {
    auto isOdd = [](int v) { return v % 2 == 1; };  // mutants: == -> !=; % -> /
    const bool first =
        isOdd(a)               // mutants: || -> &&; ||: only the left side; ||: only the right side
        || b > 4;              // mutants: > -> >=; > -> <=
    return (first) ? (a & 6)   // mutants: c -> !c; & -> |
                   : (b | 1);  // mutants: | -> &
}

}  // namespace

int main() {
    const Point empty{}, full{1, {1, 2}};
    const bool same = empty == full;  // mutants: == -> !=
    std::cout << isSmall(2) << isSmall(3) << isSmall(4) << same << '\n';
    std::cout << isFlat(&empty) << isFlat(&full) << isFlat(nullptr) << '\n';
    std::cout << count(4) << atStart << '\n';
    std::cout << name(Kind::A, true) << name(Kind::B, false) << '\n';
    std::cout << exact(17, 4) << ' ' << exact(Integer(1) << 70, 1) << '\n';  // mutants: << -> >>
    std::cout << rest(3, 5) << rest(3, 2) << rest(2, 4) << rest(2, 8) << rest(12, 5) << rest(4, 2)
              << '\n';
    return 0;
}
