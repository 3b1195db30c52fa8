#pragma once

#include <cstdint>
#include <optional>
#include <utility>

namespace sme {

/// A copy of an object of an extern process, for states: deleted with it, and copied once more
/// where it is copied. Any number of threads may copy one at the same time.
class ForeignObject {
public:
    using Release = void (*)(std::uint64_t object);
    /// 0: the class of the object has no copy constructor.
    using Copy = std::uint64_t (*)(std::uint64_t object);

    /// Nothing where the object cannot be copied.
    static std::optional<ForeignObject> copyOf(std::uint64_t object, Copy copy, Release release) {
        const std::uint64_t made = copy(object);
        if (made == 0) return std::nullopt;
        return ForeignObject(made, copy, release);
    }
    ForeignObject(const ForeignObject& other)
        : object_(other.copy()), copy_(other.copy_), release_(other.release_) {}
    ForeignObject(ForeignObject&& other) noexcept
        : object_(std::exchange(other.object_, 0)), copy_(other.copy_), release_(other.release_) {}
    ForeignObject& operator=(ForeignObject other) noexcept {
        std::swap(object_, other.object_);
        std::swap(copy_, other.copy_);
        std::swap(release_, other.release_);
        return *this;
    }
    ~ForeignObject() {
        if (object_ != 0) release_(object_);
    }

    /// An object as it is, for whoever releases it.
    std::uint64_t copy() const { return copy_(object_); }

private:
    ForeignObject(std::uint64_t object, Copy copy, Release release)
        : object_(object), copy_(copy), release_(release) {}

    std::uint64_t object_;  ///< 0: moved away
    Copy copy_;
    Release release_;
};

}  // namespace sme
