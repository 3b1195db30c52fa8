#include "source/paged_list.h"

#include <catch2/catch.hpp>
#include <numeric>
#include <set>

using smec::PagedList;

namespace {

constexpr std::size_t kPage = PagedList<int>::kPageSize;

PagedList<int> upTo(int count) {
    PagedList<int> list;
    for (int i = 0; i < count; ++i)
        list.push_back(i);
    return list;
}

std::vector<int> contentOf(const PagedList<int>& list) { return {list.begin(), list.end()}; }

std::size_t distinctPages(const PagedList<int>& list) {
    std::set<const void*> pages;
    for (const auto& page : list.pages())
        pages.insert(page.get());
    return pages.size();
}

}  // namespace

TEST_CASE("a paged list holds what was put into it", "[paged_list]") {
    const int count = GENERATE(0, 1, 255, 256, 257, 512, 1000);
    std::vector<int> wanted(static_cast<std::size_t>(count));
    std::iota(wanted.begin(), wanted.end(), 0);
    const PagedList<int> list = upTo(count);
    CHECK(list.size() == wanted.size());
    CHECK(list.empty() == wanted.empty());
    CHECK(contentOf(list) == wanted);
    CHECK(list == PagedList<int>(wanted.begin(), wanted.end()));
    if (count == 0) return;
    CHECK(list.front() == 0);
    CHECK(list.back() == count - 1);
    CHECK(*(list.end() - 1) == count - 1);
}

TEST_CASE("equal neighbouring pages are one", "[paged_list]") {
    CHECK(distinctPages(PagedList<int>(16'777'216, 7)) == 1);
    PagedList<int> list;
    for (std::size_t i = 0; i < 10 * kPage; ++i)
        list.push_back(static_cast<int>(i % kPage));
    CHECK(distinctPages(list) == 1);
    list.append(list);
    CHECK(list.size() == 20 * kPage);
    CHECK(distinctPages(list) == 1);
}

TEST_CASE("copies keep what they had when one is written", "[paged_list]") {
    PagedList<int> list(3 * kPage + 5, 1);
    const PagedList<int> copy = list;
    list.edit(kPage + 1) = 2;
    list.push_back(3);
    CHECK(copy == PagedList<int>(3 * kPage + 5, 1));
    CHECK(list[kPage + 1] == 2);
    CHECK(list[1] == 1);
    CHECK(list[2 * kPage + 1] == 1);
    CHECK(list.size() == copy.size() + 1);
    PagedList<int> shorter = list;
    shorter.truncate(kPage + 2);
    shorter.push_back(9);
    CHECK(list[kPage + 2] == 1);
    CHECK(shorter.size() == kPage + 3);
    CHECK(shorter[kPage + 1] == 2);
}

TEST_CASE("lists are appended at any place", "[paged_list]") {
    const int first = GENERATE(0, 3, 256, 300), second = GENERATE(0, 5, 256, 700);
    PagedList<int> list = upTo(first);
    list.append(upTo(second));
    std::vector<int> wanted = contentOf(upTo(first));
    for (int i = 0; i < second; ++i)
        wanted.push_back(i);
    CHECK(contentOf(list) == wanted);
    list = upTo(first);
    list.append(static_cast<std::size_t>(second), 4);
    CHECK(list.size() == static_cast<std::size_t>(first + second));
    CHECK(std::count(list.begin() + first, list.end(), 4) == second);
}

TEST_CASE("pages are visited once, wherever they are shared", "[paged_list]") {
    PagedList<int> list(4 * kPage, 2);
    list.edit(3 * kPage) = 5;
    std::size_t calls = 0;
    const auto doubled = list.mapped<int>([&](int value) { return ++calls, 2 * value; });
    CHECK(calls == 2 * kPage);
    CHECK(doubled[0] == 4);
    CHECK(doubled[3 * kPage] == 10);
    CHECK(doubled.size() == list.size());
    CHECK_FALSE(list.isUniform());
    CHECK(PagedList<int>(1000, 3).isUniform());
    CHECK(PagedList<int>().isUniform());

    PagedList<int> changed = list;
    changed.transform([](int value) { return value == 5 ? 2 : value; });
    CHECK(changed.isUniform());
    CHECK(changed.pages()[0] == list.pages()[0]);
    CHECK(list[3 * kPage] == 5);
}

TEST_CASE("comparison and hash go by content, not by what is shared", "[paged_list]") {
    PagedList<int> shared(3 * kPage, 1), own(3 * kPage, 1);
    for (std::size_t i = 0; i < own.size(); i += kPage) {
        own.edit(i) = 2;
        own.edit(i) = 1;
    }
    REQUIRE(distinctPages(own) == 3);
    const auto hash = [](const PagedList<int>& list) { return list.hash(std::hash<int>{}); };
    CHECK(shared == own);
    CHECK(hash(shared) == hash(own));
    own.edit(2 * kPage + 3) = 4;
    CHECK_FALSE(shared == own);
    CHECK(hash(shared) != hash(own));
    CHECK_FALSE(PagedList<int>(5, 1) == PagedList<int>(6, 1));
}
