#include "driver/compile/signatures.h"

#include <cstdlib>
#include <map>
#include <string_view>

#include <dlfcn.h>

#include "driver/system/installation.h"
#include "clang/signatures.h"

namespace smec::driver {
namespace fs = std::filesystem;

namespace {

SmecCheckSignatures loadChecker() {
    const char* wanted = std::getenv("SMEC_LIBCLANG");
    if (wanted && std::string_view(wanted) == "off") return nullptr;
    const fs::path prefix = findInstallation().executable.parent_path().parent_path();
    const fs::path path = prefix / "lib" / "smec" / clang::kLibrary;
    std::error_code error;
    if (!fs::exists(path, error)) return nullptr;
    void* library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);  // until the program ends
    return library ? reinterpret_cast<SmecCheckSignatures>(dlsym(library, clang::kEntry)) : nullptr;
}

std::string kindOf(const hir::TypeTable& types, hir::TypeId type) {
    if (const auto* array = types.as<hir::ArrayType>(type)) {
        hir::TypeId element = array->element;
        while (const auto* inner = types.as<hir::ArrayType>(element))
            element = inner->element;
        return "p" + kindOf(types, element);
    }
    if (type == hir::TypeTable::kBool) return "b";
    if (const auto* real = types.as<hir::FloatType>(type))
        return "f" + std::to_string(real->width / 8);
    std::uint32_t width = 64;
    bool isSigned = false;
    if (const auto* integer = types.as<hir::IntType>(type)) {
        width = integer->width;
        isSigned = integer->isSigned;
    } else if (const auto* enumeration = types.as<hir::EnumType>(type)) {
        width = enumeration->width;
        isSigned = enumeration->isSigned;
    }
    const char* bytes = width <= 8 ? "1" : width <= 16 ? "2" : width <= 32 ? "4" : "8";
    return (isSigned ? "i" : "u") + std::string(bytes);
}

/// What a header should declare, with the texts that SmecForeignName points to.
struct Wanted {
    const hir::Function* function;
    std::string result;
    std::vector<std::string> kinds;
    std::vector<const char*> pointers;
};

struct HeaderCheck {
    FrontEnd& front;
    const std::vector<Wanted>& names;
};

void report(void* user, std::size_t index, const char* text) {
    const HeaderCheck& job = *static_cast<HeaderCheck*>(user);
    const hir::Function& function = *job.names[index].function;
    job.front.diagnostics.report(DiagId::ExternMismatch, function.range, function.external->name,
                                 function.external->header, text);
}

Wanted wanted(const hir::TypeTable& types, const hir::Function& function) {
    Wanted result{&function, {}, {}, {}};
    if (function.external->isProcess) return result;
    result.result = kindOf(types, function.result);
    for (std::uint32_t i = 0; i < function.paramCount; ++i)
        result.kinds.push_back(kindOf(types, function.body.vars[i].type));
    return result;
}

void checkHeader(FrontEnd& front, SmecCheckSignatures checker, const std::string& include,
                 const CompileOptions& options, std::vector<Wanted>& names) {
    std::vector<SmecForeignName> list;
    for (Wanted& name : names) {
        for (const std::string& kind : name.kinds)
            name.pointers.push_back(kind.c_str());
        list.push_back({name.function->external->name.c_str(),
                        name.function->external->isProcess ? nullptr : name.result.c_str(),
                        name.pointers.data(), name.pointers.size()});
    }
    std::vector<const char*> folders;
    for (const std::string& folder : options.includeDirs)
        folders.push_back(folder.c_str());
    HeaderCheck job{front, names};
    const int missing = checker(include.c_str(), folders.data(), folders.size(), list.data(),
                                list.size(), &job, report);
    if (missing == 0) return;
    const hir::Foreign& first = *names.front().function->external;
    front.diagnostics.report(DiagId::ExternRead, first.range, first.header, "no such file");
}

}  // namespace

void checkSignatures(FrontEnd& front, const CompileOptions& options) {
    std::map<std::string, std::vector<Wanted>> headers;
    const hir::Design& design = *front.design;
    for (const hir::Function& function : design.functions) {
        if (!function.external || function.external->header.empty()) continue;
        const std::string& header = function.external->header;
        headers[function.external->isFile ? '"' + header + '"' : '<' + header + '>'].push_back(
            wanted(design.types, function));
    }
    if (headers.empty()) return;
    const SmecCheckSignatures checker = loadChecker();
    if (!checker) return;
    for (auto& [include, names] : headers)
        checkHeader(front, checker, include, options, names);
}

}  // namespace smec::driver
