#include "clang/signatures.h"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <clang-c/Index.h>

// Signatures by libclang: https://clang.llvm.org/doxygen/group__CINDEX.html

namespace {

std::string take(CXString text) {
    const char* characters = clang_getCString(text);
    std::string result = characters ? characters : "";
    clang_disposeString(text);
    return result;
}

/// As in SmecForeignName; "c1" for char; nothing for what is no scalar.
std::optional<std::string> kindOf(CXType type) {
    type = clang_getCanonicalType(type);
    const auto sized = [&](char letter) {
        return std::string(1, letter) + std::to_string(clang_Type_getSizeOf(type));
    };
    switch (type.kind) {
    case CXType_Bool: return "b";
    case CXType_Char_S:
    case CXType_Char_U: return "c1";
    case CXType_SChar:
    case CXType_Short:
    case CXType_Int:
    case CXType_Long:
    case CXType_LongLong: return sized('i');
    case CXType_UChar:
    case CXType_UShort:
    case CXType_UInt:
    case CXType_ULong:
    case CXType_ULongLong: return sized('u');
    case CXType_Float:
    case CXType_Double: return sized('f');
    case CXType_Enum: return kindOf(clang_getEnumDeclIntegerType(clang_getTypeDeclaration(type)));
    case CXType_LValueReference: {
        const CXType referred = clang_getPointeeType(type);
        return clang_isConstQualifiedType(referred) ? kindOf(referred) : std::nullopt;
    }
    case CXType_Pointer: {
        const CXType pointee = clang_getPointeeType(type);
        const auto kind = kindOf(pointee);
        if (!kind || !clang_isConstQualifiedType(pointee)) return std::nullopt;
        return "p" + *kind;
    }
    default: return std::nullopt;
    }
}

/// A char takes any 8-bit integer.
bool isAlike(std::string declared, CXType actual) {
    auto kind = kindOf(actual);
    if (!kind) return false;
    while (declared.front() == 'p' && kind->front() == 'p') {
        declared.erase(0, 1);
        kind->erase(0, 1);
    }
    return declared == *kind || (*kind == "c1" && (declared == "u1" || declared == "i1"));
}

class Header {
public:
    explicit Header(CXTranslationUnit unit) : unit_(unit) {}

    /// Every declaration of `name` in the global namespace.
    std::vector<CXCursor> find(const std::string& name) const {
        std::vector<CXCursor> found;
        visit(clang_getTranslationUnitCursor(unit_), [&](CXCursor cursor) {
            const CXCursorKind kind = clang_getCursorKind(cursor);
            if (kind == CXCursor_LinkageSpec || kind == CXCursor_UnexposedDecl)
                return CXChildVisit_Recurse;
            if (take(clang_getCursorSpelling(cursor)) != name) return CXChildVisit_Continue;
            if (kind == CXCursor_UsingDeclaration)
                addOverloads(cursor, found);
            else
                found.push_back(cursor);
            return CXChildVisit_Continue;
        });
        return found;
    }

private:
    using Visitor = std::function<CXChildVisitResult(CXCursor)>;

    static void visit(CXCursor root, const Visitor& visitor) {
        clang_visitChildren(
            root,
            [](CXCursor cursor, CXCursor, CXClientData data) {
                return (*static_cast<const Visitor*>(data))(cursor);
            },
            const_cast<Visitor*>(&visitor));
    }

    /// using std::hypot;
    static void addOverloads(CXCursor declaration, std::vector<CXCursor>& found) {
        visit(declaration, [&](CXCursor cursor) {
            if (clang_getCursorKind(cursor) == CXCursor_OverloadedDeclRef) {
                for (unsigned i = 0; i < clang_getNumOverloadedDecls(cursor); ++i)
                    found.push_back(clang_getOverloadedDecl(cursor, i));
            } else if (const CXCursor one = clang_getCursorReferenced(cursor);
                       clang_getCursorKind(one) == CXCursor_FunctionDecl) {
                found.push_back(one);
            }
            return CXChildVisit_Continue;
        });
    }

    CXTranslationUnit unit_;
};

bool matches(const SmecForeignName& wanted, CXCursor function) {
    const int count = clang_Cursor_getNumArguments(function);
    if (count < 0 || static_cast<std::size_t>(count) != wanted.parameterCount) return false;
    for (int i = 0; i < count; ++i) {
        const CXType type =
            clang_getCursorType(clang_Cursor_getArgument(function, static_cast<unsigned>(i)));
        if (!isAlike(wanted.parameters[i], type)) return false;
    }
    return isAlike(wanted.result, clang_getCursorResultType(function));
}

std::string placeOf(CXCursor cursor) {
    CXFile file = nullptr;
    unsigned line = 0;
    clang_getSpellingLocation(clang_getCursorLocation(cursor), &file, &line, nullptr, nullptr);
    std::string path = file ? take(clang_getFileName(file)) : "?";
    return path + ":" + std::to_string(line);
}

/// `double hypot(double, double)`
std::string signatureOf(CXCursor function) {
    std::string text = take(clang_getTypeSpelling(clang_getCursorResultType(function))) + " "
                       + take(clang_getCursorSpelling(function)) + "(";
    for (int i = 0; i < clang_Cursor_getNumArguments(function); ++i) {
        const CXCursor argument = clang_Cursor_getArgument(function, static_cast<unsigned>(i));
        text += (i == 0 ? "" : ", ") + take(clang_getTypeSpelling(clang_getCursorType(argument)));
    }
    return text + ")";
}

/// What is wrong; empty when all is well or cannot be told.
std::string compare(const SmecForeignName& wanted, const std::vector<CXCursor>& found) {
    const bool isClass = wanted.result == nullptr;
    std::string seen;
    for (const CXCursor cursor : found) {
        const CXCursorKind kind = clang_getCursorKind(cursor);
        const bool isType = kind == CXCursor_ClassDecl || kind == CXCursor_StructDecl
                            || kind == CXCursor_TypedefDecl || kind == CXCursor_TypeAliasDecl;
        if (isClass && isType) return {};
        if (isClass) continue;
        if (kind != CXCursor_FunctionDecl && !isType) return {};  // templates, variables
        if (kind == CXCursor_FunctionDecl && matches(wanted, cursor)) return {};
        if (kind == CXCursor_FunctionDecl && seen.empty())
            seen = "it is '" + signatureOf(cursor) + "' there (" + placeOf(cursor) + ")";
    }
    if (!seen.empty()) return seen;
    return isClass ? "there is no class of this name" : "there is no function of this name";
}

bool hasErrors(CXTranslationUnit unit, bool& isMissing) {
    bool result = false;
    for (unsigned i = 0; i < clang_getNumDiagnostics(unit); ++i) {
        const CXDiagnostic diagnostic = clang_getDiagnostic(unit, i);
        const CXDiagnosticSeverity severity = clang_getDiagnosticSeverity(diagnostic);
        result = result || severity >= CXDiagnostic_Error;
        CXFile file = nullptr;
        clang_getSpellingLocation(clang_getDiagnosticLocation(diagnostic), &file, nullptr, nullptr,
                                  nullptr);
        const bool isOurs = file && take(clang_getFileName(file)) == "smec-header.cpp";
        isMissing = isMissing || (severity == CXDiagnostic_Fatal && isOurs);
        clang_disposeDiagnostic(diagnostic);
    }
    return result;
}

}  // namespace

extern "C" [[gnu::visibility("default")]] int
smec_check_signatures(const char* include, const char* const* includeDirs,
                      std::size_t includeDirCount, const SmecForeignName* names,
                      std::size_t nameCount, void* user, SmecReport report) {
    const std::string text = std::string("#include ") + include + "\n";
    std::vector<std::string> flags{"-xc++", "-std=c++20"};
    for (std::size_t i = 0; i < includeDirCount; ++i)
        flags.push_back(std::string("-I") + includeDirs[i]);
    std::vector<const char*> words;
    for (const std::string& flag : flags)
        words.push_back(flag.c_str());
    CXUnsavedFile file{"smec-header.cpp", text.c_str(), text.size()};

    const std::unique_ptr<void, decltype(&clang_disposeIndex)> index(clang_createIndex(0, 0),
                                                                     clang_disposeIndex);
    const std::unique_ptr<CXTranslationUnitImpl, decltype(&clang_disposeTranslationUnit)> unit(
        clang_parseTranslationUnit(index.get(), "smec-header.cpp", words.data(),
                                   static_cast<int>(words.size()), &file, 1,
                                   CXTranslationUnit_SkipFunctionBodies),
        clang_disposeTranslationUnit);
    if (!unit) return 0;
    bool isMissing = false;
    if (hasErrors(unit.get(), isMissing)) return isMissing ? 1 : 0;
    const Header header(unit.get());
    for (std::size_t i = 0; i < nameCount; ++i) {
        const std::string problem = compare(names[i], header.find(names[i].name));
        if (!problem.empty()) report(user, i, problem.c_str());
    }
    return 0;
}
