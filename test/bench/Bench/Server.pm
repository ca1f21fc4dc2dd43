#-------------------------------------------------------------------------
#
# Bench/Server.pm
#		The PostgreSQL server of the benchmark: documents, indexes, builds.
#
#-------------------------------------------------------------------------
package Bench::Server;

use strict;
use warnings;
use Digest::SHA;
use Time::HiRes qw(time);
use AbstCluster;
use Bench::Tools;

# Indexes: the peer it belongs to ("" is ours), its name, the table, what
# CREATE INDEX says, the extension it needs, the server version since which it
# is built by workers too.
my @indexes = (
	{
		peer => '', name => 'abstracts', table => 'docs', parallel => 15,
		definition => "USING abstracts (doc) WITH (config = 'pg_catalog.simple')"
	},
	{
		peer => '', name => 'abstracts on text', table => 'docs', build_only => 1,
		parallel => 15,
		definition => "USING abstracts (body) WITH (config = 'pg_catalog.simple')"
	},
	{
		peer => 'GIN', name => 'GIN', table => 'docs', parallel => 18,
		definition => 'USING gin (doc)'
	},
	{
		peer => 'RUM', name => 'RUM', table => 'docs', extension => 'rum',
		definition => 'USING rum (doc rum_tsvector_ops)'
	},
	{
		peer => 'pg_textsearch', name => 'pg_textsearch', table => 'docs',
		extension => 'pg_textsearch', preload => 1, parallel => 17,
		definition => "USING bm25 (body) WITH (text_config = 'simple')"
	},
	{
		peer => 'pg_fts', name => 'pg_fts', table => 'docs_ftsdoc',
		extension => 'pg_fts', parallel => 17, definition => 'USING fts (doc)'
	});

# Options: wanted (a function that says whether a peer was asked for), install
# (where abstracts must come from), cores (all that builds may use), pinned.
sub new
{
	my ($class, %self) = @_;
	my $self = bless { %self, indexes => [], version => {} }, $class;
	$self->{node} = AbstCluster->new('bench');
	# some work only if they are loaded with the server
	my $preload = join ', ', map { $_->{extension} } grep {
		$_->{preload} && $self->{wanted}->($_->{peer})
		  && -e AbstCluster::pg_config('sharedir') . "/extension/$_->{extension}.control"
	} @indexes;
	$self->{node}->init(conf => "shared_preload_libraries = '$preload'\n" . <<'CONF');
shared_buffers = 1GB
maintenance_work_mem = 256MB
max_wal_size = 8GB
checkpoint_timeout = 1h
autovacuum = off
jit = off
max_parallel_workers_per_gather = 0
max_parallel_maintenance_workers = 0
fsync = off
CONF
	$self->{node}->start;
	$self->{node}->safe_psql('CREATE EXTENSION abstracts');
	$self->_choose_indexes;
	return $self;
}

sub node { return $_[0]->{node}; }

# Does the server have this peer, and was it asked for?
sub has
{
	my ($self, $peer) = @_;
	return scalar grep { $_->{peer} eq $peer } @{ $self->{indexes} };
}

# Names and versions of what is compared.
sub versions
{
	my ($self) = @_;
	return map { "$_ $self->{version}{$_}" } sort keys %{ $self->{version} };
}

# Say aloud which peers there are not.
sub _choose_indexes
{
	my ($self) = @_;
	for my $index (@indexes)
	{
		my $extension = $index->{extension};
		next if $index->{peer} && !$self->{wanted}->($index->{peer});
		if ($extension)
		{
			my $version = $self->{node}->safe_psql('SELECT default_version FROM '
				  . "pg_available_extensions WHERE name = '$extension'");
			my ($status, undef, $error) =
			  $version
			  ? $self->{node}->psql("CREATE EXTENSION $extension")
			  : (1, '', 'not installed');
			if ($status != 0)
			{
				my ($why) = split /\n/, $error;
				say_out("$index->{peer}: skipped ($why)\n");
				next;
			}
			$self->{version}{ $index->{peer} } = $version;
		}
		push @{ $self->{indexes} }, $index;
	}
	return;
}

sub load_documents
{
	my ($self, $path) = @_;
	my $node = $self->{node};
	chmod 0755, scratch();
	$node->safe_psql(<<"SQL");
CREATE UNLOGGED TABLE raw (id int, body text);
COPY raw FROM '$path';
CREATE TABLE docs AS
  SELECT id, body, to_tsvector('simple', body) AS doc FROM raw ORDER BY id;
DROP TABLE raw;
CREATE INDEX docs_id ON docs (id);
SQL
	# a table of its own, so that the rows of the others grow no longer
	$node->safe_psql(<<'SQL') if $self->has('pg_fts');
CREATE TABLE docs_ftsdoc AS
  SELECT id, to_ftsdoc('simple', body) AS doc FROM docs ORDER BY id;
SQL
	return;
}

# The server has the library that was just built; says which it is.
sub check_library
{
	my ($self) = @_;
	my $session = $self->{node}->session('postgres');
	my $pid = $session->backend_pid;
	# LOAD would look elsewhere than the functions do
	$session->query("SELECT abstract_plain('a')");
	my ($path) = slurp("/proc/$pid/maps") =~ m{(/\S*/abstracts\.so)$}m;
	$session->quit;
	die "the server has loaded no abstracts.so\n" unless $path;
	die "the server has loaded $path, which is not below $self->{install}\n"
	  unless index($path, "$self->{install}/") == 0;
	open(my $library, '<:raw', $path) or die "$path: $!\n";
	my $sum = Digest::SHA->new(256)->addfile($library)->hexdigest;
	say_out('abstracts.so ', substr($sum, 0, 12), "\n");
	return;
}

#-------------------------------------------------------------------------
# Builds
#-------------------------------------------------------------------------

sub _relation { return 'docs_' . lc($_[0]->{name} =~ tr/ /_/r); }

# Build an index anew; seconds and the most private memory (MB).
sub _build
{
	my ($self, $index, $workers) = @_;
	my $relation = _relation($index);
	$self->{node}->safe_psql("DROP INDEX IF EXISTS $relation; CHECKPOINT");
	my $session = $self->{node}->session('postgres');
	my $pid = $session->backend_pid;
	$session->query("SET max_parallel_maintenance_workers = $workers");
	my $start = time;
	$session->send("CREATE INDEX $relation ON $index->{table} $index->{definition}");
	my $memory = watch_memory($pid, sub { $session->ready($_[0]) }, $workers);
	my $seconds = time - $start;
	my $out = $session->wait;
	$session->quit;
	die $out if $out =~ /ERROR/;
	return ($seconds, $memory);
}

# The same with workers, which may use all cores.
sub _build_parallel
{
	my ($self, $index, $workers) = @_;
	my $pid = $self->{node}->pid;
	my $pinned = $self->{pinned};
	set_cores($self->{cores}, $pid) if defined $pinned;
	$self->{node}->safe_psql("ALTER TABLE $index->{table} SET (parallel_workers = $workers)");
	my @figures = $self->_build($index, $workers);
	$self->{node}->safe_psql("ALTER TABLE $index->{table} RESET (parallel_workers)");
	set_cores($pinned, $pid) if defined $pinned;
	return @figures;
}

sub _parallel
{
	my ($index, $workers) = @_;
	return $workers && AbstCluster::server_version() >= ($index->{parallel} // 99);
}

# Build all, with workers and without; of each a hash of name, size (MB),
# serial and parallel (seconds), memory and parallel_memory (MB).  The index
# that is kept is one of a serial build.
sub build_indexes
{
	my ($self, $builds, $workers) = @_;
	my %all;
	for my $index ((@{ $self->{indexes} }) x $builds)
	{
		my $of = $all{ $index->{name} } ||= {};
		my $relation = _relation($index);
		_note($of, 'parallel', $self->_build_parallel($index, $workers))
		  if _parallel($index, $workers);
		_note($of, 'serial', $self->_build($index, 0));
		$of->{size} = $self->{node}->safe_psql("SELECT pg_relation_size('$relation')") / 1048576;
		$self->{node}->safe_psql("DROP INDEX $relation") if $index->{build_only};
	}
	$self->{node}->safe_psql('VACUUM ANALYZE');
	return map {
		my $of = $all{ $_->{name} };
		{
			name => $_->{name},
			size => $of->{size},
			serial => _median_of($of->{serial}),
			memory => _median_of($of->{serial_memory}),
			parallel => _median_of($of->{parallel}),
			parallel_memory => _median_of($of->{parallel_memory})
		}
	} @{ $self->{indexes} };
}

sub _note
{
	my ($of, $kind, $seconds, $memory) = @_;
	push @{ $of->{$kind} }, $seconds;
	push @{ $of->{"${kind}_memory"} }, $memory;
	return;
}

sub _median_of
{
	my ($list) = @_;
	return $list ? median(@$list) : undef;
}

1;
