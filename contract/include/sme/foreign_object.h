#pragma once

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <new>
#include <string_view>
#include <utility>

namespace sme {

// What an object has saved stands in its place until its process runs again, which makes an object
// of it: the address of a length and bytes, plus one.

inline bool isSaved(std::uint64_t object) { return (object & 1) != 0; }

inline std::uint64_t savedObject(std::string_view bytes) {
    const std::uint64_t size = bytes.size();
    auto* block = static_cast<char*>(std::malloc(sizeof size + bytes.size()));
    if (!block) throw std::bad_alloc();
    std::memcpy(block, &size, sizeof size);
    std::memcpy(block + sizeof size, bytes.data(), bytes.size());
    return reinterpret_cast<std::uint64_t>(block) | 1;
}

inline std::string_view bytesOfSaved(std::uint64_t object) {
    const auto* block = reinterpret_cast<const char*>(object & ~std::uint64_t{1});
    std::uint64_t size;
    std::memcpy(&size, block, sizeof size);
    return {block + sizeof size, size};
}

inline void freeSaved(std::uint64_t object) {
    std::free(reinterpret_cast<void*>(object & ~std::uint64_t{1}));
}

/// A copy of an object of an extern process, for states: deleted with it, and copied once more
/// where it is copied. Any number of threads may copy one at the same time.
class ForeignObject {
public:
    using Release = void (*)(std::uint64_t object);
    /// 0: its class has no copy constructor. Of no object, 0: whether it has, 1 or 0.
    using Copy = std::uint64_t (*)(std::uint64_t object);
    /// What the object saves, as savedObject(); 0: its class has no save() and load(). Of no object,
    /// 0: whether it has, 1 or 0.
    using Save = std::uint64_t (*)(std::uint64_t object);
    struct Functions {
        Release release = nullptr;
        Copy copy = nullptr;
        Save save = nullptr;
    };

    /// Whether objects can neither be copied nor saved: they belong to a run, and not to its states.
    static bool areOutside(const Functions& functions) {
        return functions.copy(0) == 0 && functions.save(0) == 0;
    }
    /// For whoever releases it; not of one that is outside.
    static std::uint64_t copied(std::uint64_t object, const Functions& functions) {
        const std::uint64_t made = functions.copy(object);
        return made != 0 ? made : functions.save(object);
    }
    static ForeignObject copyOf(std::uint64_t object, const Functions& functions) {
        return {copied(object, functions), functions};
    }
    static ForeignObject ofSaved(std::string_view bytes, const Functions& functions) {
        return {savedObject(bytes), functions};
    }
    ForeignObject(const ForeignObject& other)
        : object_(other.copy()), functions_(other.functions_) {}
    ForeignObject(ForeignObject&& other) noexcept
        : object_(std::exchange(other.object_, 0)), functions_(other.functions_) {}
    ForeignObject& operator=(ForeignObject other) noexcept {
        std::swap(object_, other.object_);
        std::swap(functions_, other.functions_);
        return *this;
    }
    ~ForeignObject() {
        if (object_ != 0) functions_.release(object_);
    }

    /// An object as it is, for whoever releases it.
    std::uint64_t copy() const { return copied(object_, functions_); }
    /// visit(std::string_view) what it saves. False where its class has no save() and load().
    template <typename Visit>
    bool visitSaved(const Visit& visit) const {
        const std::uint64_t saved = isSaved(object_) ? object_ : functions_.save(object_);
        if (saved == 0) return false;
        visit(bytesOfSaved(saved));
        if (saved != object_) freeSaved(saved);
        return true;
    }

private:
    ForeignObject(std::uint64_t object, const Functions& functions)
        : object_(object), functions_(functions) {}
    std::uint64_t object_;  ///< 0: moved away
    Functions functions_;
};

}  // namespace sme
