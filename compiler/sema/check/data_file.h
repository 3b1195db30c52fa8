#pragma once

#include "hir/types.h"
#include "hir/value.h"

namespace smec::sema {

/// What the text of a data file gives for an array.
struct DataWords {
    hir::Value::List values;
    std::string error;  ///< empty when all is well
    std::size_t line = 0;
};

/// Words as $readmemh reads them; elements that the text does not name have the default.
DataWords readWords(std::string text, const hir::TypeTable& types, const hir::ArrayType& array);

}  // namespace smec::sema
