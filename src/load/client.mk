# The client program abstracts-load: the record readers of src/load once more,
# compiled for client programs, and src/load/client.  Included by the top
# Makefile after PGXS, which cannot build a module and a program together.

ABST_CLIENT := abstracts-load
ABST_CLIENT_SHARED := $(filter-out src/load/sql.c,$(wildcard src/load/*.c))
ABST_CLIENT_OBJS := \
	$(patsubst src/load/%.c,src/load/client/shared_%.o,$(ABST_CLIENT_SHARED)) \
	$(patsubst %.c,%.o,$(wildcard src/load/client/*.c))
ABST_CLIENT_CPPFLAGS = -DFRONTEND -DABST_VERSION='"$(EXTVERSION)"' \
	-I$(srcdir)/src $(CPPFLAGS) -I$(includedir)

all: $(ABST_CLIENT)
install: install-abst-client
uninstall: uninstall-abst-client
clean distclean maintainer-clean: clean-abst-client

# libpgcommon and libpgport come with the server's development files.
$(ABST_CLIENT): $(ABST_CLIENT_OBJS)
	$(CC) $(CFLAGS) $^ -L$(pkglibdir) -lpgcommon -lpgport -L$(libdir) -lpq \
		$(LDFLAGS) -lm -o $@

src/load/client/shared_%.o: src/load/%.c
	$(CC) $(CFLAGS) $(ABST_CLIENT_CPPFLAGS) -c -o $@ $<

$(filter-out src/load/client/shared_%,$(ABST_CLIENT_OBJS)): \
src/load/client/%.o: src/load/client/%.c
	$(CC) $(CFLAGS) $(ABST_CLIENT_CPPFLAGS) -c -o $@ $<

$(ABST_CLIENT_OBJS): src/compat.h $(wildcard src/load/*.h src/load/client/*.h)

.PHONY: install-abst-client uninstall-abst-client clean-abst-client
install-abst-client: $(ABST_CLIENT)
	$(MKDIR_P) '$(DESTDIR)$(bindir)'
	$(INSTALL_PROGRAM) $(ABST_CLIENT) '$(DESTDIR)$(bindir)/$(ABST_CLIENT)'

uninstall-abst-client:
	rm -f '$(DESTDIR)$(bindir)/$(ABST_CLIENT)'

clean-abst-client:
	rm -f $(ABST_CLIENT) $(ABST_CLIENT_OBJS)
