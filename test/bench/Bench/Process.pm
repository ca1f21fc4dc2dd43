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
use IO::Select;
use Bench::Tools;

our @EXPORT = qw(process_peers available_peers build_peer ask_command best_of);

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
	return "java -XX:+UseSerialGC -Xmx4g -cp $here/lucene:$jar BenchLucene";
}

sub _size_of
{
	my ($folder) = @_;
	my $bytes = 0;
	File::Find::find(sub { $bytes += -s if -f }, $folder);
	return $bytes / 1048576;
}

# Where the index of a peer is.
sub _folder { return scratch() . "/$_[0]"; }

# { name, version, serial (seconds), memory, size (MB) }
sub build_peer
{
	my ($here, $peer, $docs) = @_;
	my $folder = _folder($peer);
	mkdir $folder or die "$folder: $!\n";
	my $pid = open(my $pipe, '-|', 'exec ' . _command($here, $peer) . " build $folder $docs")
	  or die "$peer: $!\n";
	my ($text, $select) = ('', IO::Select->new($pipe));
	# true when the program has ended
	my $memory = watch_memory($pid, sub {
		return $select->can_read($_[0]) && !sysread $pipe, $text, 65536, length $text;
	});
	while (sysread $pipe, $text, 65536, length $text) { }
	close $pipe or die "$peer failed\n";
	my ($version, $seconds) = $text =~ /^version\t(.*)\nbuilt\t(.*)$/m
	  or die "$peer printed: $text\n";
	return {
		name => $peer, version => $version, serial => $seconds, memory => $memory,
		size => _size_of($folder)
	};
}

# The program that answers lines "k words", for bench-client; the lines of the
# file are what it may warm up with.
sub ask_command
{
	my ($here, $peer, $lines) = @_;
	return _command($here, $peer) . ' ask ' . _folder($peer)
	  . ($peer eq 'Lucene' ? " $lines" : '');
}

# The ten best documents of each query: [ numbers ].
sub best_of
{
	my ($here, $peer, @queries) = @_;
	my $nothing = write_lines('nothing');
	my $lines = write_lines('lines', map { "10 $_" } @queries);
	return map {
		my (undef, $numbers) = split /\t/;
		[ split / /, $numbers // '' ]
	} lines_of('sh', '-c', ask_command($here, $peer, $nothing) . " <$lines");
}

1;
