// Two instances of one module with other parameters, wired to one another through combinational outputs.
module stage #(parameter STEP = 1) (input clk, input [7:0] x, input go, output [7:0] y, output ready);
    reg [7:0] kept = STEP;
    assign y = kept + x;
    assign ready = go & kept[0];
    always @(posedge clk) if (go) kept <= kept + STEP;
endmodule
module pair (input clk, input [7:0] x, input go, output [7:0] y, output done);
    wire [7:0] between;
    wire first, second;
    stage #(.STEP(3)) u0 (.clk(clk), .x(x), .go(second), .y(between), .ready(done));
    stage #(.STEP(5)) u1 (.clk(clk), .x(between), .go(go), .y(y), .ready(second));
endmodule
