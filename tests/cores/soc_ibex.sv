// RV32IMC with its own clock gate. The scrambling keys of the cache, which is left out, are there since their absence reads signals before they are.
module soc (input clk, output [31:0] result, output [31:0] rounds, output [63:0] hash);
    wire rst_n, i_cyc, i_ack, d_cyc, d_ack, d_we;
    wire [31:0] i_adr, i_rdt, d_adr, d_dat, d_rdt;
    wire [3:0] d_sel;
    ibex_top #(.ICacheScramble(1'b1)) cpu (.clk_i(clk), .rst_ni(rst_n), .test_en_i(1'b0), .ram_cfg_i('0), .hart_id_i(32'd0), .boot_addr_i(32'd0),
        .instr_req_o(i_cyc), .instr_gnt_i(~i_ack), .instr_rvalid_i(i_ack), .instr_addr_o(i_adr), .instr_rdata_i(i_rdt), .instr_rdata_intg_i(7'd0),
        .instr_err_i(1'b0), .data_req_o(d_cyc), .data_gnt_i(~d_ack), .data_rvalid_i(d_ack), .data_we_o(d_we), .data_be_o(d_sel), .data_addr_o(d_adr),
        .data_wdata_o(d_dat), .data_wdata_intg_o(), .data_rdata_i(d_rdt), .data_rdata_intg_i(7'd0), .data_err_i(1'b0), .irq_software_i(1'b0),
        .irq_timer_i(1'b0), .irq_external_i(1'b0), .irq_fast_i(15'd0), .irq_nm_i(1'b0), .scramble_key_valid_i(1'b1), .scramble_key_i('0),
        .scramble_nonce_i('0), .scramble_req_o(), .debug_req_i(1'b0), .crash_dump_o(), .double_fault_seen_o(),
        .fetch_enable_i(ibex_pkg::IbexMuBiOn), .alert_minor_o(), .alert_major_internal_o(), .alert_major_bus_o(), .core_sleep_o(), .scan_rst_ni(1'b1));
    bus_memory #(.FIRMWARE("rv32imc_80.hex")) memory(.clk(clk), .rst(), .rst_n(rst_n), .i_cyc(i_cyc), .i_adr(i_adr), .i_ack(i_ack), .i_rdt(i_rdt), .d_cyc(d_cyc),
        .d_adr(d_adr), .d_we(d_we), .d_sel(d_sel), .d_dat(d_dat), .d_ack(d_ack), .d_rdt(d_rdt), .result(result), .rounds(rounds), .hash(hash));
endmodule
