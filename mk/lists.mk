# lists.mk - generated lists (build/gen) and the stamp of flags.
# The file name is the registration: lists of subcommands, workloads and machines. A
# list is rewritten only when it changes.
define write_list
@mkdir -p $(@D)
@{ [ -z "$(strip $(2))" ] || printf '$(1)(%s)\n' $(2); } > $@.new
@cmp -s $@.new $@ && rm $@.new || mv $@.new $@
endef
# What was compiled otherwise is compiled anew.
$(BUILD)/gen/flags: FORCE
	@mkdir -p $(@D)
	@echo '$(CC) $(CFLAGS)' > $@.new
	@cmp -s $@.new $@ && rm $@.new || mv $@.new $@
# Names of SASS slots and fields. Every object may come to see them, so the stamp waits.
SASSNAMES := $(patsubst %,src/frontend/sass/decode/%,format.c modifiers.c format.h modifiers.h field.h \
             opcodes.def modifiers.def fields.def)
$(BUILD)/gen/flags: | $(BUILD)/gen/sass_names.h
$(BUILD)/gen/sass_names.h: tools/sass_names.c $(SASSNAMES)
	@mkdir -p $(@D)
	@$(CC) -std=c17 -Isrc -o $(BUILD)/gen/sass_names $(filter %.c,$^)
	@$(BUILD)/gen/sass_names > $@.new
	@cmp -s $@.new $@ && rm $@.new || mv $@.new $@
$(BUILD)/gen/commands.def: FORCE
	$(call write_list,COMMAND,$(patsubst src/cli/cmd_%.c,%,$(filter src/cli/cmd_%,$(CLI))))
$(BUILD)/gen/workloads.def: FORCE
	$(call write_list,WORKLOAD,$(patsubst workloads/%/host.c,%,$(HOSTS)))
$(BUILD)/gen/vortex_programs.def: FORCE
	$(call write_list,PROGRAM,$(patsubst workloads/vortex/%.c,%,$(sort $(wildcard workloads/vortex/*.c))))
$(BUILD)/gen/schemes.def: FORCE
	$(call write_list,SCHEME,$(patsubst src/scheme/%.c,%,$(sort $(wildcard src/scheme/*.c))))
$(BUILD)/gen/skips.def: FORCE
	$(call write_list,SKIP,$(patsubst src/skip/%.c,%,$(sort $(wildcard src/skip/*.c))))
$(BUILD)/src/sim/registry.o $(BUILD)/checked/src/sim/registry.o: $(BUILD)/gen/schemes.def $(BUILD)/gen/skips.def
$(BUILD)/gen/presets.def: $(PRESETS) tools/presets.sh FORCE
	@mkdir -p $(@D)
	@tools/presets.sh $(PRESETS) > $@.new
	@cmp -s $@.new $@ && rm $@.new || mv $@.new $@
$(BUILD)/src/config/preset.o: $(BUILD)/gen/presets.def
# Gates of the modules in hw/, as make cost-rtl has left them.
$(BUILD)/gen/rtl.def: hw/results.ini tools/rtl.sh
	@mkdir -p $(@D)
	@tools/rtl.sh $< > $@.new
	@mv $@.new $@
$(BUILD)/src/cost/area.o $(BUILD)/checked/src/cost/area.o: $(BUILD)/gen/rtl.def
$(BUILD)/gen/energies.def: $(ENERGIES) tools/presets.sh FORCE
	@mkdir -p $(@D)
	@tools/presets.sh $(ENERGIES) > $@.new
	@cmp -s $@.new $@ && rm $@.new || mv $@.new $@
$(BUILD)/src/cost/energy_profile.o: $(BUILD)/gen/energies.def
# Results belong to a revision of the source: a hash, so that it holds for edits too.
REVISED := $(sort $(shell find src workloads -name '*.[ch]' -o -name '*.def') $(ENERGIES))
$(BUILD)/gen/revision.def: FORCE
	@mkdir -p $(@D)
	@cat $(REVISED) | sha256sum | sed 's/^\(.\{12\}\).*/"\1"/' > $@.new
	@cmp -s $@.new $@ && rm $@.new || mv $@.new $@
$(BUILD)/src/base/revision.o: $(BUILD)/gen/revision.def
$(BUILD)/src/cli/main.o: $(BUILD)/gen/commands.def
$(BUILD)/src/session/workloads.o: $(BUILD)/gen/workloads.def $(BUILD)/gen/vortex_programs.def
.PHONY: FORCE
FORCE:
# HTML pages as bytes of C (src/session/pages).
$(BUILD)/gen/page_%.inc: src/session/pages/%.html
	@mkdir -p $(@D)
	@{ od -An -v -tu1 $< | sed 's/  */,/g; s/^,//; s/$$/,/'; echo 0; } > $@
$(BUILD)/src/session/page_template.o: $(addprefix $(BUILD)/gen/page_,hot.inc view.inc report.inc)
