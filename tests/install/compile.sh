#!/usr/bin/env bash
# The installed compiler, by its path and by a symbolic link to it, from a folder of the user's.
# shellcheck source=tests/install/common.sh
source "$(dirname "$0")/common.sh"

scratch compile
cp "$here"/consumer/*.sme .
"$prefix/bin/smec" compile ring.sme -o "my ring"
expectOutput "$here/ring.out" "./my ring" --cycles 8 --threads 2

ln -s "$prefix/bin/smec" linked
expectOutput "$here/ring.out" ./linked run ring.sme --cycles 8
