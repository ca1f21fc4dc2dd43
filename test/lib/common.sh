# common.sh
#		What ./demo, ./check and test/tmp-cluster share: find or install
#		PostgreSQL, build, install into a private folder, run a throwaway server.
#
# To be sourced by bash with "top" set to the source tree.  Promises: nothing
# outside of the tree's .build folder and one temporary folder is written,
# but for Debian packages that were missing; the network is used only then;
# servers run as "postgres" when the caller is root, else as the caller; a
# server started here is stopped and its folder removed when the script ends,
# unless "keep" was set.  Two scripts may run at once in one tree.

# shellcheck shell=bash
: "${top:?}"
umask 022
export LC_ALL=C.UTF-8
unset LANGUAGE
# Settings meant for other servers, and other make runs, must not leak in.
for abst_name in $(compgen -e PG || true); do
	[ "$abst_name" = PG_CONFIG ] || unset "$abst_name"
done
unset MAKEFLAGS MAKELEVEL MFLAGS CDPATH

base=
keep=
abst_versions='18 17 16 15'

say() { printf '%s\n' "$*" >&2; }
die() { say "$(basename "$0"): $*"; exit 1; }

# Run a command as the user that owns servers and tests.
as_postgres()
{
	if [ "$(id -u)" = 0 ]; then
		runuser -u postgres -- "$@"
	else
		"$@"
	fi
}

#------------------------------------------------------------------------
# Finding and installing
#------------------------------------------------------------------------

# Has version $1 of Debian's packages a server (and what building needs)?
abst_has_server() { [ -x "/usr/lib/postgresql/$1/bin/postgres" ]; }
abst_has_dev()
{
	[ -f "/usr/lib/postgresql/$1/lib/pgxs/src/makefiles/pgxs.mk" ] &&
		[ -f "/usr/include/postgresql/$1/server/postgres.h" ]
}

abst_apt()
{
	local sudo=
	if [ "$(id -u)" != 0 ]; then
		sudo=$(command -v sudo) || die "packages are missing and there is no" \
			"sudo; as root: apt-get install $abst_missing"
	fi
	${sudo:+"$sudo"} env DEBIAN_FRONTEND=noninteractive \
		apt-get -qq -y -o Dpkg::Use-Pty=0 "$@" </dev/null >&2
}

abst_candidate()
{
	apt-cache policy "$1" 2>/dev/null |
		grep -q '^ *Candidate: [0-9]'
}

# Choose a version: a complete one, else one with a server, else the newest
# that apt offers.  Sets abst_version.
abst_choose()
{
	local v again
	for v in $abst_versions; do
		if abst_has_server "$v" && abst_has_dev "$v"; then
			abst_version=$v
			return 0
		fi
	done
	for v in $abst_versions; do
		if abst_has_server "$v"; then
			abst_version=$v
			return 0
		fi
	done
	command -v apt-get >/dev/null ||
		die "PostgreSQL 15 to 18 was not found; set PG_CONFIG"
	for again in '' yes; do
		for v in $abst_versions; do
			if abst_candidate "postgresql-$v"; then
				abst_version=$v
				return 0
			fi
		done
		[ -z "$again" ] || break
		say "reading the package lists"
		abst_apt update || say "some package lists are not to be had"
	done
	die "apt offers none of PostgreSQL 15 to 18; set PG_CONFIG"
}

# Install the packages in abst_missing.  Debian would create and start a
# server "main" along with its first server package; nobody asked for that
# one, so it is told not to for as long as this takes.
abst_install()
{
	local no_main=/etc/postgresql-common/createcluster.d/abstracts-tmp.conf
	local sudo=
	[ "$(id -u)" = 0 ] || sudo=sudo
	say "installing $abst_missing"
	case $abst_missing in
	*postgresql-[0-9]*)
		$sudo mkdir -p "${no_main%/*}"
		echo 'create_main_cluster = false' |
			$sudo tee "$no_main" >/dev/null
		;;
	*) no_main= ;;
	esac
	local status=0
	# shellcheck disable=SC2086
	abst_apt install --no-install-recommends $abst_missing 2>/dev/null ||
		{
			abst_apt update || say "some package lists are not to be had"
			abst_apt install --no-install-recommends $abst_missing
		} || status=$?
	[ -z "$no_main" ] || $sudo rm -f "$no_main"
	[ "$status" = 0 ] || die "apt could not install $abst_missing"
}

# Have all that building and running needs ("$@": more programs, as
# program:package); sets PG_CONFIG, bindir, pgversion, pgmajor.
abst_prepare()
{
	local want
	abst_missing=
	if [ -z "${PG_CONFIG:-}" ]; then
		abst_choose
		PG_CONFIG=/usr/lib/postgresql/$abst_version/bin/pg_config
		abst_has_server "$abst_version" ||
			abst_missing="$abst_missing postgresql-$abst_version"
		abst_has_dev "$abst_version" ||
			abst_missing="$abst_missing postgresql-server-dev-$abst_version"
		[ -f /usr/include/postgresql/libpq-fe.h ] ||
			abst_missing="$abst_missing libpq-dev"
	fi
	export PG_CONFIG
	for want in gcc:gcc make:make "$@"; do
		command -v "${want%%:*}" >/dev/null ||
			abst_missing="$abst_missing ${want#*:}"
	done
	# gcc alone brings no C library headers.
	[ -f /usr/include/stdio.h ] || abst_missing="$abst_missing libc6-dev"
	abst_missing=${abst_missing# }
	[ -z "$abst_missing" ] || abst_install
	bindir=$("$PG_CONFIG" --bindir) || die "cannot run $PG_CONFIG"
	pgversion=$("$PG_CONFIG" --version | sed 's/^[^0-9]*//; s/[ (].*//')
	pgmajor=$(printf '%s' "$pgversion" | sed 's/[^0-9].*//')
	case " $abst_versions " in
	*" $pgmajor "*) ;;
	*) die "PostgreSQL $pgversion is none of 15 to 18" ;;
	esac
	[ -x "$bindir/postgres" ] || die "there is no server in $bindir"
	PATH=$bindir:$PATH
}

#------------------------------------------------------------------------
# Building
#------------------------------------------------------------------------

# Make "$1" a copy of the tree's files: times kept, objects left out, files
# gone from the tree gone from the copy.
abst_copy()
{
	local to=$1 name
	mkdir -p "$to"
	tar -C "$top" -cf - --exclude=./.git --exclude=./.build \
		--exclude='./tmp_*' --exclude=./results --exclude=./log \
		--exclude=./output_iso --exclude='*.o' --exclude='*.so' \
		--exclude='*.bc' --exclude=./abstracts-load . |
		tar -C "$to" -xf - --no-same-owner
	# (An object without a source is no harm: nothing links it.)
	(cd "$to" && find src sql test -type f ! -name '*.o' ! -name '*.so') |
		while IFS= read -r name; do
			[ -e "$top/$name" ] || rm -f "$to/$name"
		done
}

# Build in .build and install into $base/install.  $1 names the build, $2
# are further compiler flags; the test modules are built when $3 is set.
# Returns make's status; its output goes to standard output.
abst_build()
{
	local build="$top/.build/$pgversion-$1" flags=$2 module status=0
	mkdir -p "$build"
	(
		flock 9
		abst_copy "$build"
		make -s -C "$build" -j"$(nproc)" with_llvm=no COPT="$flags" &&
			make -s -C "$build" with_llvm=no DESTDIR="$base/install" install ||
			exit 1
		[ -n "${3:-}" ] || exit 0
		for module in "$build"/test/modules/*/; do
			[ -f "$module/Makefile" ] || continue
			make -s -C "$module" with_llvm=no COPT="$flags" &&
				make -s -C "$module" with_llvm=no DESTDIR="$base/install" \
					install || exit 1
		done
	) 9>"$top/.build/lock" 2>&1 || status=1
	ABST_INSTALL=$base/install
	export ABST_INSTALL
	PATH=$ABST_INSTALL$bindir:$PATH
	return $status
}

#------------------------------------------------------------------------
# The throwaway server
#------------------------------------------------------------------------

# A temporary folder that "postgres" can read; removed at the end.
abst_begin()
{
	local tmp=${TMPDIR:-/tmp}
	# A socket's path must stay below 108 bytes.
	[ ${#tmp} -lt 60 ] || tmp=/tmp
	base=$(mktemp -d "$tmp/abst-XXXXXX")
	chmod 755 "$base"
	mkdir "$base/scratch" "$base/run"
	[ "$(id -u)" != 0 ] || chown postgres "$base/scratch" "$base/run"
	trap abst_end EXIT
	trap 'exit 129' HUP
	trap 'exit 130' INT
	trap 'exit 143' TERM
}

# Stop the server in folder $1 and remove the folder.
abst_remove()
{
	if [ -f "$1/run/data/postmaster.pid" ]; then
		(cd / && as_postgres "$bindir/pg_ctl" -D "$1/run/data" -w \
			-m immediate stop >/dev/null 2>&1) || true
	fi
	rm -rf "$1"
}

abst_end()
{
	local status=$?
	trap '' HUP INT TERM
	[ -z "$base" ] || [ -n "$keep" ] || abst_remove "$base"
	exit $status
}

# Lines for postgresql.conf that make the server find the private install.
abst_conf()
{
	if [ "$pgmajor" -ge 18 ]; then
		echo "extension_control_path = '$1$("$PG_CONFIG" --sharedir):\$system'"
		echo "dynamic_library_path = '$1$("$PG_CONFIG" --pkglibdir):\$libdir'"
	elif (cd / && as_postgres "$bindir/postgres" --describe-config) |
		grep '^extension_destdir' >/dev/null; then
		echo "extension_destdir = '$1'"
	elif [ -w "$("$PG_CONFIG" --pkglibdir)" ]; then
		say "this server has no extension_destdir: installing into its folders"
		cp -R "$1/." /
	else
		die "this server can load extensions only from its own folders," \
			"which $(id -un) may not write to"
	fi
}

# Start a server in $base/run, its socket there; sets PGHOST and so on.
abst_start()
{
	local dir=$base/run conf
	conf=$(abst_conf "$base/install") || exit 1
	cd /
	as_postgres "$bindir/initdb" -D "$dir/data" -U postgres -A trust -E UTF8 \
		--locale=C.UTF-8 --no-sync >"$base/initdb.log" 2>&1 ||
		{ cat "$base/initdb.log" >&2; die "initdb failed"; }
	as_postgres tee -a "$dir/data/postgresql.conf" >/dev/null <<CONF
listen_addresses = ''
unix_socket_directories = '$dir'
port = 5432
fsync = off
jit = off
$conf
CONF
	as_postgres "$bindir/pg_ctl" -D "$dir/data" -l "$dir/log" -w start \
		>"$base/start.log" 2>&1 ||
		{ cat "$base/start.log" "$dir/log" >&2; die "the server did not start"; }
	cd "$top" || exit 1
	export PGHOST=$dir PGPORT=5432 PGUSER=postgres PGDATABASE=postgres
}
