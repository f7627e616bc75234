# cost.mk - hw/: modules of what schemes add to an SM, against the C model and in gates.
.PHONY: recorder cost-rtl
# A leno with recorded schemes (tests/cost/window.h), which writes what modules repeat.
COSTSRC := $(sort $(wildcard tests/cost/*.c))
COSTOBJ := $(COSTSRC:%.c=$(BUILD)/%.o)
RECORDED := $(patsubst tests/cost/record_%.c,%_recorded,$(wildcard tests/cost/record_*.c))
ELIMINATED := $(patsubst tests/cost/skip_%.c,%_recorded,$(wildcard tests/cost/skip_*.c))
COST    := $(BUILD)/tests/cost
$(COSTOBJ): MORE += -Itests/cost
$(COST)/gen/schemes.def: $(BUILD)/gen/schemes.def $(COSTSRC)
	@mkdir -p $(@D)
	@{ cat $<; printf 'SCHEME(%s)\n' $(RECORDED); } > $@
$(COST)/gen/skips.def: $(BUILD)/gen/skips.def $(COSTSRC)
	@mkdir -p $(@D)
	@{ cat $<; printf 'SKIP(%s)\n' $(ELIMINATED); } > $@
$(COST)/registry.o: src/sim/registry.c $(COST)/gen/schemes.def $(COST)/gen/skips.def $(BUILD)/gen/flags
	$(SAY) CC $@
	$(Q)$(CC) -I$(COST)/gen $(CFLAGS) -c -o $@ $<
$(COST)/leno: $(CLIOBJ) $(HOSTOBJ) $(COSTOBJ) $(COST)/registry.o $(BUILD)/libleno.a
	$(SAY) LD $@
	$(Q)$(CC) $(LDFLAGS) -o $@ $(filter %.o,$^) $(BUILD)/libleno.a $(LDLIBS)
recorder: $(COST)/leno
cycle: $(COST)/leno
# Yosys, Verilator, OpenSTA and the osu018 cells are needed for this alone (tools/deps.sh rtl).
# Every module in step with the C model, then in gates: hw/results.ini, which is committed.
HWTOPS := $(shell awk '!/^\#/ { print $$2 }' hw/modules.txt)
cost-rtl: recorder
	$(Q)tools/deps.sh rtl
	$(Q)for top in $(HWTOPS); do hw/lockstep.sh $(BUILD) $$top || exit 1; done
	$(Q)sed -n '/^;/p' hw/results.ini > $(BUILD)/hw/results.ini; echo >> $(BUILD)/hw/results.ini
	$(Q)for top in $(HWTOPS); do hw/synth.sh $(BUILD) $$top >> $(BUILD)/hw/results.ini || exit 1; done
	$(Q)mv $(BUILD)/hw/results.ini hw/results.ini
