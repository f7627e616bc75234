# cost.mk - hw/: modules of what schemes add to an SM, against the C model and in gates.
.PHONY: recorder cost-rtl
# A leno with recorded schemes (tests/cost/window.h), which writes what modules repeat.
COSTSRC := $(sort $(wildcard tests/cost/*.c))
COSTOBJ := $(COSTSRC:%.c=$(BUILD)/%.o)
RECORDED := $(patsubst tests/cost/record_%.c,%_recorded,$(wildcard tests/cost/record_*.c))
COST    := $(BUILD)/tests/cost
$(COSTOBJ): MORE += -Itests/cost
$(COST)/gen/schemes.def: $(BUILD)/gen/schemes.def $(COSTSRC)
	@mkdir -p $(@D)
	@{ cat $<; printf 'SCHEME(%s)\n' $(RECORDED); } > $@
$(COST)/registry.o: src/sim/registry.c $(COST)/gen/schemes.def $(BUILD)/gen/skips.def $(BUILD)/gen/flags
	$(SAY) CC $@
	$(Q)$(CC) -I$(COST)/gen $(CFLAGS) -c -o $@ $<
$(COST)/leno: $(CLIOBJ) $(HOSTOBJ) $(COSTOBJ) $(COST)/registry.o $(BUILD)/libleno.a
	$(SAY) LD $@
	$(Q)$(CC) $(LDFLAGS) -o $@ $(filter %.o,$^) $(BUILD)/libleno.a $(LDLIBS)
recorder: $(COST)/leno
