// Registers of one case statement, whose states need different operators; an adder and a comparison
// that one of them alone needs; a register that others read after it is set.
module machine (input clk, input rst, input go, input [15:0] a, input [15:0] b, output reg [15:0] result, output reg done);
    reg [1:0] state;
    reg [15:0] left, right;
    wire [15:0] sum = left + right;
    wire [15:0] apart = left < right ? right - left : left - right;
    always @(posedge clk) begin
        done <= 0;
        if (rst) begin
            state <= 0;
            result <= 0;
        end else case (state)
            2'd0: if (go) begin
                left <= a;
                right <= b;
                state <= 1;
            end
            2'd1: begin
                left <= right;
                right <= left ^ sum;
                result <= sum;
                state <= 2;
            end
            2'd2: begin
                result <= (result << 1) ^ (apart & right);
                done <= 1;
                state <= 0;
            end
            default: state <= 0;
        endcase
    end
endmodule
