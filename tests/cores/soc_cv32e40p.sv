// RV32IMC without the extensions of PULP, with its own clock gate.
module soc (input clk, output [31:0] result, output [31:0] rounds, output [63:0] hash);
    wire rst_n, i_cyc, i_ack, d_cyc, d_ack, d_we;
    wire [31:0] i_adr, i_rdt, d_adr, d_dat, d_rdt;
    wire [3:0] d_sel;
    cv32e40p_top cpu (.clk_i(clk), .rst_ni(rst_n), .pulp_clock_en_i(1'b0), .scan_cg_en_i(1'b0), .boot_addr_i(32'd0), .mtvec_addr_i(32'd0),
        .dm_halt_addr_i(32'd0), .hart_id_i(32'd0), .dm_exception_addr_i(32'd0), .instr_req_o(i_cyc), .instr_gnt_i(~i_ack), .instr_rvalid_i(i_ack),
        .instr_addr_o(i_adr), .instr_rdata_i(i_rdt), .data_req_o(d_cyc), .data_gnt_i(~d_ack), .data_rvalid_i(d_ack), .data_we_o(d_we), .data_be_o(d_sel),
        .data_addr_o(d_adr), .data_wdata_o(d_dat), .data_rdata_i(d_rdt), .irq_i(32'd0), .irq_ack_o(), .irq_id_o(), .debug_req_i(1'b0),
        .debug_havereset_o(), .debug_running_o(), .debug_halted_o(), .fetch_enable_i(1'b1), .core_sleep_o());
    bus_memory #(.FIRMWARE("rv32imc.hex")) memory(.clk(clk), .rst(), .rst_n(rst_n), .i_cyc(i_cyc), .i_adr(i_adr), .i_ack(i_ack), .i_rdt(i_rdt), .d_cyc(d_cyc),
        .d_adr(d_adr), .d_we(d_we), .d_sel(d_sel), .d_dat(d_dat), .d_ack(d_ack), .d_rdt(d_rdt), .result(result), .rounds(rounds), .hash(hash));
endmodule
