#!/usr/bin/env bash
# `./sme run` builds smec-run, which reads no Verilog. Where a file is Verilog, or what an extern process is made of, ./sme takes its place and
# all of smec begins anew: with the same words, in the same folder.
set -euo pipefail
command -v yosys >/dev/null || exit 77
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
export XDG_CACHE_HOME=$work/cache SME_INSIDE_TEST=$SMEC_BINARY_DIR

cat >adder.v <<'EOF'
module adder #(parameter by = 1) (input clk, output reg [7:0] p_value);
    initial p_value = 0;
    always @(posedge clk) p_value <= p_value + by;
endmodule
EOF
cat >beside.sme <<'EOF'
type word: bus { value: u8; };
extern proc adder(out p: word) verilog("adder.v");
proc show(in p: word) { trace("{}", p.value); }
network top() {
    bus p: word;
    instance a of adder(p);
    instance _ of show(p);
}
EOF

check() {  # WORDS... of `smec run`
    "$SMEC" run "$@" >expected
    [[ -s expected ]] || { echo "FAILED: nothing comes of smec run $*"; exit 1; }
    rm -rf cache  # nothing is there that smec left
    "$SMEC_SOURCE_DIR/sme" run "$@" | diff -u expected - || { echo "FAILED: ./sme run $*"; exit 1; }
}

check adder.v -G by=3 --cycles 4 --quiet --trace -
check beside.sme --cycles 4 --quiet
check beside.sme --interpret --cycles 4 --quiet

# What needs no Verilog is smec-run's own: all of smec is not there to be asked.
mkdir -p bin
cp "$SMEC_BINARY_DIR/bin/smec-run" bin
sed '/^script=/d' "$SMEC_BINARY_DIR/bin/smec-paths.txt" >bin/smec-paths.txt
sed 's/^extern proc.*/proc adder(out p: word) { p.value = 1; }/' beside.sme >plain.sme
bin/smec-run run plain.sme --cycles 2 --quiet >/dev/null || { echo "FAILED: a design without Verilog"; exit 1; }
if bin/smec-run run adder.v --cycles 2 2>log; then echo "FAILED: there is nobody to take its place"; exit 1; fi
grep -qF "smec: error: cannot start ''" log || { echo "FAILED: it says $(cat log)"; exit 1; }
