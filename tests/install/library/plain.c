#include <stdio.h>

#include "small.h"

int main(void) {
    const sme_library* library = sme_library_of_small(SME_SIMULATION_VERSION);
    puts(library ? library->design : "none");
    return library ? 0 : 1;
}
