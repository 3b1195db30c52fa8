#pragma once

#include <algorithm>
#include <cstddef>
#include <initializer_list>
#include <iterator>
#include <memory>
#include <vector>

namespace smec {

/// A sequence in pages that copies share until one of them is written. Neighbouring pages that are
/// equal are one page, so that what has one value everywhere costs nothing, however long it is and
/// however many have it. Elements are compared by ==. Not thread-safe: copies of one list belong
/// to one thread.
template <typename T>
class PagedList {
public:
    static constexpr std::size_t kPageSize = 256;
    using value_type = T;
    using Page = std::vector<T>;
    using SharedPage = std::shared_ptr<Page>;

    class const_iterator {
    public:
        using iterator_category = std::random_access_iterator_tag;
        using value_type = T;
        using difference_type = std::ptrdiff_t;
        using pointer = const T*;
        using reference = const T&;

        const_iterator() = default;
        const_iterator(const PagedList* list, std::size_t index) : list_(list), index_(index) {}
        reference operator*() const { return (*list_)[index_]; }
        pointer operator->() const { return &(*list_)[index_]; }
        reference operator[](difference_type n) const { return *(*this + n); }
        const_iterator& operator+=(difference_type n) {
            index_ = static_cast<std::size_t>(static_cast<difference_type>(index_) + n);
            return *this;
        }
        const_iterator& operator-=(difference_type n) { return *this += -n; }
        const_iterator& operator++() { return *this += 1; }
        const_iterator& operator--() { return *this -= 1; }
        const_iterator operator++(int) {
            const const_iterator before = *this;
            ++*this;
            return before;
        }
        const_iterator operator--(int) {
            const const_iterator before = *this;
            --*this;
            return before;
        }
        friend const_iterator operator+(const_iterator a, difference_type n) { return a += n; }
        friend const_iterator operator+(difference_type n, const_iterator a) { return a += n; }
        friend const_iterator operator-(const_iterator a, difference_type n) { return a -= n; }
        friend difference_type operator-(const const_iterator& a, const const_iterator& b) {
            return static_cast<difference_type>(a.index_) - static_cast<difference_type>(b.index_);
        }
        friend auto operator<=>(const const_iterator& a, const const_iterator& b) {
            return a.index_ <=> b.index_;
        }
        friend bool operator==(const const_iterator& a, const const_iterator& b) {
            return a.index_ == b.index_;
        }

    private:
        const PagedList* list_ = nullptr;
        std::size_t index_ = 0;
    };

    PagedList() = default;
    PagedList(std::size_t size, const T& value) { append(size, value); }
    PagedList(std::initializer_list<T> values) : PagedList(values.begin(), values.end()) {}
    PagedList(const std::vector<T>& values) : PagedList(values.begin(), values.end()) {}
    template <std::input_iterator It>
    PagedList(It first, It last) {
        for (; first != last; ++first)
            push_back(*first);
    }

    std::size_t size() const { return size_; }
    bool empty() const { return size_ == 0; }
    const T& operator[](std::size_t index) const {
        return (*pages_[index / kPageSize])[index % kPageSize];
    }
    const T& front() const { return (*this)[0]; }
    const T& back() const { return (*this)[size_ - 1]; }
    const_iterator begin() const { return {this, 0}; }
    const_iterator end() const { return {this, size_}; }

    /// Pages in order; all but the last are full. Equal pointers are equal elements.
    const std::vector<SharedPage>& pages() const { return pages_; }

    /// An element to write. Valid until the list is copied or written otherwise.
    T& edit(std::size_t index) { return own(index / kPageSize)[index % kPageSize]; }

    void push_back(T value) {
        if (size_ % kPageSize == 0) {
            pages_.push_back(std::make_shared<Page>());
            // most lists are short, and most of the others fill their pages
            if (pages_.size() > 1) pages_.back()->reserve(kPageSize);
        }
        own(pages_.size() - 1).push_back(std::move(value));
        ++size_;
        shareLast();
    }

    void append(std::size_t count, const T& value) {
        for (; count > 0 && size_ % kPageSize != 0; --count)
            push_back(value);
        if (count >= kPageSize) {
            const auto page = std::make_shared<Page>(kPageSize, value);
            const std::size_t whole = count / kPageSize;
            pages_.insert(pages_.end(), whole, page);
            size_ += whole * kPageSize;
            count -= whole * kPageSize;
        }
        for (; count > 0; --count)
            push_back(value);
    }

    /// The elements of `other`, which may be this list.
    void append(const PagedList& other) {
        if (&other == this) return append(PagedList(other));
        if (size_ % kPageSize != 0) {
            for (const T& value : other)
                push_back(value);
            return;
        }
        pages_.insert(pages_.end(), other.pages_.begin(), other.pages_.end());
        size_ += other.size_;
    }

    /// Keeps the first `size` elements.
    void truncate(std::size_t size) {
        if (size >= size_) return;
        pages_.resize((size + kPageSize - 1) / kPageSize);
        if (size % kPageSize != 0) own(pages_.size() - 1).resize(size % kPageSize);
        size_ = size;
    }

    void clear() { *this = {}; }

    /// The list of `make(element)`. What is one page here is made once.
    template <typename U, typename F>
    PagedList<U> mapped(F&& make) const {
        PagedList<U> result;
        const Page* last = nullptr;
        typename PagedList<U>::SharedPage made;
        for (const SharedPage& page : pages_) {
            if (page.get() != last) {
                last = page.get();
                made = std::make_shared<typename PagedList<U>::Page>();
                made->reserve(page->size());
                for (const T& value : *page)
                    made->push_back(make(value));
            }
            result.appendPage(made);
        }
        return result;
    }

    /// Every element becomes `change(element)`. Pages in which nothing changes stay shared.
    template <typename F>
    void transform(F&& change) {
        SharedPage before, after;
        for (SharedPage& page : pages_) {
            if (page != before) {
                before = page;
                after = changed(page, change);
            }
            page = after;
        }
    }

    /// Equal for equal lists when `hashOf` is for equal elements. What is one page is hashed once.
    template <typename F>
    std::size_t hash(F&& hashOf) const {
        const Page* last = nullptr;
        std::size_t ofPage = 0, result = size_;
        for (const SharedPage& page : pages_) {
            if (page.get() != last) {
                last = page.get();
                ofPage = 0;
                for (const T& value : *page)
                    ofPage = mixed(ofPage, hashOf(value));
            }
            result = mixed(result, ofPage);
        }
        return result;
    }

    /// Whether `test` holds for all elements. What is one page is tested once.
    template <typename F>
    bool all(F&& test) const {
        const Page* last = nullptr;
        for (const SharedPage& page : pages_) {
            if (page.get() == last) continue;
            last = page.get();
            if (!std::all_of(page->begin(), page->end(), test)) return false;
        }
        return true;
    }

    /// Whether all elements are equal.
    bool isUniform() const {
        return all([&](const T& value) { return value == front(); });
    }

    bool operator==(const PagedList& other) const {
        if (size_ != other.size_) return false;
        const Page *mine = nullptr, *theirs = nullptr;
        for (std::size_t i = 0; i < pages_.size(); ++i) {
            const Page *a = pages_[i].get(), *b = other.pages_[i].get();
            if (a == b || (a == mine && b == theirs)) continue;
            if (!(*a == *b)) return false;
            mine = a;
            theirs = b;
        }
        return true;
    }

private:
    template <typename U>
    friend class PagedList;

    static std::size_t mixed(std::size_t seed, std::size_t value) {
        return seed ^ (value + 0x9e3779b97f4a7c15U + (seed << 6) + (seed >> 2));
    }

    Page& own(std::size_t number) {
        SharedPage& page = pages_[number];
        if (page.use_count() > 1) page = std::make_shared<Page>(*page);
        return *page;
    }

    template <typename F>
    static SharedPage changed(const SharedPage& page, F& change) {
        for (std::size_t i = 0; i < page->size(); ++i) {
            T value = change((*page)[i]);
            if (value == (*page)[i]) continue;
            auto result = std::make_shared<Page>(*page);
            (*result)[i] = std::move(value);
            while (++i < page->size())
                (*result)[i] = change((*page)[i]);
            return result;
        }
        return page;
    }

    /// A page after full ones.
    void appendPage(const SharedPage& page) {
        pages_.push_back(page);
        size_ += page->size();
        shareLast();
    }

    /// The last page, when it has become full, is the one before if they are equal.
    void shareLast() {
        if (size_ % kPageSize != 0 || pages_.size() < 2) return;
        SharedPage& last = pages_.back();
        const SharedPage& before = pages_[pages_.size() - 2];
        if (last != before && *last == *before) last = before;
    }

    std::vector<SharedPage> pages_;  ///< all but the last are full
    std::size_t size_ = 0;
};

}  // namespace smec
