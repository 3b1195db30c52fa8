module source #(parameter [31:0] STEP = 0) (input clk, output reg [31:0] o);
    initial o = 0;
    always @(posedge clk) o <= o + STEP;
endmodule

module stage(input clk, input [31:0] x, output reg [31:0] y);
    wire [31:0] t = (x ^ (x >> 15)) * 32'h2C1B3C6D;
    initial y = 0;
    always @(posedge clk) y <= t ^ (t >> 12);
endmodule

module idle #(parameter N = 1000, EVERY = 100)
    (input clk, output [31:0] result0, output [31:0] result1, output [31:0] result2);
    genvar k, i;
    generate
        for (k = 0; k < N; k = k + 1) begin : line
            for (i = 0; i < 100; i = i + 1) begin : p
                wire [31:0] v;
                if (i == 0) begin : first
                    source #(.STEP(k % EVERY == 0 ? k + 1 : 0)) s (.clk(clk), .o(v));
                end else begin : later
                    stage s (.clk(clk), .x(line[k].p[i - 1].v), .y(v));
                end
            end
        end
    endgenerate
    assign result0 = line[0].p[99].v;
    assign result1 = line[N / 2].p[50].v;
    assign result2 = line[N - 1].p[99].v;
endmodule
