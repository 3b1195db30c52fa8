// systolic.sme in Verilog. result0 ... result2 are what systolic.sme names so. The sums are public to the simulator,
// so that it keeps those that nobody reads, as the other two versions do.

module feed #(parameter [15:0] SEED = 1) (input clk, output reg [15:0] o);
    reg [15:0] x;
    initial begin
        o = 0;
        x = SEED;
    end
    always @(posedge clk) begin
        o <= x;
        x <= x[0] ? (x >> 1) ^ 16'hD008 : x >> 1;
    end
endmodule

module mac (
    input clk,
    input [15:0] west,
    input [15:0] north,
    output reg [15:0] east,
    output reg [15:0] south,
    output reg [31:0] acc /* verilator public_flat_rd */
);
    initial begin
        east = 0;
        south = 0;
        acc = 0;
    end
    always @(posedge clk) begin
        acc <= acc + west * north;
        east <= west;
        south <= north;
    end
endmodule

module systolic #(parameter K = 16) (input clk, output [31:0] result0, output [31:0] result1, output [31:0] result2);
    genvar i, j;
    generate
        for (i = 0; i < K; i = i + 1) begin : r
            wire [15:0] a [0:K];
            wire [15:0] b [0:K-1];
            wire [15:0] top;
            feed #(.SEED((i * 40503 + 1) % 65535 + 1)) row (.clk(clk), .o(a[0]));
            feed #(.SEED((i * 30011 + 7) % 65535 + 1)) column (.clk(clk), .o(top));
        end
        for (i = 0; i < K; i = i + 1) begin : y
            for (j = 0; j < K; j = j + 1) begin : x
                wire [31:0] acc;
                wire [15:0] north;
                if (i == 0) assign north = r[j].top;
                else assign north = r[i-1].b[j];
                mac cell_ (.clk(clk), .west(r[i].a[j]), .north(north), .east(r[i].a[j+1]), .south(r[i].b[j]), .acc(acc));
            end
        end
    endgenerate
    assign result0 = y[K-1].x[K-1].acc;
    assign result1 = y[K/2].x[K/3].acc;
    assign result2 = y[0].x[0].acc;
endmodule
