#!/usr/bin/env bash
# Which files a unity build compiles together (cmake/SmecBatch.cmake), and what an edited one changes of that.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
for file in a b c d e f g h; do head -c 100 /dev/zero >"$file"; done
head -c 400 /dev/zero >large

batches() {  # MOST KEPT APART FILES...: a line of batches
    local most=$1 kept=$2 apart=$3
    shift 3
    cat >batches.cmake <<EOF
cmake_minimum_required(VERSION 3.25)
set(PROJECT_SOURCE_DIR $work)
set(SMEC_APART $apart)
include($SMEC_SOURCE_DIR/cmake/SmecBatch.cmake)
smec_batches(found $most $kept $(printf "$work/%s " "$@"))
list(TRANSFORM found REPLACE "=.*/" "=")
list(JOIN found " " found)
message("\${found}")
EOF
    cmake -P batches.cmake 2>&1 || true
}
expect() {  # WANTED, and what batches takes
    local found
    found=$(batches "${@:2}")
    [[ $found == "$1" ]] || { echo "FAILED: ${*:2}: '$found' is not '$1'"; exit 1; }
}

all=(a b c d e f g h)
expect "0=a 0=b 0=c 0=d 0=e 0=f 0=g 0=h" 64 200 "" "${all[@]}"
expect "0=a 0=b 0=c 0=d 1=e 1=f 1=g 1=h" 4 1000 "" "${all[@]}"
expect "0=a 0=b 0=c 0=e 0=f 0=g 0=h" 64 1000 "d" "${all[@]}"              # small enough to stay one
expect "0=a 0=b 0=c 1=e 1=f 1=g 1=h" 4 1000 "d" "${all[@]}"               # the other batch is what it was
expect "0a=a 0a=b 0a=c 0b=e 0b=f 0b=g 0b=h" 64 200 "d" "${all[@]}"       # two halves
expect "0a=a 0a=b 0b=e 0b=f 0b=g 0b=h" 64 200 "c;d" "${all[@]}"           # one more of the same half: the other stays
expect "0a=a 0a=b 0a=c 0b=e 0b=g 0b=h" 64 200 "d;f" "${all[@]}"           # one of the other half
expect "0a=large 0b=a 0b=c 0b=d" 64 200 "b" large a b c d                 # halves have as many bytes, not files
expect "" 64 10 "a" a
