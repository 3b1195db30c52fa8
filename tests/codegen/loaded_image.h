#pragma once

#include <cstring>
#include <memory>
#include <new>
#include <span>
#include <string>

#include "model/load_image.h"
#include "sme/model_image.h"

namespace smec::test {

/// A model.bin in memory, with functions that nobody may call.
class LoadedImage {
public:
    static constexpr std::uint32_t kFunctions = 64;

    explicit LoadedImage(const std::string& file,
                         sme::ImageCheck check = sme::ImageCheck::PlacesAndHash)
        : bytes_(copyOf(file)), size_(file.size()) {
        if (file.size() >= sizeof(sme::ImageHeader))
            std::memcpy(&identity_, file.data() + offsetof(sme::ImageHeader, code),
                        sizeof identity_);
        load(code(), check);
    }
    /// As the model of that code.
    LoadedImage(const std::string& file, const sme::Code& code)
        : bytes_(copyOf(file)), size_(file.size()) {
        load(code, sme::ImageCheck::Places);
    }
    const sme::Model& model() const { return *model_; }
    /// As a program has it.
    sme::Code codeWithImage() const {
        sme::Code all = code();
        all.image = bytes_.get();
        all.imageEnd = all.image + size_;
        return all;
    }
    sme::Instances instances(std::uint32_t number) const { return table<sme::Instances>()[number]; }

private:
    struct Free {
        void operator()(std::byte* bytes) const {
            ::operator delete(bytes, std::align_val_t{sme::kImageAlignment});
        }
    };
    using Bytes = std::unique_ptr<std::byte, Free>;
    static Bytes copyOf(const std::string& file) {
        Bytes bytes(static_cast<std::byte*>(
            ::operator new(file.size() + 1, std::align_val_t{sme::kImageAlignment})));
        std::memcpy(bytes.get(), file.data(), file.size());
        return bytes;
    }
    void load(const sme::Code& code, sme::ImageCheck check) {
        model_ = &sme::loadImage({bytes_.get(), size_}, code, {"x.bin", "the code"}, check);
    }
    template <typename Result, typename... Parameters>
    static void fill(std::array<Result (*)(Parameters...), kFunctions>& table) {
        table.fill([](Parameters...) { return Result(); });
    }
    template <typename Function>
    static const Function* table() {
        static const auto all = [] {
            std::array<Function, kFunctions> functions{};
            fill(functions);
            return functions;
        }();
        return all.data();
    }
    sme::Code code() const {
        static const std::array<sme::ReleaseObject, kFunctions> releases{};
        static const std::array<sme::ObjectFunction, kFunctions> others{};
        static const std::array<sme::Cycles, kFunctions> cycles{};
        static const std::array<sme::Settle, kFunctions> settles{};
        return {sme::kModelVersion,
                "x",
                "a processor",
                &identity_,
                table<sme::Instances>(),
                kFunctions,
                table<sme::Block>(),
                kFunctions,
                cycles.data(),
                settles.data(),
                kFunctions,
                releases.data(),
                others.data(),
                others.data(),
                kFunctions,
                nullptr,
                nullptr};
    }

    Bytes bytes_;
    std::size_t size_;
    std::uint64_t identity_ = 0;  ///< of code that it is for
    const sme::Model* model_ = nullptr;
};

}  // namespace smec::test
