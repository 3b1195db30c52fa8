#pragma once

#include <string>
#include <vector>

#include "codegen/cpp/decide/kernel_plan.h"
#include "codegen/cpp/decide/sites.h"
#include "codegen/cpp/print/expression.h"

namespace smec::codegen::cpp {

/// One scalar result is the C++ function's own (unless that says whether it failed); others are
/// parameters.
inline bool returnsByValue(const ir::Function& function) {
    return function.results.size() == 1 && !function.results[0].isArray();
}
/// The parameter that takes a result.
inline std::string resultName(const ir::Function& function, std::size_t number) {
    return function.results.size() == 1 ? "result" : fmt::format("result_{}", number);
}

/// Where a body stands: what its statements call the class, the instance, and the way out.
struct Site {
    std::string cls;       ///< the class's number, as C++
    std::string instance;  ///< the instance's number, as C++
    std::string leave;     ///< statement that ends the activation: "goto leave;", "return false;"
    std::string rounds;    ///< variable that counts rounds of loops
    Checks checks = Checks::Test;
    Selects selects = Selects::Branches;
    const SiteArguments* arguments = nullptr;
    Names* labels = nullptr;               ///< of the C++ function around it
    const SourceManager* lines = nullptr;  ///< not null: #line in front of each statement
};

/// Prints the statements of one body.
class Statements {
public:
    Statements(const CppDesign& cpp, const BodyInfo& info, const std::vector<ir::Input>& inputs,
               const ir::Body& sites, Leaves& leaves, const Site& site, Names& names, Writer& out);

    /// All of a body, in parts where it is long.
    void body();
    void block(const ir::Block& block);
    /// Declares the locals (not those in `except`) that no statement declares.
    void declareTemporaries();
    /// True when some statement went to the leave label.
    bool leaves() const { return leaves_; }

    /// How `return` reads: processes leave, functions return.
    void isFunction(ir::FunctionId function);

private:
    void part(const BodyPart& part, std::size_t begin);
    void statement(const ir::Stmt& stmt);
    void print(const ir::Set& s, const ir::Stmt& stmt);
    void print(const ir::CopyArray& s, const ir::Stmt& stmt);
    void print(const ir::FillArray& s, const ir::Stmt& stmt);
    void print(const ir::Check& s, const ir::Stmt& stmt);
    void print(const ir::If& s, const ir::Stmt& stmt);
    void print(const ir::For& s, const ir::Stmt& stmt);
    void print(const ir::Loop& s, const ir::Stmt& stmt);
    void print(const ir::CountRound& s, const ir::Stmt& stmt);
    void print(const ir::Switch& s, const ir::Stmt& stmt);
    void print(const ir::Break& s, const ir::Stmt& stmt);
    void print(const ir::Continue& s, const ir::Stmt& stmt);
    void print(const ir::Call& s, const ir::Stmt& stmt);
    void print(const ir::Return& s, const ir::Stmt& stmt);
    void print(const ir::Trace& s, const ir::Stmt& stmt);
    void print(const ir::Stop& s, const ir::Stmt& stmt);

    bool printElseIf(const ir::Block& no);
    void openFor(const ir::For& s, const Word& word, const std::string& counter);
    void openForToTheEnd(const ir::For& s, const Word& word, const std::string& counter);
    void loopBody(const ir::Block& body);
    void wideSwitch(const ir::Switch& s);
    void leave();
    /// `sme::Arg` array for these expressions; returns its name or nullptr.
    std::string arguments(const std::vector<ir::ExprId>& args,
                          const std::vector<ir::ArgFormat>& formats,
                          const std::vector<Extent>& extents);
    std::string callArguments(const ir::Call& call);
    Value stored(ir::ExprId id, const ir::Local& local) const;
    bool declares(const ir::Stmt& stmt, ir::LocalId local) const;
    const std::string& nameOfLocal(ir::LocalId id) const { return leavesOf_.locals[id.index].name; }

    struct Nest {
        bool isLoop;
        std::string label;  ///< after the loop, once a `break` inside a switch needed it
    };

    const CppDesign& cpp_;
    const BodyInfo& info_;
    const ir::Body& sites_;
    Leaves& leavesOf_;
    const Site& site_;
    Names& names_;
    Writer& out_;
    Expressions expr_;
    std::vector<Nest> nests_;
    const ir::Function* function_ = nullptr;
    bool functionFails_ = false;
    bool leaves_ = false;
    std::string partGoes_;  ///< in a part: the variable that says whether the activation goes on
};

}  // namespace smec::codegen::cpp
