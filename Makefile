# Makefile of the abstracts extension; "make help" lists the targets.

EXTENSION = abstracts
EXTVERSION := $(shell sed -n "s/^default_version *= *'\(.*\)'/\1/p" abstracts.control)
MODULE_big = abstracts
OBJS := $(patsubst %.c,%.o,$(sort $(wildcard src/*.c src/text/*.c \
	src/query/*.c src/rank/*.c src/index/*.c src/am/*.c src/load/*.c)))
DATA := $(wildcard sql/abstracts--*.sql)
PGFILEDESC = "abstracts - ranked search in scientific abstracts"

PG_CPPFLAGS = -I$(srcdir)/src
# No contraction: the index and the operators must round alike.
PG_CFLAGS = -Wall -Wextra -Wno-unused-parameter -Wno-sign-compare \
	-ffp-contract=off $(ABST_CFLAGS)

# Tests are test/sql and test/specs with expected/ at the top.  A name must
# not be that of a file in sql/: pg_regress looks there first.
REGRESS := $(patsubst test/sql/%.sql,%,$(sort $(wildcard test/sql/*.sql)))
REGRESS_OPTS = --inputdir=test --load-extension=abstracts
ISOLATION := $(patsubst test/specs/%.spec,%,$(sort $(wildcard test/specs/*.spec)))
ISOLATION_OPTS = --inputdir=test --outputdir=. --load-extension=abstracts
TAP_TESTS = 1
PROVE_TESTS ?= test/t/*.pl

EXTRA_CLEAN = abstracts-$(EXTVERSION).zip results log output_iso tmp_check \
	tmp_check_iso tmp_install regression.diffs regression.out .build

PG_CONFIG ?= pg_config
PGXS := $(shell $(PG_CONFIG) --pgxs)
ifeq ($(PGXS),)
$(error cannot run $(PG_CONFIG): install postgresql-server-dev, or set PG_CONFIG)
endif

# Code for the server's JIT is made only where its compiler is at hand.
ABST_PGLIBDIR := $(shell $(PG_CONFIG) --pkglibdir)
ABST_CLANG := $(shell sed -n 's/^CLANG *= *//p' \
	$(ABST_PGLIBDIR)/pgxs/src/Makefile.global 2>/dev/null)
ifeq ($(and $(ABST_CLANG),$(shell command -v $(ABST_CLANG) 2>/dev/null)),)
override with_llvm = no
endif

.DEFAULT_GOAL := all
include $(PGXS)

# PGXS tracks headers only when the server was built so; every object depends
# on every header: a full build takes seconds.
$(OBJS): $(wildcard src/*.h src/*/*.h)

# The loops over postings, as the server does for its checksums.
src/index/flat_prune.o src/index/flat_search.o src/index/flat_like.o \
	src/index/codec.o: override CFLAGS += $(CFLAGS_VECTORIZE)

# The loader program, with its own rules for all, install and clean.
-include src/load/client.mk

#-------------------------------------------------------------------------
# For developers
#-------------------------------------------------------------------------
.PHONY: help check-all lint format format-check demo dist start stop

help:
	@echo 'make                 build'
	@echo 'make install         install (DESTDIR= for a private folder)'
	@echo 'make installcheck    pg_regress, isolation and TAP tests against'
	@echo '                     a running server that has the extension'
	@echo 'make check-all       ./check: all tests, with a server of their own'
	@echo 'make demo            ./demo: load the shipped list and rank it'
	@echo 'make start, stop     a throwaway server for development'
	@echo 'make lint            rules of the source (test/lint)'
	@echo 'make format          lay out the C source with pg_bsd_indent'
	@echo 'make format-check    tell what "make format" would change'
	@echo 'make dist            the release archive, from the last commit'
	@echo 'make clean           remove what was built'
	@echo
	@echo 'PG_CONFIG=PATH builds for another PostgreSQL (15 to 18).'

check-all:
	./check

demo:
	./demo

lint:
	test/lint/run-lint

format:
	test/lint/format

format-check:
	test/lint/format --check

start:
	test/tmp-cluster start

stop:
	test/tmp-cluster stop

dist:
	git archive --format zip --prefix=abstracts-$(EXTVERSION)/ \
		--output abstracts-$(EXTVERSION).zip HEAD
