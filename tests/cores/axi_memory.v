// 64 KiB that answer one burst of reads and one of writes at a time, and a hash over all that they are asked.
module axi_memory #(parameter FIRMWARE = "") (
    input clk, input rst, input arv, output arr, input [3:0] arid, input [31:0] ara, input [7:0] arl, output rv, input rr, output [3:0] rid, output [63:0] rd, output rl,
    input awv, output awr, input [3:0] awid, input [31:0] awa, input wv, output wr, input [63:0] wd, input [7:0] ws, input wl, output bv, input br, output [3:0] bid,
    output [31:0] read, output written, output [31:0] at, input [63:0] other, output reg [63:0] hash);  // other: goes into the hash, too
    reg [31:0] words [0:16383];
    initial if (FIRMWARE != "") $readmemh(FIRMWARE, words);
    reg reading = 0, writing = 0, answering = 0;
    reg [3:0] readId = 0, writeId = 0;
    reg [31:0] from = 0, to = 0;
    reg [7:0] left = 0;
    assign arr = ~reading;
    assign rv = reading;
    assign rid = readId;
    assign rl = left == 0;
    assign read = from;
    assign rd = {words[{from[15:3], 1'b1}], words[{from[15:3], 1'b0}]};
    assign awr = ~writing & ~answering;
    assign wr = writing;
    assign bv = answering;
    assign bid = writeId;
    assign written = writing & wv;
    assign at = to;
    integer i;
    initial hash = 0;
    always @(posedge clk) begin
        if (rst) begin
            reading <= 0;
            writing <= 0;
            answering <= 0;
        end else begin
            if (arv & arr) begin reading <= 1; readId <= arid; from <= ara; left <= arl; end
            if (rv & rr) begin reading <= ~rl; from <= {from[31:3] + 29'd1, 3'd0}; left <= left - 8'd1; end
            if (awv & awr) begin writing <= 1; writeId <= awid; to <= awa; end
            if (written) begin
                writing <= ~wl;
                answering <= wl;
                to <= {to[31:3] + 29'd1, 3'd0};
                for (i = 0; i < 8; i = i + 1)
                    if (ws[i]) words[{to[15:3], i[2]}][8 * i[1:0] +: 8] <= wd[8 * i +: 8];
            end
            if (bv & br) answering <= 0;
            hash <= {hash[62:0], hash[63] ^ hash[62] ^ hash[60] ^ hash[59]} ^ (arv ? {ara, 20'd1, arid, arl} : 64'd0) ^ (awv ? {28'd2, awid, awa} : 64'd0)
                ^ (written ? wd ^ {56'd0, ws} : 64'd0) ^ other;
        end
    end
endmodule
