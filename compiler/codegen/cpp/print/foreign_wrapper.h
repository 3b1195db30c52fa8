#pragma once

#include <string>
#include <vector>

#include "codegen/cpp/print/names.h"
#include "codegen/cpp/print/text.h"
#include "codegen/cpp/print/value.h"

namespace smec::codegen::cpp {

/// As C++ outside of the design sees it.
std::string plainType(const ir::Scalar& scalar);
/// A stored value for C++.
std::string outward(const ir::Scalar& scalar, const std::string& value);
/// A value of C++ as it is stored in `word`.
std::string inward(const ir::Scalar& scalar, const Word& word, const std::string& value);
/// #line of a place in the source.
std::string sourceLine(const Program& program, const SourceRange& range);

/// A parameter or result of the wrapper: a scalar, or the first element of an array.
struct Passed {
    std::string name;
    ir::StorageType type;
    Word word() const {
        return type.isArray() ? storedWord(type.scalar) : variableWord(type.scalar);
    }
};

/// The function that stands for an extern one, around the call of the user's C++.
class ForeignWrapper {
public:
    ForeignWrapper(const CppDesign& cpp, std::uint32_t id, Writer& out);

    const ir::Design& design() const { return program_.design; }
    const ir::Foreign& foreign() const { return foreign_; }
    const std::string& name() const { return name_; }
    const std::vector<Passed>& parameters() const { return parameters_; }
    const std::vector<Passed>& results() const { return results_; }
    /// Not those of parameters and results.
    std::string newName(const std::string& wanted) { return names_.add(wanted); }

    /// What follows is about the declaration in the .sme file …
    void enterDeclaration();
    /// … or about this file again.
    void leaveDeclaration();
    /// As an error at the declaration where it does not hold.
    void demand(const std::string& condition, const std::string& message);

    /// Who calls code that must not run twice, as C++.
    std::string caller() const;
    /// Calls that throw end the program.
    void openTry() { out_.open("try"); }
    void closeTry();
    void openFunction() { out_.open("{}", signature()); }
    bool givesValue() const;
    /// The interpreter's way in.
    void printThunk();

private:
    std::string signature() const;

    const Program& program_;
    const ir::Function& function_;
    const ir::Foreign& foreign_;
    const Returns returns_;
    const std::string& name_;
    Writer& out_;
    Names names_;
    std::vector<Passed> parameters_, results_;
};

}  // namespace smec::codegen::cpp
