#pragma once

#include <string>

#include "codegen/cpp/print/expression.h"
#include "codegen/cpp/print/site.h"

namespace smec::codegen::cpp {

/// The parameter that takes a result.
inline std::string resultName(const ir::Function& function, std::size_t number) {
    return function.results.size() == 1 ? "result" : fmt::format("result_{}", number);
}

/// Prints calls of functions, and how they return.
class Calls {
public:
    Calls(const CppDesign& cpp, const BodyInfo& info, const Leaves& leaves, const Site& site,
          Expressions& expr, WayOut& wayOut, Writer& out)
        : cpp_(cpp),
          info_(info),
          leaves_(leaves),
          site_(site),
          expr_(expr),
          wayOut_(wayOut),
          out_(out) {}

    void print(const ir::Call& s, const ir::Stmt& stmt);
    /// Processes leave, functions return.
    void print(const ir::Return& s);
    /// The body is the function's.
    void isFunction(ir::FunctionId function) { function_ = function; }

private:
    std::string argumentsOf(const ir::Call& call);
    void endIfSaid(const ir::Call& call);
    void printReturn(const ir::Return& s, const ir::Function& function, Returns returns);

    const CppDesign& cpp_;
    const BodyInfo& info_;
    const Leaves& leaves_;
    const Site& site_;
    Expressions& expr_;
    WayOut& wayOut_;
    Writer& out_;
    ir::FunctionId function_;  ///< invalid: the body is a process's
};

}  // namespace smec::codegen::cpp
