#pragma once

#include "lower/body/calls.h"
#include "lower/body/parts.h"
#include "lower/body/scalars.h"
#include "lower/body/source_texts.h"
#include "lower/body/statements.h"

namespace smec::lower {

/// Lowers one body: of a process, or of a function for the processes of a class. Expressions become
/// pure IR expressions; whatever can fail or has an effect becomes statements in front of the one
/// that uses it. Here stands who knows whom: each part names in its constructor those it calls.
class BodyLowering {
public:
    /// `shape`: the class whose process this is, or on whose behalf the function is lowered.
    /// `sites`: the class's body, which owns the traces and failures. `function`: null for a
    /// process.
    BodyLowering(Context& context, const ClassShape& shape, const hir::Body& source, ir::Body& body,
                 ir::Body& sites, const hir::Function* function, const ir::Leaves& leaves);
    BodyLowering(const BodyLowering&) = delete;
    BodyLowering& operator=(const BodyLowering&) = delete;
    void run();
    const Effects& effects() { return writer_.effects(); }

private:
    void ownAssignedParameters();
    void startVariables();

    Writer writer_;
    Numbers numbers_;
    Variables variables_;
    const BodyContext context_;
    SourceTexts sourceTexts_;
    Scalars scalars_;
    Parts parts_;
    Calls calls_;
    Stores stores_;
    Texts texts_;
    Switches switches_;
    Statements statements_;
    WaitMachine waits_;
};

}  // namespace smec::lower
