#!/usr/bin/env bash
# A project outside of the tree whose programs own simulations: libraries are built before what includes their headers,
# built again when their source changes, and only then.
# shellcheck source=tests/install/common.sh
source "$(dirname "$0")/common.sh"

scratch cmake_library
cp -r "$here/library" .
cmake -S library -B build -G Ninja -DCMAKE_BUILD_TYPE=Release -DCMAKE_PREFIX_PATH="$prefix" >configure.log ||
    { cat configure.log; die "configuring the project"; }

cmake --build build
seen=$(build/bin/ring --cycles 10 --quiet --print 'at[2].seen' | awk '{ print $NF }')
printf '3 50\n%s\n' "$seen" >expected.out
expectOutput expected.out build/bench
echo ring >expected.out
expectOutput expected.out build/plain

cmake --build build | tee again.log
grep -q 'no work to do' again.log || die "an unchanged project was built again"

sleep 1  # make sure that the clock of the file system moves on
sed -i 's/left.v \* 5/left.v * 7/' library/ring.sme
cmake --build build
seen=$(build/bin/ring --cycles 10 --quiet --print 'at[2].seen' | awk '{ print $NF }')
printf '3 50\n%s\n' "$seen" >changed.out
expectOutput changed.out build/bench
if diff -q expected.out changed.out; then die "the change is not seen"; fi
