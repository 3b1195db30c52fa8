#pragma once

#include <bit>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <tuple>
#include <type_traits>
#include <variant>
#include <vector>

#include "ir/body_members.h"
#include "ir/design_members.h"
#include "ir/tidy.h"
#include "source/overloaded.h"

/// A design, or a part of it, as a sequence of words: what is equal has equal words, and nothing
/// else has them. For hashes and for keys of what is alike.
namespace smec::ir {

/// What is taken apart: its members are in ir/design_members.h or ir/body_members.h.
template <typename T>
concept HasMembers = requires(const T& x) { membersOf(x); };

/// Gives the words to `out`: `out.word(std::uint64_t)`, `out.text(const std::string&)`,
/// `out.integer(const Integer&)`. Lists begin with their length, choices with their number.
template <typename Out>
class Canonical {
public:
    Canonical(const Design& design, Contents contents, Out& out)
        : design_(design), contents_(contents), out_(out) {}

    template <HasMembers T>
    void add(const T& x) {
        addMembers(x);
    }

private:
    template <HasMembers T>
    void addMembers(const T& x) {
        std::apply([&](const auto&... members) { (add(members), ...); }, membersOf(x));
    }
    template <typename T>
    void add(const Member<T>& member) {
        if (counts(contents_, member.when)) add(member.value);
    }
    void add(const Body& body) {
        if (contents_.order) return addMembers(body);
        Body tidied = body;
        tidy(design_, tidied);
        addMembers(tidied);
    }
    /// Where the file of the user's lies is no content.
    void add(const Foreign& x) {
        const auto& [isProcess, isSerial, name, header, isFile, range, id, constants, ports] = x;
        const std::string file =
            isFile ? std::filesystem::path(header).filename().string() : header;
        std::apply([&](const auto&... members) { (add(members), ...); },
                   always(isProcess, isSerial, name, file, isFile, range, id, constants, ports));
    }
    /// By number where there are others to be told from; else by what it is.
    void add(const PlaneId& id) {
        if (contents_.instances)
            word(id.index);
        else
            add(design_.planes[id.index]);
    }
    void add(const SourceRange&) {}
    template <typename T>
        requires std::is_integral_v<T> || std::is_enum_v<T>
    void add(T x) {
        word(static_cast<std::uint64_t>(x));
    }
    void add(double x) { word(std::bit_cast<std::uint64_t>(x)); }
    void add(const Integer& x) { out_.integer(x); }
    void add(const std::string& text) { out_.text(text); }
    template <typename Tag>
    void add(const Id<Tag>& id) {
        word(id.index);
    }
    template <typename T>
    void add(const std::optional<T>& x) {
        word(x.has_value());
        if (x) add(*x);
    }
    template <typename T>
    void add(const std::vector<T>& list) {
        word(list.size());
        for (const T& x : list)
            add(x);
    }
    /// By content, whatever is shared: a page that is like the one before is a word.
    template <typename T>
    void add(const PagedList<T>& list) {
        word(list.size());
        const typename PagedList<T>::Page* last = nullptr;
        for (const auto& page : list.pages()) {
            const bool isRepeated = last && (page.get() == last || *page == *last);
            if (last) word(isRepeated);
            last = page.get();
            if (isRepeated) continue;
            for (const T& x : *page)
                add(x);
        }
    }
    template <typename... T>
    void add(const std::variant<T...>& choice) {
        word(choice.index());
        smec::visit([&](const auto& x) { add(x); }, choice);
    }
    void word(std::uint64_t x) { out_.word(x); }

    const Design& design_;
    const Contents contents_;
    Out& out_;
};

}  // namespace smec::ir
