#!/usr/bin/env bash
# All or nothing: the target smec builds all that is installed; and where one of these files is missing (`./sme run` builds
# smec-run alone, without a line of hardware) nothing is installed, with a message that says what to do.
# shellcheck source=tests/install/common.sh
source "$(dirname "$0")/common.sh"

scratch whole
mkdir tree
mapfile -t installed < <(grep -ohE '"[^"]+"' "$SMEC_BINARY_DIR/cmake_install.cmake" | tr -d '"' | grep -F "$SMEC_BINARY_DIR/" | sort -u)
mapfile -t built < <(for file in "${installed[@]}"; do
    case $file in
    *.cmake | *.pc | */CMakeFiles/*) ;;  # written when the tree is configured
    *) if [[ -f $file ]]; then echo "${file#"$SMEC_BINARY_DIR"/}"; fi ;;
    esac
done)
[[ ${#built[@]} -ge 6 ]] || die "only ${#built[@]} files are built and installed: ${built[*]}"

if [[ -f $SMEC_BINARY_DIR/build.ninja ]]; then
    ninja -C "$SMEC_BINARY_DIR" -t commands smec >commands
    for file in "${built[@]}"; do
        grep -qF "$file" commands || die "the target smec does not build $file"
    done
    ninja -C "$SMEC_BINARY_DIR" -t commands smec_run >commands
    grep -qF smec_driver_run commands || die "smec_run does not build what it needs"
    if grep -qF "smec_hdl" commands; then die "smec_run builds what exports hardware"; fi
    if grep -qF "smec_interp" commands; then die "smec_run builds the interpreter"; fi
    if grep -qF "smec_rtl" commands; then die "smec_run builds what reads Verilog"; fi
fi

# The install script on another tree, which has links to the files of this one.
sed "s|$SMEC_BINARY_DIR|$PWD/tree|g; /^ *include(.*cmake_install.cmake\")$/d" "$SMEC_BINARY_DIR/cmake_install.cmake" >install.cmake
for file in "${installed[@]}"; do
    mkdir -p "tree/$(dirname "${file#"$SMEC_BINARY_DIR"/}")"
    ln -s "$file" "tree/${file#"$SMEC_BINARY_DIR"/}"
done
for file in "${built[@]}"; do
    mv "tree/$file" gone
    if cmake -DCMAKE_INSTALL_PREFIX="$PWD/to" -P install.cmake >log 2>&1; then
        die "installs without $file"
    fi
    tr -s ' \n' ' ' <log | grep -qF "$(basename "$file") is not built; first: cmake --build" || die "without $file it says: $(cat log)"
    [[ ! -e to ]] || die "installs half of it without $file: $(find to -type f)"
    mv gone "tree/$file"
done
