#!/usr/bin/env bash
# The pkg-config file finds its own prefix, and its flags survive the space in it.
# shellcheck source=tests/install/common.sh
source "$(dirname "$0")/common.sh"

scratch pkg_config
export PKG_CONFIG_PATH=$prefix/lib/pkgconfig
[[ $(pkg-config --modversion smec) == "$("$prefix/bin/smec" --version | grep -oE '[0-9]+\.[0-9]+\.[0-9]+' | head -n 1)" ]] ||
    die "pkg-config and smec --version disagree"
eval "flags=($(pkg-config --cflags --libs smec))"
# shellcheck disable=SC2154  # set by the eval
"${CXX:-c++}" -std=c++20 "$here/consumer/host.cpp" -o host "${flags[@]}"
./host
