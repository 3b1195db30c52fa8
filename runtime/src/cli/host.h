#pragma once

#include <memory>
#include <string>

#include <sme/code.h>

namespace sme {

/// Kernels and tables from two files, in place of those that are linked to a program. Generated code has
/// no constructors: nothing of it runs before somebody has asked whether this processor can.
class HostedModel {
public:
    /// `code`: the path of a library with a `sme_program_code`, which stays loaded until the program ends;
    /// `image`: of a model.bin. Throws Error.
    HostedModel(const std::string& code, const std::string& image);
    /// Of such a library that is loaded already.
    struct Loaded {
        void* library;
    };
    HostedModel(Loaded code, const std::string& image);
    const Model& model() const { return *model_; }

private:
    /// `name`: of the library, in messages.
    HostedModel(void* library, const std::string& name, const std::string& image);

    struct Free {
        void operator()(std::byte* bytes) const;
    };

    std::unique_ptr<std::byte, Free> bytes_;
    const Model* model_ = nullptr;
};

}  // namespace sme
