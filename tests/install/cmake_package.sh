#!/usr/bin/env bash
# A project that finds the CMake package: simulators are built, built again when a module they import changes, and only
# then; C++ of its own includes the runtime's headers.
# shellcheck source=tests/install/common.sh
source "$(dirname "$0")/common.sh"

scratch cmake_package
cp -r "$here/consumer" .
cmake -S consumer -B build -G Ninja -DCMAKE_BUILD_TYPE=Release -DCMAKE_PREFIX_PATH="$prefix" >configure.log ||
    { cat configure.log; die "configuring the consumer"; }

cmake --build build
expectOutput "$here/ring.out" build/bin/ring --cycles 8
build/host

cmake --build build | tee again.log
grep -q 'no work to do' again.log || die "an unchanged project was built again"

sleep 1  # make sure that the clock of the file system moves on
sed -i 's/first: u8 = 5/first: u8 = 15/' consumer/token.sme
cmake --build build
awk '{ $NF += 10; print }' "$here/ring.out" >changed.out
expectOutput changed.out build/bin/ring --cycles 8
