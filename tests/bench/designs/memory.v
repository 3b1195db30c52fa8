module mixer #(parameter M = 256, WORK = 1, GAP = 17, FIRST = 0) (input clk, input [31:0] x, output reg [31:0] y);
    reg [31:0] words [0:M - 1];
    reg [$clog2(M) - 1:0] at;
    reg [31:0] t;
    integer i, k;
    initial begin
        for (k = 0; k < M; k = k + 1) words[k] = 0;
        at = FIRST;
        y = 0;
    end
    always @* begin
        t = words[at] ^ (x + at);
        for (i = 0; i < WORK; i = i + 1) t = t * 32'd1664525 + 32'd1013904223;
    end
    always @(posedge clk) begin
        words[at] <= t;
        y <= t;
        at <= at + GAP % M;
    end
endmodule

module memory #(parameter N = 1000, M = 256, WORK = 1, GAP = 17)
    (input clk, output [31:0] result0, output [31:0] result1, output [31:0] result2);
    genvar i;
    generate
        for (i = 0; i < N; i = i + 1) begin : p
            wire [31:0] v;
            mixer #(.M(M), .WORK(WORK), .GAP(GAP), .FIRST(i * 5 % M)) a (.clk(clk), .x(p[(i + N - 1) % N].v), .y(v));
        end
    endgenerate
    assign result0 = p[0].v;
    assign result1 = p[N / 2].v;
    assign result2 = p[N - 1].v;
endmodule
