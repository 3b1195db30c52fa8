#include "sema/checker.h"
#include "sema/operand_types.h"
#include "source/one_line.h"
#include "source/read_text.h"

// file("x.hex"): words as $readmemh reads them.
//   0001 00ff      // comments of both kinds
//   @5 1_234       // an address in hexadecimal, then words from there on

namespace smec::sema {

namespace {

/// Splits the text into words; keeps count of lines.
class HexReader {
public:
    explicit HexReader(std::string text) : text_(std::move(text)) {}

    std::size_t line() const { return line_; }
    /// The next word; empty at the end.
    std::string next() {
        skipBlank();
        std::string word;
        while (at_ < text_.size() && !isBlank(text_[at_]) && !startsComment())
            word += text_[at_++];
        return word;
    }

private:
    static bool isBlank(char c) {
        return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f';
    }
    bool startsComment() const {
        return text_.compare(at_, 2, "//") == 0 || text_.compare(at_, 2, "/*") == 0;
    }
    void advance() { line_ += text_[at_++] == '\n'; }
    void skipBlank() {
        while (at_ < text_.size()) {
            if (isBlank(text_[at_])) {
                advance();
            } else if (text_.compare(at_, 2, "//") == 0) {
                while (at_ < text_.size() && text_[at_] != '\n')
                    ++at_;
            } else if (text_.compare(at_, 2, "/*") == 0) {
                std::size_t end = text_.find("*/", at_ + 2);
                std::size_t stop = end == std::string::npos ? text_.size() : end + 2;
                while (at_ < stop)
                    advance();
            } else {
                return;
            }
        }
    }

    std::string text_;
    std::size_t at_ = 0;
    std::size_t line_ = 1;
};

std::optional<hir::Integer> hexValue(std::string_view word) {
    hir::Integer value = 0;
    std::string digits;
    for (char c : word) {
        if (c == '_') continue;
        if (!std::isxdigit(static_cast<unsigned char>(c))) return std::nullopt;
        digits += c;
    }
    if (digits.empty() || digits.size() > kMaxBits / 4 + 1) return std::nullopt;
    return hir::Integer("0x" + digits);
}

struct Words {
    hir::Value::List values;
    std::string error;  ///< empty when all is well
    std::size_t line = 0;
};

Words readWords(std::string text, const hir::TypeTable& types, const hir::ArrayType& array) {
    const hir::IntType& element = *types.as<hir::IntType>(array.element);
    Words result;
    result.values.assign(array.count, hir::defaultValue(types, array.element));
    HexReader reader(std::move(text));
    hir::Integer address = 0;
    auto failed = [&](std::string why) {
        result.error = std::move(why);
        result.line = reader.line();
        return result;
    };
    for (std::string word = reader.next(); !word.empty(); word = reader.next()) {
        bool isAddress = word.front() == '@';
        auto value =
            hexValue(isAddress ? std::string_view(word).substr(1) : std::string_view(word));
        if (!value) return failed(quotedWord(word) + " is no hexadecimal number");
        if (isAddress) {
            address = *value;
            continue;
        }
        if (address >= array.count)
            return failed("too many words; the array has " + std::to_string(array.count)
                          + " elements");
        hir::Integer stored = hir::wrap(*value, element.width, element.isSigned);
        if (hir::bitsFor(*value) > element.width || !fits(types, array.element, stored))
            return failed(quotedWord(word) + " does not fit " + types.name(array.element));
        result.values[address.convert_to<std::size_t>()] = hir::Value{std::move(stored)};
        ++address;
    }
    return result;
}

}  // namespace

bool Checker::isDataFile(ast::ExprId id) {
    const ast::Call* call = std::get_if<ast::Call>(&module_[id].node);
    const ast::Name* name = call ? std::get_if<ast::Name>(&module_[call->callee].node) : nullptr;
    if (!name || name->text != "file") return false;
    Symbol* symbol = scope_->find("file");
    return !symbol
           || !(std::holds_alternative<FuncSymbol>(symbol->node)
                || std::holds_alternative<TypeSymbol>(symbol->node));
}

Operand Checker::dataFile(const ast::Call& node, SourceRange range,
                          const Destination& destination) {
    if (!takes("file", node, 1, range)) return {};
    const ast::StringLiteral* name =
        std::get_if<ast::StringLiteral>(&module_[node.arguments[0].value].node);
    const hir::ArrayType* array = core_.types().as<hir::ArrayType>(destination.type);
    if (core_.types().isError(destination.type)) return {};
    if (!name || !array || !core_.types().isInteger(array->element) || !destination.isInitialiser) {
        core_.report(DiagId::DataFileUse, range);
        return {};
    }
    std::filesystem::path path =
        core_.program.modules[scope_->module().index].path.parent_path() / name->value;
    const std::string_view why = whyNoFile(path);
    ReadText read = why.empty() ? readText(path) : ReadText{{}, why};
    if (!read.problem.empty()) {
        core_.report(DiagId::DataFileRead, module_[node.arguments[0].value].range, name->value,
                     read.problem);
        return {};
    }
    Words words = readWords(std::move(read.text), core_.types(), *array);
    if (!words.error.empty()) {
        core_.report(DiagId::DataFileFormat, module_[node.arguments[0].value].range, name->value,
                     words.line, words.error);
        return {};
    }
    return constantOperand(hir::Value{std::move(words.values)}, destination.type, range);
}

}  // namespace smec::sema
