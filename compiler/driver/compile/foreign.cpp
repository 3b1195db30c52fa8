#include "driver/compile/foreign.h"

#include <algorithm>

#include <dlfcn.h>

#include <fmt/format.h>

#include "driver/compile/generate.h"
#include "driver/system/exit_status.h"
#include "driver/system/files.h"

namespace smec::driver {
namespace fs = std::filesystem;

LoadedForeign::~LoadedForeign() {
    if (library_) dlclose(library_);
}

int LoadedForeign::load(FrontEnd& front, const CompileOptions& options,
                        const Installation& installation) {
    const std::vector<hir::Function>& functions = front.design->functions;
    const bool isForeign =
        std::any_of(functions.begin(), functions.end(),
                    [](const hir::Function& function) { return function.external.has_value(); });
    code_.functions.resize(functions.size());
    if (!isForeign) return exit_status::kGood;

    Stats stats;
    const Generated generated = generate(front, options, stats);
    printDiagnostics(front, options);
    if (!generated.bundle) return exit_status::kSource;
    const auto unit = generated.bundle->files.find(codegen::cpp::kForeignUnit);
    if (unit == generated.bundle->files.end()) return exit_status::kGood;  // nothing calls it

    if (const int status = build(unit->second, options, installation); status != 0) return status;
    resolve(*front.design);
    return exit_status::kGood;
}

/// The library, loaded.
int LoadedForeign::build(const std::string& source, const CompileOptions& options,
                         const Installation& installation) {
    const ToolchainResult tools = findToolchain(options);
    if (!tools.error.empty()) {
        fmt::print(stderr,
                   "smec: error: {}\nnote: this design names C++ with 'extern', so that even the "
                   "interpreter needs a compiler\n",
                   tools.error);
        return exit_status::kEnvironment;
    }
    const fs::path folder = buildFolder(options) / "foreign";
    makeDirectories(folder);
    const FileLock lock(folder / ".lock");
    writeIfChanged(folder / codegen::cpp::kForeignUnit, source);
    writeIfChanged(folder / "build.ninja",
                   foreignNinjaFile(tools.toolchain, installation, options));
    if (const int status = runNinja(folder, tools.toolchain, options); status != 0) return status;
    library_ = dlopen(fs::absolute(folder / kForeignLibrary).c_str(), RTLD_NOW | RTLD_LOCAL);
    if (!library_) {
        fmt::print(stderr,
                   "smec: error: {}\nnote: name the object file or library of an extern function "
                   "with --link\n",
                   dlerror());
        return exit_status::kSource;
    }
    return exit_status::kGood;
}

/// Functions that nothing calls have no wrapper.
void LoadedForeign::resolve(const hir::Design& design) {
    for (std::size_t i = 0; i < design.functions.size(); ++i) {
        if (!design.functions[i].external) continue;
        const auto find = [&](const char* prefix) {
            return dlsym(library_, fmt::format("{}_{}", prefix, i).c_str());
        };
        code_.functions[i].call = reinterpret_cast<interp::ForeignCode::Call>(find("smec_foreign"));
        code_.functions[i].objects = {
            reinterpret_cast<sme::ForeignObject::Release>(find("smec_release")),
            reinterpret_cast<sme::ForeignObject::Copy>(find("smec_copy")),
            reinterpret_cast<sme::ForeignObject::Save>(find("smec_save"))};
    }
}

}  // namespace smec::driver
