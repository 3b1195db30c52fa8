#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace sme {

/// p[2] before p[10]: runs of digits compare as numbers, all else by character.
bool naturalLess(std::string_view a, std::string_view b);

/// `*` any text, `?` one character, `[2-5]` an index from 2 to 5; all else itself, brackets too, as
/// they stand in names: `m[0]` is element 0 of `m`. `[[]` and `[]]` are a bracket as well, for who
/// writes names as shells want them: `m[[]0]` is `m[0]`. There are no classes of letters.
bool globMatches(std::string_view glob, std::string_view name);

/// What the name of a bus alone may stand for, its field `v`: "b.v" for "b"; "b[2].v", and an element
/// of it, "b.v[2]", for "b[2]".
std::vector<std::string> withField(std::string_view name);

/// The names of what a bus or an instance has, for who asked for the whole.
class NamesBelow {
public:
    explicit NamesBelow(std::string_view path) : path_(path) {}
    void consider(std::string_view name);
    /// "; it has 'b.v', 'b.w' and 3 more", or nothing.
    std::string text() const;

private:
    std::string_view path_;
    std::string listed_;
    std::size_t count_ = 0;
};

}  // namespace sme
