#include "codegen/vhdl/text.h"

namespace smec::codegen::vhdl {

std::string within(const Text& text, Level most) {
    return text.level <= most ? text.text : "(" + text.text + ")";
}

Text as(Text text, Form form) {
    if (text.form == form) return text;
    if (text.isConcat) text = {"unsigned'(" + text.text + ")", Form::Unsigned};
    if (!text.converted.empty() && text.before == form) return {text.converted, form, text.level};
    if (form != Form::Boolean) {
        const bool isCast = form != Form::Logic && text.form != Form::Logic
                            && text.form != Form::Boolean && text.level == Level::Simple;
        return {converted(text.text, text.form, form), form,     Level::Simple, {},
                isCast ? text.text : std::string(),    text.form};
    }
    if (text.form != Form::Logic)
        return {within(text, Level::Arithmetic) + " /= 0", form, Level::Relation};
    if (text.text == "'0'" || text.text == "'1'")
        return {text.text == "'1'" ? "true" : "false", form};
    if (!text.negated.empty()) return {text.negated + " = '0'", form, Level::Relation};
    return {within(text, Level::Simple) + " = '1'", form, Level::Relation};
}

}  // namespace smec::codegen::vhdl
