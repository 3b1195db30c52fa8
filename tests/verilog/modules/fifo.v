// A queue of eight words; the first one is there without a cycle's delay.
module fifo (input clk, input rst, input push, input [7:0] data, input pop, output [7:0] first, output empty, output full);
    reg [7:0] words [0:7];
    reg [2:0] head, tail;
    reg [3:0] fill;
    assign empty = fill == 0;
    assign full = fill == 8;
    assign first = words[head];
    wire pushed = push && !full;
    wire popped = pop && !empty;
    always @(posedge clk) begin
        if (pushed) words[tail] <= data;
        if (rst) begin
            head <= 0;
            tail <= 0;
            fill <= 0;
        end else begin
            if (pushed) tail <= tail + 1;
            if (popped) head <= head + 1;
            fill <= fill + pushed - popped;
        end
    end
endmodule
