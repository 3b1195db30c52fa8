#!/usr/bin/env bash
# A file that was edited since ./sme first built the tree is in no batch of a unity build any more, and stays out; where many were edited, all go
# back. cmake and ninja are others here, which write down what they are given.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
cp "$SMEC_SOURCE_DIR/sme" .
mkdir -p compiler/a runtime/src/b formats/src bin build/release
touch CMakePresets.json
cat >build/release/CMakeCache.txt <<EOF
CMAKE_HOME_DIRECTORY:INTERNAL=$PWD
SMEC_UNITY:BOOL=ON
SMEC_APART:STRING=
EOF
touch build/release/build.ninja
cat >bin/cmake <<'EOF'
#!/usr/bin/env bash
echo "$@" >>"$LOG"
sed -i "s#^SMEC_APART:STRING=.*#SMEC_APART:STRING=${1#-DSMEC_APART=}#" "$2/CMakeCache.txt"
EOF
printf '#!/usr/bin/env bash\nexit 0\n' >bin/ninja
printf '#!/usr/bin/env bash\nprintf "installed %%s\\n" "$@"\n' >bin/dpkg-query
chmod +x bin/*
export PATH=$PWD/bin:$PATH LOG=$PWD/log SME_INSIDE_TEST=

build() {  # EXPECTED: what cmake is given; empty: it is not asked
    : >log
    ./sme build
    [[ $(cat log) == "${1:+-DSMEC_APART=${1%.} $PWD/build/release}" ]] || { echo "FAILED: '$(cat log)' is not '$1'"; exit 1; }
}
edit() { touch -d '+1 minute' "$@"; }

touch -d '-1 hour' compiler/a/{1..20}.cpp compiler/a/x.h runtime/src/b/12.cpp
build ""                                       # the first build: all are new
edit compiler/a/3.cpp compiler/a/x.h
build compiler/a/3.cpp                         # headers are in no batch
build ""
edit runtime/src/b/12.cpp
build "compiler/a/3.cpp;runtime/src/b/12.cpp"
touch -d '+1 hour' build/release/first-build   # edits of long ago
build ""
touch -d '+2 hours' compiler/a/{1..13}.cpp
build "."                                      # fourteen are too many
touch -d '+3 hours' build/release/first-build
sed -i s/UNITY:BOOL=ON/UNITY:BOOL=OFF/ build/release/CMakeCache.txt
touch -d '+4 hours' compiler/a/5.cpp
build ""                                       # no batches, nothing to leave
