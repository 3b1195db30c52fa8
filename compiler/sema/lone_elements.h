#pragma once

#include "sema/reporter.h"

namespace smec::sema {

/// Warns of `instance a[4] of p();` outside of a generate where nothing else makes an element of
/// `a`: it is one instance, and other languages would make four.
void warnOfLoneElements(Reporter& reporter, const ast::Module& module);

}  // namespace smec::sema
