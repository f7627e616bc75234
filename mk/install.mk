# install.mk - make install, the shared library behind include/leno.h, a Debian package.
PREFIX  ?= /usr/local
DESTDIR ?=
VERSION := $(shell sed -n 's/.*LENO_VERSION "\(.*\)"/\1/p' src/base/revision.h)
APIOBJ  := $(patsubst %.c,$(BUILD)/%.o,$(wildcard src/shim/leno/*.c))
$(APIOBJ): MORE += -Iinclude -I. -Isrc/driver

# It shows leno_* only: the driver's calls inside have the vendor's names.
$(BUILD)/lib/libleno.so.1: $(APIOBJ) $(HOSTOBJ) $(BUILD)/libleno.a
	@mkdir -p $(@D)
	$(SAY) LD $@
	$(Q)echo 'LENO_1 { global: leno_*; local: *; };' > $(BUILD)/gen/leno.map
	$(Q)$(CC) -shared $(LDFLAGS) -Wl,-soname,$(@F) -Wl,-z,defs \
	    -Wl,--version-script=$(BUILD)/gen/leno.map -o $@ $(filter %.o,$^) $(BUILD)/libleno.a $(LDLIBS) -lpthread -ldl
library: $(BUILD)/lib/libleno.so.1

install: all library
	BUILD=$(BUILD) VERSION=$(VERSION) tools/install.sh "$(DESTDIR)" "$(PREFIX)"

# For other machines than this one, so without this processor's instructions: PORTABLE=1.
deb: all library
	BUILD=$(BUILD) VERSION=$(VERSION) tools/deb.sh $(BUILD)/leno_$(VERSION).deb
.PHONY: library install deb
