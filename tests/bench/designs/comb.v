module comb #(parameter N = 1000, DEPTH = 10)
    (input clk, output [31:0] result0, output [31:0] result1, output [31:0] result2);
    genvar c, i;
    generate
        for (c = 0; c < N; c = c + 1) begin : chain
            reg [31:0] first;
            initial first = 0;
            for (i = 0; i <= DEPTH; i = i + 1) begin : p
                wire [31:0] v;
                if (i == 0) begin : head
                    assign v = first;
                end else begin : later
                    assign v = (chain[c].p[i - 1].v ^ (chain[c].p[i - 1].v >> 3)) + (c * DEPTH + i - 1);
                end
            end
            always @(posedge clk) first <= p[DEPTH].v + 1;
        end
    endgenerate
    assign result0 = chain[0].first;
    assign result1 = chain[N / 2].first;
    assign result2 = chain[N - 1].first;
endmodule
