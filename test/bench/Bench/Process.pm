#-------------------------------------------------------------------------
#
# Bench/Process.pm
#		Peers that are libraries: built where they are installed, and asked in
#		a process of their own.
#
#-------------------------------------------------------------------------
package Bench::Process;

use strict;
use warnings;
use Exporter 'import';
use File::Find ();
use File::Path qw(remove_tree);
use IO::Select;
use Bench::Tools;

our @EXPORT = qw(process_peers available_peers run_peer);

sub process_peers { return ('Lucene', 'Xapian', 'SQLite'); }

my %program = (
	Lucene => 'lucene/BenchLucene.class',
	Xapian => 'bench-xapian',
	SQLite => 'bench-sqlite');

my %header = (
	Xapian => [ 'c++', 'xapian.h' ],
	SQLite => [ 'c', 'sqlite3.h' ]);

sub _has_header
{
	my ($language, $header) = @{ $_[0] };
	return system("echo '#include <$header>' | "
		  . "\${CC:-cc} -x $language -E - >/dev/null 2>&1") == 0;
}

sub _installed
{
	my ($here, $peer) = @_;
	return _has_header($header{$peer}) if $peer ne 'Lucene';
	return 0 if system('command -v java javac jar >/dev/null 2>&1') != 0;
	my ($jar) = lines_of('make', '-s', '-C', $here, 'lucene');
	return $jar;
}

# Those of the wanted peers that are there, with their programs made; says
# which are not.
sub available_peers
{
	my ($here, $wanted) = @_;
	my @found;
	for my $peer (grep { $wanted->($_) } process_peers())
	{
		if (!_installed($here, $peer))
		{
			say_out("$peer: skipped (not installed)\n");
			next;
		}
		system('make', '-s', '-C', $here, $program{$peer}) == 0
		  or die "cannot build the program of $peer\n";
		push @found, $peer;
	}
	return @found;
}

sub _command
{
	my ($here, $peer) = @_;
	return "$here/$program{$peer}" if $peer ne 'Lucene';
	my ($jar) = lines_of('make', '-s', '-C', $here, 'lucene');
	# one core: a collector with threads of its own would be in the way
	return ('java', '-XX:+UseSerialGC', '-Xmx4g', '-cp', "$here/lucene:$jar",
		'BenchLucene');
}

sub _size_of
{
	my ($folder) = @_;
	my $bytes = 0;
	File::Find::find(sub { $bytes += -s if -f }, $folder);
	return $bytes / 1048576;
}

# { version, serial (seconds), memory, size (MB),
#   best => { number of a query => [ documents ] },
#   time => { k => { class => [ n, median, p95 ] } } }
sub run_peer
{
	my ($here, $peer, $docs, $queries, $rounds, $seconds, @ks) = @_;
	my $folder = scratch() . "/$peer";
	mkdir $folder or die "$folder: $!\n";
	my $log = scratch() . "/$peer.log";
	my @command = (_command($here, $peer), $folder, $docs, $queries, $rounds, $seconds, @ks);
	my $pid = open(my $pipe, '-|', "exec @command 2>$log") or die "$command[0]: $!\n";
	my ($text, %result) = ('');
	my $select = IO::Select->new($pipe);
	# true when the index is built, or the program has ended
	$result{memory} = watch_memory($pid, sub {
		return 0 unless $select->can_read($_[0]);
		return 1 unless sysread $pipe, $text, 65536, length $text;
		return $text =~ /^built\t.*\n/m;
	});
	$result{size} = _size_of($folder);
	while (sysread $pipe, $text, 65536, length $text) { }
	close $pipe or die "$peer failed:\n", slurp($log);
	for (split /\n/, $text)
	{
		my ($what, @fields) = split /\t/;
		$result{version} = $fields[0] if $what eq 'version';
		$result{serial} = $fields[0] if $what eq 'built';
		$result{best}{ $fields[1] } = [ split / /, $fields[2] // '' ] if $what eq 'best';
		$result{time}{ $fields[0] }{ $fields[1] } = [ @fields[ 2 .. 4 ] ] if $what eq 'time';
	}
	remove_tree($folder);
	return \%result;
}

1;
