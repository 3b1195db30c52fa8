#pragma once

#include <functional>
#include <string>

#include "codegen/cpp/decide/kernel_plan.h"
#include "codegen/cpp/print/names.h"
#include "codegen/cpp/print/statement.h"

namespace smec::codegen::cpp {

/// How a function spells what an activation reaches.
class AccessSpeller {
public:
    virtual ~AccessSpeller() = default;
    /// A scalar's place (`x_in[i]`, `read_u32[7]`) or value, an array's first element as a pointer;
    /// of a known array the literal of each element.
    virtual std::string of(const Access& access, const ir::StorageType& type) = 0;
    /// The place, or what is read where there is no driver.
    virtual std::string ofInput(const InputLoad& load, const ir::StorageType& type) = 0;
    /// Declares what has to stand in front of the activation.
    virtual Selection ofSelection(const InputSelection& selection, const ir::Input& input) = 0;
};

/// As sme::Slots calls it, or sme::Setup.
const char* memberOf(Base base);

/// Of a known value: an element of an array is stored, so that a bool is a number there.
std::string literalOf(const Known& known, const ir::StorageType& type);

/// A stage of activations, and the places of the temporaries that it shares with others.
struct StagePlaces {
    const Stage& stage;
    const std::function<std::string(ir::LocalId)>& of;
};

/// Prints one activation: loads, body, leave label, stores; or what a stage does of it.
void printActivation(const CppDesign& cpp, ir::ClassId cls, const StagePlaces& stage,
                     AccessSpeller& speller, Site site, Names& names, Names& labels, Writer& out);
void printActivation(const CppDesign& cpp, ir::ClassId cls, const Activation& plan,
                     AccessSpeller& speller, Site site, Names& names, Names& labels, Writer& out);

}  // namespace smec::codegen::cpp
