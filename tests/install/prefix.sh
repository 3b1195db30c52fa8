#!/usr/bin/env bash
# Installs, moves the installation, and looks for what users rely on.
# shellcheck source=tests/install/common.sh
source "$(dirname "$0")/common.sh"

rm -rf "$prefix" "$work/staging"
cmake --install "$SMEC_BINARY_DIR" --prefix "$work/staging" >/dev/null
mv "$work/staging" "$prefix"

for file in bin/smec lib/libsme_runtime.a lib/libsme_runtime.so lib/sme_host include/sme/model.h include/sme/kernel.h include/sme/simulation.h include/sme/simulation.hpp include/sme/simulation_values.hpp lib/pkgconfig/smec.pc \
    lib/cmake/smec/smecConfig.cmake lib/cmake/smec/smecConfigVersion.cmake lib/cmake/smec/SmeAddLibrary.cmake \
    share/man/man1/smec.1 share/bash-completion/completions/smec share/zsh/site-functions/_smec \
    share/fish/vendor_completions.d/smec.fish; do
    [[ -f $prefix/$file ]] || die "$file is not installed"
done
[[ -z $(find "$SMEC_SOURCE_DIR/stdlib" -name '*.sme') || -n $(find "$prefix/share/smec/stdlib" -name '*.sme') ]] ||
    die "the standard library is not installed"
[[ ! -e $prefix/bin/smec-paths.txt ]] || die "smec-paths.txt belongs to the build tree alone"
if grep -rIlF -e "$SMEC_SOURCE_DIR" -e "$SMEC_BINARY_DIR" "$prefix/lib/cmake" "$prefix/lib/pkgconfig"; then
    die "these files name the build or source tree"
fi
"$prefix/bin/smec" --version
