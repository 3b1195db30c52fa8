#include "formats/names.h"

#include <charconv>
#include <cstdint>

namespace sme {
namespace {

constexpr std::size_t kNamesListed = 5;

/// A number at the front of a text, which is taken off; false where there is none, or one too long.
bool takeIndex(std::string_view& text, std::uint64_t& number) {
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc()) return false;
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    return true;
}

/// What one sign of a glob takes at the front of a name.
struct Taken {
    std::size_t glob = 1;
    std::size_t name = 0;  ///< 0: it does not match
};

/// `glob` starts with a bracket.
Taken takeBracket(std::string_view glob, std::string_view name) {
    const std::string_view start = glob.substr(0, 3);
    if (start == "[[]" || start == "[]]")
        return {3, name.starts_with(start[1]) ? std::size_t{1} : 0};
    const std::string_view wholeGlob = glob, wholeName = name;
    std::uint64_t first = 0, last = 0, index = 0;
    glob.remove_prefix(1);
    bool isRange = takeIndex(glob, first) && glob.starts_with('-');
    if (isRange) glob.remove_prefix(1);
    isRange = isRange && takeIndex(glob, last) && glob.starts_with(']');
    if (!isRange) return {1, name.starts_with('[') ? std::size_t{1} : 0};
    const std::size_t taken = wholeGlob.size() - glob.size() + 1;
    if (!name.starts_with('[')) return {taken, 0};
    name.remove_prefix(1);
    const bool isIndex = takeIndex(name, index) && name.starts_with(']');
    const bool isIn = isIndex && index >= first && index <= last;
    return {taken, isIn ? wholeName.size() - name.size() + 1 : 0};
}

/// `glob` starts with no `*`, `name` is not empty.
Taken takeSign(std::string_view glob, std::string_view name) {
    if (glob[0] == '[') return takeBracket(glob, name);
    return {1, glob[0] == '?' || glob[0] == name[0] ? std::size_t{1} : 0};
}

}  // namespace

bool naturalLess(std::string_view a, std::string_view b) {
    const auto isDigit = [](char c) { return c >= '0' && c <= '9'; };
    std::size_t i = 0;
    std::size_t j = 0;
    while (i < a.size() && j < b.size()) {
        if (!isDigit(a[i]) || !isDigit(b[j])) {
            if (a[i] != b[j])
                return static_cast<unsigned char>(a[i]) < static_cast<unsigned char>(b[j]);
            ++i;
            ++j;
            continue;
        }
        while (i < a.size() && a[i] == '0')
            ++i;
        while (j < b.size() && b[j] == '0')
            ++j;
        const std::size_t startA = i;
        const std::size_t startB = j;
        while (i < a.size() && isDigit(a[i]))
            ++i;
        while (j < b.size() && isDigit(b[j]))
            ++j;
        const std::string_view numberA = a.substr(startA, i - startA);
        const std::string_view numberB = b.substr(startB, j - startB);
        if (numberA.size() != numberB.size()) return numberA.size() < numberB.size();
        if (numberA != numberB) return numberA < numberB;
    }
    if (a.size() - i != b.size() - j) return a.size() - i < b.size() - j;
    return a < b;
}

bool globMatches(std::string_view glob, std::string_view name) {
    std::size_t g = 0;
    std::size_t n = 0;
    std::size_t star = std::string_view::npos;  // the last * and where the text it stands for ends
    std::size_t starEnd = 0;
    while (n < name.size()) {
        if (g < glob.size() && glob[g] == '*') {
            star = g++;
            starEnd = n;
            continue;
        }
        const Taken taken = g < glob.size() ? takeSign(glob.substr(g), name.substr(n)) : Taken{};
        if (taken.name > 0) {
            g += taken.glob;
            n += taken.name;
        } else if (star != std::string_view::npos) {
            g = star + 1;
            n = ++starEnd;
        } else {
            return false;
        }
    }
    return glob.find_first_not_of('*', g) == std::string_view::npos;
}

void NamesBelow::consider(std::string_view name) {
    if (path_.empty() || name.size() <= path_.size() || !name.starts_with(path_)) return;
    if (name[path_.size()] != '.' && name[path_.size()] != '[') return;
    if (++count_ > kNamesListed) return;
    listed_.append(listed_.empty() ? "'" : ", '").append(name).append("'");
}

std::vector<std::string> withField(std::string_view name) {
    std::vector<std::string> names{std::string(name) + ".v"};
    const std::size_t bracket = name.ends_with(']') ? name.rfind('[') : std::string_view::npos;
    if (bracket != std::string_view::npos)
        names.push_back(
            std::string(name.substr(0, bracket)).append(".v").append(name.substr(bracket)));
    return names;
}

std::string NamesBelow::text() const {
    if (count_ == 0) return {};
    return "; it has " + listed_
           + (count_ > kNamesListed ? " and " + std::to_string(count_ - kNamesListed) + " more"
                                    : "");
}

}  // namespace sme
