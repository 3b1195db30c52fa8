#include "driver/interpret/foreign.h"

#include <algorithm>

#include <dlfcn.h>

#include <fmt/format.h>

#include "driver/cache/work_folder.h"
#include "driver/compile/build_folder.h"
#include "driver/compile/cache.h"
#include "driver/compile/generate.h"
#include "driver/compile/processor.h"
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
    ToolchainResult tools = findToolchain(options);
    if (!tools.error.empty()) {
        fmt::print(stderr,
                   "smec: error: {}\nnote: this design names C++ with 'extern', so that even the "
                   "interpreter needs a compiler\n",
                   tools.error);
        return exit_status::kEnvironment;
    }
    const fs::path folder = buildFolder(options) / "foreign";
    const bool isOwn = options.buildDir.empty();
    claimFolder(options);
    if (isOwn) markFolder(folder.parent_path());
    const WorkFolder work(folder, isOwn);
    const CacheFolders folders = isOwn ? options.cache : cacheInside(folder, options.cache);
    tools.toolchain.facts = askCompiler(tools.toolchain, Cache(folders));
    tools.toolchain.processor =
        processorFor(tools.toolchain, installation, options, Cache(folders));
    for (const char* name : {codegen::cpp::kForeignUnit, "build.ninja"})
        clearWay(folder / name);
    writeIfChanged(folder / codegen::cpp::kForeignUnit, source);
    writeIfChanged(folder / "build.ninja",
                   foreignNinjaFile(tools.toolchain, installation, options));
    const std::string object = std::string(codegen::cpp::kForeignUnit) + ".o";
    const std::vector<std::string> names{".ninja_log", ".ninja_deps", object, object + ".d",
                                         kForeignLibrary};
    work.removeDamaged(names);
    const int status = runNinja(folder, tools.toolchain, options);
    work.record(names);
    if (status != 0) return status;
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
