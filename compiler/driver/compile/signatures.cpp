#include "driver/compile/signatures.h"

#include <cstdlib>
#include <map>
#include <string_view>

#include <dlfcn.h>

#include "driver/system/installation.h"
#include "source/overloaded.h"
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
    return smec::visit(
        Overloaded{
            [&](const hir::ArrayType& array) {
                hir::TypeId element = array.element;
                while (const auto* inner = types.as<hir::ArrayType>(element))
                    element = inner->element;
                return "p" + kindOf(types, element);
            },
            [](const hir::BoolType&) { return std::string("b"); },
            [](const hir::FloatType& t) { return "f" + std::to_string(t.width / 8); },
            [](const AnyOf<hir::IntType, hir::EnumType> auto& t) {
                const char* bytes = t.width <= 8    ? "1"
                                    : t.width <= 16 ? "2"
                                    : t.width <= 32 ? "4"
                                                    : "8";
                return (t.isSigned ? "i" : "u") + std::string(bytes);
            },
            // Results of processes are structs; nobody compares them.
            [](const AnyOf<hir::ErrorType, hir::StringType, hir::StructType> auto&) {
                return std::string();
            },
        },
        types[type]);
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
