#include "cli/host.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <link.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "model/load_image.h"
#include "output/error.h"
#include "sme/model_image.h"

namespace sme {
namespace {

[[noreturn]] void cannotRead(const std::string& path, const char* why) {
    throw Error(ErrorKind::Files, "cannot read '" + path + "': " + why);
}

class OpenFile {
public:
    explicit OpenFile(const std::string& path)
        : path_(path), descriptor_(open(path.c_str(), O_RDONLY | O_CLOEXEC)) {
        if (descriptor_ < 0) cannotRead(path, std::strerror(errno));
    }
    OpenFile(const OpenFile&) = delete;
    OpenFile& operator=(const OpenFile&) = delete;
    ~OpenFile() { close(descriptor_); }

    std::size_t size() const {
        struct stat status {};
        if (fstat(descriptor_, &status) != 0) cannotRead(path_, std::strerror(errno));
        if (!S_ISREG(status.st_mode)) cannotRead(path_, "it is no file");
        return static_cast<std::size_t>(status.st_size);
    }
    void read(std::span<std::byte> to) const {
        while (!to.empty()) {
            const ssize_t got = ::read(descriptor_, to.data(), to.size());
            if (got == 0) cannotRead(path_, "it gets shorter");
            if (got < 0 && errno != EINTR) cannotRead(path_, std::strerror(errno));
            if (got > 0) to = to.subspan(static_cast<std::size_t>(got));
        }
    }

private:
    const std::string& path_;
    int descriptor_;
};

void* loaded(const std::string& path) {
    void* const library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) throw Error(ErrorKind::Files, dlerror());
    return library;
}

/// As it was opened.
std::string openedAs(void* library) {
    const link_map* loaded = nullptr;
    if (dlinfo(library, RTLD_DI_LINKMAP, &loaded) != 0) return "the library";
    return std::string("'") + loaded->l_name + "'";
}

const Code& codeOf(void* library, const std::string& name) {
    const auto* code = static_cast<const Code* const*>(dlsym(library, "sme_program_code"));
    if (code == nullptr) throw Error(ErrorKind::Data, name + " has no design in it");
    if ((*code)->version == kModelVersion) return **code;
    throw Error(ErrorKind::Data, name + " is of model version " + std::to_string((*code)->version)
                                     + ", and this runtime of " + std::to_string(kModelVersion));
}

}  // namespace

void HostedModel::Free::operator()(std::byte* bytes) const {
    ::operator delete(bytes, std::align_val_t{kImageAlignment});
}

HostedModel::HostedModel(const std::string& code, const std::string& image)
    : HostedModel(loaded(code), "'" + code + "'", image) {}

HostedModel::HostedModel(Loaded code, const std::string& image)
    : HostedModel(code.library, openedAs(code.library), image) {}

HostedModel::HostedModel(void* library, const std::string& name, const std::string& image) {
    const Code& code = codeOf(library, name);
    const OpenFile file(image);
    const std::size_t size = file.size();
    bytes_.reset(
        static_cast<std::byte*>(::operator new(size + 1, std::align_val_t{kImageAlignment})));
    file.read({bytes_.get(), size});
    model_ = &loadImage({bytes_.get(), size}, code, {image, name}, ImageCheck::PlacesAndHash);
}

}  // namespace sme
