// RV64IMAC. Its boot ROM jumps to 0x10000000, on the bus that is not cached, where three instructions jump to the firmware in cached memory at 0x80000000. Results are
// written at 0x20000000. The debug module has the core's clock and is never asked.
module soc (input clk, output [31:0] result, output [31:0] rounds, output [63:0] hash);
    wire rst, m_arv, m_arr, m_rr, m_rv, m_rl, m_awv, m_awr, m_wv, m_wr, m_wl, m_br, m_bv, o_arv, o_arr, o_rr, o_rv, o_rl, o_awv, o_awr, o_wv, o_wr, o_wl, o_br, o_bv, active;
    wire [3:0] m_arid, m_rid, m_awid, m_bid, o_arid, o_rid, o_awid, o_bid;
    wire [31:0] m_ara, m_awa;
    wire [30:0] o_ara, o_awa;
    wire [7:0] m_arl, m_awl, m_ws, o_arl, o_awl, o_ws;
    wire [63:0] m_rd, m_wd, o_wd, o_hash;
    wire [31:0] ignored;
    ExampleRocketSystem cpu (.clock(clk), .reset(rst),
        .mem_axi4_0_ar_valid(m_arv), .mem_axi4_0_ar_ready(m_arr), .mem_axi4_0_ar_bits_id(m_arid), .mem_axi4_0_ar_bits_addr(m_ara), .mem_axi4_0_ar_bits_len(m_arl),
        .mem_axi4_0_r_valid(m_rv), .mem_axi4_0_r_ready(m_rr), .mem_axi4_0_r_bits_id(m_rid), .mem_axi4_0_r_bits_data(m_rd), .mem_axi4_0_r_bits_resp(2'd0),
        .mem_axi4_0_r_bits_last(m_rl), .mem_axi4_0_aw_valid(m_awv), .mem_axi4_0_aw_ready(m_awr), .mem_axi4_0_aw_bits_id(m_awid), .mem_axi4_0_aw_bits_addr(m_awa),
        .mem_axi4_0_aw_bits_len(m_awl), .mem_axi4_0_w_valid(m_wv), .mem_axi4_0_w_ready(m_wr), .mem_axi4_0_w_bits_data(m_wd), .mem_axi4_0_w_bits_strb(m_ws),
        .mem_axi4_0_w_bits_last(m_wl), .mem_axi4_0_b_valid(m_bv), .mem_axi4_0_b_ready(m_br), .mem_axi4_0_b_bits_id(m_bid), .mem_axi4_0_b_bits_resp(2'd0),
        .mmio_axi4_0_ar_valid(o_arv), .mmio_axi4_0_ar_ready(o_arr), .mmio_axi4_0_ar_bits_id(o_arid), .mmio_axi4_0_ar_bits_addr(o_ara), .mmio_axi4_0_ar_bits_len(o_arl),
        .mmio_axi4_0_r_valid(o_rv), .mmio_axi4_0_r_ready(o_rr), .mmio_axi4_0_r_bits_id(o_rid), .mmio_axi4_0_r_bits_data(jump), .mmio_axi4_0_r_bits_resp(2'd0),
        .mmio_axi4_0_r_bits_last(o_rl), .mmio_axi4_0_aw_valid(o_awv), .mmio_axi4_0_aw_ready(o_awr), .mmio_axi4_0_aw_bits_id(o_awid), .mmio_axi4_0_aw_bits_addr(o_awa),
        .mmio_axi4_0_aw_bits_len(o_awl), .mmio_axi4_0_w_valid(o_wv), .mmio_axi4_0_w_ready(o_wr), .mmio_axi4_0_w_bits_data(o_wd), .mmio_axi4_0_w_bits_strb(o_ws),
        .mmio_axi4_0_w_bits_last(o_wl), .mmio_axi4_0_b_valid(o_bv), .mmio_axi4_0_b_ready(o_br), .mmio_axi4_0_b_bits_id(o_bid), .mmio_axi4_0_b_bits_resp(2'd0),
        .l2_frontend_bus_axi4_0_aw_valid(1'b0), .l2_frontend_bus_axi4_0_aw_bits_id(8'd0), .l2_frontend_bus_axi4_0_aw_bits_addr(32'd0), .l2_frontend_bus_axi4_0_aw_bits_len(8'd0),
        .l2_frontend_bus_axi4_0_aw_bits_size(3'd0), .l2_frontend_bus_axi4_0_aw_bits_burst(2'd0), .l2_frontend_bus_axi4_0_aw_bits_lock(1'b0),
        .l2_frontend_bus_axi4_0_aw_bits_cache(4'd0), .l2_frontend_bus_axi4_0_aw_bits_prot(3'd0), .l2_frontend_bus_axi4_0_aw_bits_qos(4'd0),
        .l2_frontend_bus_axi4_0_w_valid(1'b0), .l2_frontend_bus_axi4_0_w_bits_data(64'd0), .l2_frontend_bus_axi4_0_w_bits_strb(8'd0), .l2_frontend_bus_axi4_0_w_bits_last(1'b0),
        .l2_frontend_bus_axi4_0_b_ready(1'b0), .l2_frontend_bus_axi4_0_ar_valid(1'b0), .l2_frontend_bus_axi4_0_ar_bits_id(8'd0), .l2_frontend_bus_axi4_0_ar_bits_addr(32'd0),
        .l2_frontend_bus_axi4_0_ar_bits_len(8'd0), .l2_frontend_bus_axi4_0_ar_bits_size(3'd0), .l2_frontend_bus_axi4_0_ar_bits_burst(2'd0),
        .l2_frontend_bus_axi4_0_ar_bits_lock(1'b0), .l2_frontend_bus_axi4_0_ar_bits_cache(4'd0), .l2_frontend_bus_axi4_0_ar_bits_prot(3'd0),
        .l2_frontend_bus_axi4_0_ar_bits_qos(4'd0), .l2_frontend_bus_axi4_0_r_ready(1'b0), .resetctrl_hartIsInReset_0(rst), .debug_clock(clk), .debug_reset(rst),
        .debug_clockeddmi_dmi_req_valid(1'b0), .debug_clockeddmi_dmi_req_bits_addr(7'd0), .debug_clockeddmi_dmi_req_bits_data(32'd0), .debug_clockeddmi_dmi_req_bits_op(2'd0),
        .debug_clockeddmi_dmi_resp_ready(1'b0), .debug_clockeddmi_dmiClock(clk), .debug_clockeddmi_dmiReset(rst), .debug_dmactive(active), .debug_dmactiveAck(active),
        .interrupts(8'd0));

    axi_memory #(.FIRMWARE("rv64imac_rocket.hex")) memory (.clk(clk), .rst(rst), .arv(m_arv), .arr(m_arr), .arid(m_arid), .ara(m_ara), .arl(m_arl), .rv(m_rv), .rr(m_rr), .rid(m_rid),
        .rd(m_rd), .rl(m_rl), .awv(m_awv), .awr(m_awr), .awid(m_awid), .awa(m_awa), .wv(m_wv), .wr(m_wr), .wd(m_wd), .ws(m_ws), .wl(m_wl), .bv(m_bv), .br(m_br), .bid(m_bid), .read(),
        .written(), .at(), .other({o_hash[31:0], o_hash[63:32]}), .hash(hash));
    wire [31:0] read, at;
    wire [63:0] jump = read[3] ? 64'h0000_0013_0002_8067 : 64'h01f2_9293_0010_0293;  // li t0, 1; slli t0, t0, 31; jr t0
    wire written;
    axi_memory places (.clk(clk), .rst(rst), .arv(o_arv), .arr(o_arr), .arid(o_arid), .ara({1'b0, o_ara}), .arl(o_arl), .rv(o_rv), .rr(o_rr), .rid(o_rid), .rd(), .rl(o_rl), .awv(o_awv),
        .awr(o_awr), .awid(o_awid), .awa({1'b0, o_awa}), .wv(o_wv), .wr(o_wr), .wd(o_wd), .ws(o_ws), .wl(o_wl), .bv(o_bv), .br(o_br), .bid(o_bid), .read(read), .written(written), .at(at),
        .other(64'd0), .hash(o_hash));
    rocket_results results (.clk(clk), .rst(rst), .written(written & at[29]), .d(o_wd[31:0]), .result(result), .rounds(rounds));
endmodule

module rocket_results (input clk, output rst, input written, input [31:0] d, output reg [31:0] result, output reg [31:0] rounds);
    reg [4:0] since = 0;
    assign rst = ~since[4];
    initial begin result = 0; rounds = 0; end
    always @(posedge clk) begin
        since <= since + rst;
        if (written) begin
            result <= d;
            rounds <= rounds + 1;
        end
    end
endmodule
