# sta.tcl - the longest path between flip-flops of a netlist: LIBERTY, NETLIST and TOP are
# environment variables. No wires, ideal clock.
read_liberty $env(LIBERTY)
read_verilog $env(NETLIST)
link_design $env(TOP)
create_clock -name clk -period 1 clk
set_input_delay 0 -clock clk [all_inputs]
set_output_delay 0 -clock clk [all_outputs]
report_checks -path_delay max -digits 3
exit
