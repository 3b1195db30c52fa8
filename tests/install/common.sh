# shellcheck shell=bash disable=SC2034  # the scripts that source this use the variables
# Sourced by the tests of this folder, which ctest starts with SMEC_SOURCE_DIR and SMEC_BINARY_DIR set.
set -euo pipefail
here=$SMEC_SOURCE_DIR/tests/install
work=$SMEC_BINARY_DIR/tests/install
prefix="$work/a prefix"

die() {
    printf 'FAILED: %s\n' "$*" >&2
    exit 1
}

expectOutput() {  # FILE COMMAND...: the command's standard output is the file
    local expected=$1
    shift
    "$@" | diff -u "$expected" - || die "wrong output from $*"
}

scratch() {  # an empty folder of this test's own, with a space in its name
    local folder="$work/scratch $1"
    rm -rf "$folder"
    mkdir -p "$folder"
    cd "$folder"
}
