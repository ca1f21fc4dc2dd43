#-------------------------------------------------------------------------
#
# AbstCluster.pm
#		Throwaway PostgreSQL servers for the TAP tests.
#
# A server lives in a folder of its own below the system's temporary folder
# and listens on a unix socket in that folder only, so any number of tests
# may run at once.  Started by root, every server process runs as the user
# "postgres".  Servers that a test leaves behind are stopped, and their
# folders removed, when the test ends, however it ends; the folder is kept
# when the test failed and ABST_KEEP is set.
#
# Needs nothing beyond Perl itself.  The extension is taken from the private
# folder named by ABST_INSTALL (what "make install DESTDIR=..." filled), or
# from the server's own folders when that is not set.
#
#-------------------------------------------------------------------------
package AbstCluster;

use strict;
use warnings;

use Carp qw(croak);
use Cwd qw(abs_path);
use File::Basename qw(dirname);
use File::Path qw(remove_tree);
use File::Temp qw(tempdir);
use POSIX ();
use Time::HiRes qw(sleep time);

# Seconds that any wait takes before it gives up.
our $timeout = $ENV{ABST_TEST_TIMEOUT} || 180;

my %nodes;
my $owner = $$;
my $pg_config = $ENV{PG_CONFIG} || 'pg_config';
my %config;

# A value of pg_config, such as "bindir".
sub pg_config
{
	my ($name) = @_;
	if (!defined $config{$name})
	{
		my $value = `$pg_config --$name`;
		croak "cannot run $pg_config --$name" if $? != 0;
		chomp $value;
		$config{$name} = $value;
	}
	return $config{$name};
}

# The major version of the server.
sub server_version
{
	my ($major) = pg_config('version') =~ /(\d+)/;
	return $major;
}

# The top of the source tree.
sub top
{
	return abs_path(dirname(__FILE__) . '/../..');
}

sub _drop_root
{
	return $> == 0 ? ('runuser', '-u', 'postgres', '--') : ();
}

# Path of a server or client program.
sub program
{
	my ($name) = @_;
	return pg_config('bindir') . "/$name";
}

# Run a program as the server's user; returns (status, stdout, stderr).
# Standard input is $input, or empty.
sub run_command
{
	my ($command, $input, %env) = @_;
	local %ENV = (%ENV, %env);
	my $dir = tempdir('abst-cmd-XXXXXX', TMPDIR => 1, CLEANUP => 0);
	my ($in, $out, $err) = map { "$dir/$_" } qw(in out err);
	open(my $fh, '>:raw', $in) or croak "cannot write $in: $!";
	print $fh (defined $input ? $input : '');
	close $fh;
	my $pid = fork();
	croak "cannot fork: $!" unless defined $pid;

	if ($pid == 0)
	{
		open(STDIN, '<', $in) && open(STDOUT, '>', $out)
		  && open(STDERR, '>', $err)
		  or POSIX::_exit(126);
		chdir '/' if $> == 0;
		exec(_drop_root(), @$command) or POSIX::_exit(127);
	}
	waitpid($pid, 0);
	my $status = $?;
	my @text = map { _slurp($_) } ($out, $err);
	remove_tree($dir);
	return ($status & 127 ? 128 + ($status & 127) : $status >> 8, @text);
}

sub _slurp
{
	my ($path) = @_;
	open(my $fh, '<:raw', $path) or return '';
	local $/;
	my $text = <$fh>;
	return defined $text ? $text : '';
}

sub _must
{
	my ($self, @command) = @_;
	my ($status, $out, $err) = run_command(\@command);
	croak "node " . $self->{name} . ": @command failed:\n$out$err"
	  if $status != 0;
	return $out;
}

#-------------------------------------------------------------------------
# Making and unmaking
#-------------------------------------------------------------------------

# A server that does not exist yet.
sub new
{
	my ($class, $name) = @_;
	$name = 'main' unless defined $name;
	my $base = tempdir("abst-$name-XXXXXX", TMPDIR => 1, CLEANUP => 0);
	chmod 0755, $base;
	if ($> == 0)
	{
		my (undef, undef, $uid, $gid) = getpwnam('postgres')
		  or croak 'there is no user "postgres"';
		chown $uid, $gid, $base;
	}
	my $self = bless {
		name => $name,
		base => $base,
		data => "$base/data",
		host => $base,
		port => 5432,
		running => 0,
	}, $class;
	$nodes{$base} = $self;
	return $self;
}

sub name     { return $_[0]->{name}; }
sub data_dir { return $_[0]->{data}; }
sub base_dir { return $_[0]->{base}; }
sub host     { return $_[0]->{host}; }
sub port     { return $_[0]->{port}; }
sub logfile  { return $_[0]->{base} . '/log'; }

# A connection string for libpq programs.
sub connstr
{
	my ($self, $dbname) = @_;
	$dbname = 'postgres' unless defined $dbname;
	return sprintf 'host=%s port=%d user=postgres dbname=%s',
	  $self->host, $self->port, $dbname;
}

# The environment that makes libpq programs connect here.
sub env
{
	my ($self, $dbname) = @_;
	return (
		PGHOST => $self->host,
		PGPORT => $self->port,
		PGUSER => 'postgres',
		PGDATABASE => defined $dbname ? $dbname : 'postgres',
		PGAPPNAME => 'abst-test',
		PGCLIENTENCODING => 'UTF8');
}

# Settings that let a server load the extension from the private folder.
sub install_conf
{
	my $install = $ENV{ABST_INSTALL};
	return '' unless defined $install && $install ne '';
	if (server_version() >= 18)
	{
		return
		    "extension_control_path = '$install"
		  . pg_config('sharedir')
		  . ":\$system'\n"
		  . "dynamic_library_path = '$install"
		  . pg_config('pkglibdir')
		  . ":\$libdir'\n";
	}
	return "extension_destdir = '$install'\n";
}

# Create the cluster.  Options: conf => lines for postgresql.conf,
# initdb => [further arguments of initdb], encoding, locale.
sub init
{
	my ($self, %opt) = @_;
	$self->_must(
		program('initdb'), '-D',
		$self->{data}, '-U',
		'postgres', '-A',
		'trust', '-E',
		$opt{encoding} || 'UTF8',
		'--locale=' . ($opt{locale} || 'C.UTF-8'),
		'--no-sync', @{ $opt{initdb} || [] });
	$self->append_conf(<<CONF . install_conf() . ($opt{conf} || ''));
listen_addresses = ''
unix_socket_directories = '$self->{base}'
port = $self->{port}
fsync = off
max_wal_senders = 10
wal_level = replica
log_line_prefix = '%m [%p] %q%a '
log_statement = none
restart_after_crash = on
CONF
	return $self;
}

# Add lines to postgresql.conf (no reload).
sub append_conf
{
	my ($self, $text) = @_;
	open(my $fh, '>>', "$self->{data}/postgresql.conf")
	  or croak "cannot write postgresql.conf: $!";
	print $fh $text, "\n";
	close $fh;
	return;
}

# Create this server as a physical standby of another, streaming from it.
# Options: conf, slot => name of a physical slot to create and use.
sub init_standby
{
	my ($self, $primary, %opt) = @_;
	my @slot = $opt{slot} ? ('-C', '-S', $opt{slot}) : ();
	$self->_must(
		program('pg_basebackup'), '-D',
		$self->{data}, '-d',
		$primary->connstr, '--checkpoint=fast',
		'--no-sync', '-X',
		'stream', '-R', @slot);
	$self->append_conf(
		"unix_socket_directories = '$self->{base}'\nhot_standby = on\n"
		  . ($opt{conf} || ''));
	return $self;
}

# Create this server as a copy of another's files.  That one must be stopped.
sub init_copy
{
	my ($self, $origin, %opt) = @_;
	$self->_must('cp', '-a', $origin->{data}, $self->{data});
	$self->append_conf(
		"unix_socket_directories = '$self->{base}'\n" . ($opt{conf} || ''));
	return $self;
}

# Start; croaks with the end of the log unless it comes up.  With
# fail_ok => 1 returns false instead.
sub start
{
	my ($self, %opt) = @_;
	my ($status, $out, $err) = run_command(
		[
			program('pg_ctl'), '-D', $self->{data}, '-l', $self->logfile,
			'-w', '-t', $timeout, 'start'
		]);
	if ($status != 0)
	{
		return 0 if $opt{fail_ok};
		croak "node $self->{name} does not start:\n$out$err"
		  . $self->log_tail;
	}
	$self->{running} = 1;
	return 1;
}

# Stop; mode is "fast" unless given ("smart", "immediate").
sub stop
{
	my ($self, $mode) = @_;
	return unless $self->{running};
	$self->_must(
		program('pg_ctl'), '-D', $self->{data}, '-w', '-t', $timeout, '-m',
		$mode || 'fast', 'stop');
	$self->{running} = 0;
	return;
}

sub restart
{
	my ($self, $mode) = @_;
	$self->stop($mode);
	return $self->start;
}

sub reload
{
	my ($self) = @_;
	$self->_must(program('pg_ctl'), '-D', $self->{data}, 'reload');
	return;
}

sub promote
{
	my ($self) = @_;
	$self->_must(program('pg_ctl'), '-D', $self->{data}, '-w', 'promote');
	return;
}

# Process id of the postmaster.
sub pid
{
	my ($self) = @_;
	my ($pid) = split /\n/, _slurp("$self->{data}/postmaster.pid");
	return $pid;
}

# kill -9 of the whole server, all at once, as if the power went: the
# postmaster first, then every process of it.  Returns when all are gone, so
# start may follow.
sub kill9
{
	my ($self) = @_;
	my $pid = $self->pid or croak "node $self->{name} does not run";
	croak 'kill9 needs /proc' unless -e "/proc/$pid/stat";
	kill 'STOP', $pid;
	my @children = _children($pid);
	kill 'KILL', $pid, @children;
	my $end = time + $timeout;
	while (grep { _alive($_) } ($pid, @children))
	{
		croak "node $self->{name} does not die" if time > $end;
		sleep 0.01;
	}
	# Nobody may have taken notice of the death yet, and a dead process that
	# is still listed keeps its lock files valid.
	unlink "$self->{data}/postmaster.pid",
	  "$self->{base}/.s.PGSQL.$self->{port}.lock",
	  "$self->{base}/.s.PGSQL.$self->{port}";
	$self->{running} = 0;
	return;
}

# Alive, and not merely waiting for its parent to take notice.
sub _alive
{
	my ($pid) = @_;
	my $stat = _slurp("/proc/$pid/stat");
	return 0 if $stat eq '';
	return $stat =~ /^.*\) [ZX]/s ? 0 : 1;
}

sub _children
{
	my ($parent) = @_;
	my @found;
	for my $path (glob '/proc/[0-9]*/stat')
	{
		my $stat = _slurp($path);
		push @found, $1
		  if $stat =~ /^(\d+) \(.*\) \S (\d+) /s && $2 == $parent;
	}
	return @found;
}

#-------------------------------------------------------------------------
# Talking to it
#-------------------------------------------------------------------------

# Run SQL; returns (status, stdout, stderr), without the last newline.  The
# output is unaligned, tuples only.  Options: dbname, variables =>
# { name => value }, on_error_stop => 0, args => [further psql arguments].
sub psql
{
	my ($self, $sql, %opt) = @_;
	my @args = (program('psql'), '-XAtq', '-v', 'VERBOSITY=default');
	push @args, '-v', 'ON_ERROR_STOP=1'
	  unless exists $opt{on_error_stop} && !$opt{on_error_stop};
	my $variables = $opt{variables} || {};
	push @args, map { ('-v', "$_=$variables->{$_}") } sort keys %$variables;
	push @args, @{ $opt{args} || [] }, '-f', '-';
	my ($status, $out, $err) =
	  run_command(\@args, $sql, $self->env($opt{dbname}));
	s/\n\z// for $out, $err;
	$err =~ s/^psql:<stdin>:\d+: //mg;
	return ($status, $out, $err);
}

# Run SQL that must work; returns its output.
sub safe_psql
{
	my ($self, $sql, %opt) = @_;
	my ($status, $out, $err) = $self->psql($sql, %opt);
	croak "node $self->{name}: SQL failed with status $status:\n$sql\n$err"
	  if $status != 0;
	return $out;
}

# Run SQL that must fail; returns the error text (with detail and hint).
sub psql_error
{
	my ($self, $sql, %opt) = @_;
	my ($status, $out, $err) = $self->psql($sql, %opt);
	croak "node $self->{name}: SQL did not fail:\n$sql\n$out"
	  if $status == 0;
	return $err;
}

# Repeat a query until it prints what is expected ("t" unless given).
# True when it did, false after the timeout.
sub poll_until
{
	my ($self, $sql, $expected, %opt) = @_;
	$expected = 't' unless defined $expected;
	my $end = time + $timeout;
	while (1)
	{
		my ($status, $out) = $self->psql($sql, %opt);
		return 1 if $status == 0 && $out eq $expected;
		return 0 if time > $end;
		sleep 0.05;
	}
}

# Wait until a server answers (after a crash, say).
sub wait_until_up
{
	my ($self) = @_;
	return $self->poll_until('SELECT true');
}

# Wait until a standby has replayed all that this server has written.
sub wait_for_catchup
{
	my ($self, $standby) = @_;
	my $lsn = $self->safe_psql('SELECT pg_current_wal_insert_lsn()');
	$standby->poll_until("SELECT pg_last_wal_replay_lsn() >= '$lsn'::pg_lsn")
	  or croak "standby $standby->{name} does not catch up with $lsn";
	return;
}

# A session that stays open; see AbstSession below.
sub session
{
	my ($self, $dbname) = @_;
	return AbstSession->new($self, $dbname);
}

# The server log from a byte offset on, and its length now.
sub log_text
{
	my ($self, $offset) = @_;
	return substr(_slurp($self->logfile), $offset || 0);
}

sub log_length
{
	my ($self) = @_;
	return -s $self->logfile || 0;
}

sub log_tail
{
	my ($self) = @_;
	my @lines = split /\n/, $self->log_text;
	splice(@lines, 0, @lines - 30) if @lines > 30;
	return join("\n", @lines) . "\n";
}

# Stop at once and remove the folder.
sub destroy
{
	my ($self) = @_;
	if (-e "$self->{data}/postmaster.pid")
	{
		run_command(
			[
				program('pg_ctl'), '-D', $self->{data}, '-w', '-m',
				'immediate', 'stop'
			]);
	}
	delete $nodes{ $self->{base} };
	remove_tree($self->{base});
	return;
}

# A test that is interrupted goes through END as well.
$SIG{$_} = sub { exit 1 }
  for qw(INT TERM HUP);
$SIG{PIPE} = 'IGNORE';

END
{
	my $status = $?;
	if ($$ == $owner)
	{
		for my $node (values %nodes)
		{
			if ($status != 0)
			{
				print STDERR "# end of the log of node $node->{name}:\n",
				  map { "#   $_\n" } split /\n/, $node->log_tail;
			}
			if ($status != 0 && $ENV{ABST_KEEP})
			{
				$node->stop('immediate');
				print STDERR "# kept: $node->{base}\n";
				next;
			}
			$node->destroy;
		}
	}
	$? = $status;
}

#-------------------------------------------------------------------------
#
# AbstSession
#		One psql that stays connected, to hold transactions, cursors and
#		locks open.
#
#-------------------------------------------------------------------------
package AbstSession;

use strict;
use warnings;

use Carp qw(croak);
use IO::Select;
use IPC::Open3 qw(open3);
use Symbol qw(gensym);
use Time::HiRes qw(time);

sub new
{
	my ($class, $node, $dbname) = @_;
	local %ENV = (%ENV, $node->env($dbname));
	my ($in, $out) = (gensym, gensym);
	my $pid = open3($in, $out, undef, AbstCluster::_drop_root(),
		AbstCluster::program('psql'), '-XAtq', '-v', 'VERBOSITY=default');
	binmode $in, ':raw';
	binmode $out, ':raw';
	my $self = bless {
		node => $node,
		pid => $pid,
		in => $in,
		out => $out,
		select => IO::Select->new($out),
		buffer => '',
		marks => 0,
		pending => [],
	}, $class;
	return $self;
}

# Send SQL and return at once; its output is fetched by "wait".
sub send
{
	my ($self, $sql) = @_;
	my $mark = sprintf 'abst-mark-%d-%d', $$, ++$self->{marks};
	my $in = $self->{in};
	syswrite $in, "$sql\n;\n\\echo $mark\n"
	  or croak "session is gone: $!";
	push @{ $self->{pending} }, $mark;
	return;
}

# The output of the oldest SQL sent and not waited for: results, notices and
# errors as they came.  Croaks after the timeout.
sub wait
{
	my ($self, $seconds) = @_;
	my $mark = shift @{ $self->{pending} };
	croak 'nothing was sent' unless defined $mark;
	my $text = $self->_until($mark, $seconds || $AbstCluster::timeout);
	croak "no answer to SQL in time; so far:\n$self->{buffer}"
	  unless defined $text;
	return $text;
}

# True when the oldest SQL sent has finished by now (or within $seconds).
sub ready
{
	my ($self, $seconds) = @_;
	my $mark = $self->{pending}[0];
	return 1 unless defined $mark;
	my $text = $self->_until($mark, $seconds || 0);
	return 0 unless defined $text;
	$self->{buffer} = "$text\n$mark\n$self->{buffer}";
	$self->{buffer} =~ s/\A\n//;
	return 1;
}

# Send and wait.
sub query
{
	my ($self, $sql) = @_;
	$self->send($sql);
	return $self->wait;
}

# Server process of this session.
sub backend_pid
{
	my ($self) = @_;
	$self->{backend} = $self->query('SELECT pg_backend_pid()')
	  unless defined $self->{backend};
	return $self->{backend};
}

# End the session.  One that still works on something is cut off.
sub quit
{
	my ($self) = @_;
	return unless $self->{pid};
	close $self->{in};
	my $end = time + 2;
	while (waitpid($self->{pid}, POSIX::WNOHANG()) == 0)
	{
		kill 'TERM', $self->{pid} if time > $end;
		select undef, undef, undef, 0.01;
	}
	close $self->{out};
	delete $self->{pid};
	return;
}

sub DESTROY
{
	my ($self) = @_;
	local ($?, $!, $@);
	$self->quit;
	return;
}

sub _until
{
	my ($self, $mark, $seconds) = @_;
	my $end = time + $seconds;
	while ($self->{buffer} !~ /^\Q$mark\E\n/m)
	{
		my $left = $end - time;
		$left = 0 if $left < 0;
		return undef unless $self->{select}->can_read($left);
		my $n = sysread $self->{out}, $self->{buffer}, 65536,
		  length $self->{buffer};
		croak "session ended; its last output:\n$self->{buffer}" unless $n;
	}
	$self->{buffer} =~ s/\A(.*?)^\Q$mark\E\n//ms;
	my $text = $1;
	$text =~ s/\n\z//;
	return $text;
}

1;
