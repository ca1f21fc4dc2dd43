# Makefile of the abstracts extension; `make help` lists the targets.
EXTENSION = abstracts
EXTVERSION := $(shell sed -n "s/^default_version *= *'\(.*\)'/\1/p" abstracts.control)
MODULE_big = abstracts
OBJS = $(patsubst %.c,%.o,$(sort $(wildcard src/*.c src/text/*.c src/query/*.c src/rank/*.c src/index/*.c src/am/*.c src/load/*.c)))
DATA = $(wildcard sql/abstracts--*.sql)
PGFILEDESC = "abstracts - ranked search in scientific abstracts"

PG_CPPFLAGS = -I$(srcdir)/src
# No contraction: the index and the operators must round alike.
PG_CFLAGS = -Wall -Wextra -Wno-unused-parameter -Wno-sign-compare -ffp-contract=off $(ABST_CFLAGS)

REGRESS = $(patsubst test/sql/%.sql,%,$(sort $(wildcard test/sql/*.sql)))
REGRESS_OPTS = --inputdir=test --load-extension=abstracts
ISOLATION = $(patsubst test/specs/%.spec,%,$(sort $(wildcard test/specs/*.spec)))
ISOLATION_OPTS = --inputdir=test --outputdir=. --load-extension=abstracts
TAP_TESTS = 1
PROVE_TESTS ?= test/t/*.pl

PG_CONFIG ?= pg_config
PGXS := $(shell $(PG_CONFIG) --pgxs)
include $(PGXS)

# PGXS tracks headers only when the server was built so; every object depends
# on every header: a full build takes seconds.
$(OBJS): $(wildcard src/*.h src/*/*.h)
