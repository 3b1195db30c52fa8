// Sends bytes bit by bit; its reset is asynchronous and on when low.
module serial (input clk, input rst_n, input start, input [7:0] data, output line, output busy);
    localparam IDLE = 2'd0, SEND = 2'd1, STOP = 2'd2;
    reg [1:0] state;
    reg [7:0] shift;
    reg [2:0] bits;
    assign busy = state != IDLE;
    assign line = state == SEND ? shift[0] : 1'b1;
    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) begin
            state <= IDLE;
            bits <= 0;
        end else case (state)
            IDLE: if (start) begin
                shift <= data;
                bits <= 0;
                state <= SEND;
            end
            SEND: begin
                shift <= shift >> 1;
                bits <= bits + 1;
                if (&bits) state <= STOP;
            end
            default: state <= IDLE;
        endcase
    end
endmodule
