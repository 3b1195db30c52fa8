// ring.sme in Verilog.
module memory (
    input clk, input [31:0] id, input mem_valid, input [31:0] mem_addr, input [31:0] mem_wdata, input [3:0] mem_wstrb,
    input previous_valid, input [31:0] previous_word, output reg next_valid, output reg [31:0] next_word, output reg mem_ready, output reg [31:0] mem_rdata);
    reg [31:0] words [0:4095];
    reg [31:0] inbox;
    reg busy, began;
    initial begin
        $readmemh("ring.hex", words);
        inbox = 0; busy = 0; began = 0; next_valid = 0; next_word = 0; mem_ready = 0; mem_rdata = 0;
    end
    wire [31:0] mask = {{8{mem_wstrb[3]}}, {8{mem_wstrb[2]}}, {8{mem_wstrb[1]}}, {8{mem_wstrb[0]}}};
    wire [31:0] newest = previous_valid ? previous_word : began ? inbox : id;
    always @(posedge clk) begin
        mem_ready <= 0;
        mem_rdata <= 0;
        next_valid <= 0;
        began <= 1;
        inbox <= newest;
        if (mem_valid && !busy) begin
            busy <= 1;
            mem_ready <= 1;
            if (mem_addr[31]) begin
                mem_rdata <= newest;
                if (mem_wstrb != 0) begin
                    next_valid <= 1;
                    next_word <= mem_wdata;
                end
            end else begin
                mem_rdata <= words[mem_addr[13:2]];
                if (mem_wstrb != 0)
                    words[mem_addr[13:2]] <= (words[mem_addr[13:2]] & ~mask) | (mem_wdata & mask);
            end
        end else
            busy <= 0;
    end
endmodule

module tile (input clk, input [31:0] id, input resetn, input previous_valid, input [31:0] previous_word, output next_valid, output [31:0] next_word);
    /* verilator hier_block */
    wire mem_valid, mem_ready;
    wire [31:0] mem_addr, mem_wdata, mem_rdata;
    wire [3:0] mem_wstrb;
    picorv32 cpu(.clk(clk), .resetn(resetn), .mem_valid(mem_valid), .mem_ready(mem_ready), .mem_addr(mem_addr), .mem_wdata(mem_wdata), .mem_wstrb(mem_wstrb),
        .mem_rdata(mem_rdata), .pcpi_wr(1'b0), .pcpi_rd(32'b0), .pcpi_wait(1'b0), .pcpi_ready(1'b0), .irq(32'b0));
    memory memory(clk, id, mem_valid, mem_addr, mem_wdata, mem_wstrb, previous_valid, previous_word, next_valid, next_word, mem_ready, mem_rdata);
endmodule

module ring #(parameter N = 64) (input clk, output [31:0] first, output [31:0] middle, output [31:0] last);
    wire [N-1:0] valid;
    wire [31:0] word [0:N-1];
    reg [3:0] count;
    reg resetn;
    initial begin
        count = 0;
        resetn = 0;
    end
    always @(posedge clk) begin
        if (count < 8)
            count <= count + 1;
        resetn <= count >= 7;
    end
    generate
        genvar i;
        for (i = 0; i < N; i = i + 1) begin : tiles
            tile t(clk, i, resetn, valid[(i + N - 1) % N], word[(i + N - 1) % N], valid[i], word[i]);
        end
    endgenerate
    assign first = word[0];
    assign middle = word[N / 2];
    assign last = word[N - 1];
endmodule
