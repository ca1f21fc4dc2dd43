#-------------------------------------------------------------------------
#
# Bench/Tools.pm
#		What the parts of the benchmark share: output, programs, files, cores.
#
#-------------------------------------------------------------------------
package Bench::Tools;

use strict;
use warnings;
use Exporter 'import';
use File::Temp;
use Time::HiRes qw(time);

our @EXPORT = qw(say_out output complain wrong median lines_of write_lines
  scratch table_row table_head slurp allowed_cores set_cores watch_memory);

my $output = '';
my $wrong = 0;
my $scratch;

# Print, and keep for publication.
sub say_out
{
	$output .= join '', @_;
	return print @_;
}

sub output { return $output; }

# Answers that are not what the tables suppose; the status will say so.
sub complain
{
	say_out("**WRONG:** @_\n");
	$wrong = 1;
	return;
}

sub wrong { return $wrong; }

sub median
{
	my @s = sort { $a <=> $b } @_;
	return ($s[ (@s - 1) / 2 ] + $s[ @s / 2 ]) / 2;
}

# A folder that is removed at the end.
sub scratch
{
	$scratch ||= File::Temp->newdir;
	return "$scratch";
}

# The lines a program prints; it must not fail.
sub lines_of
{
	my (@command) = @_;
	open(my $pipe, '-|', @command) or die "$command[0]: $!\n";
	my @lines = <$pipe>;
	close $pipe or die "$command[0] failed\n";
	chomp @lines;
	return @lines;
}

sub write_lines
{
	my ($name, @lines) = @_;
	my $path = scratch() . "/$name";
	open(my $file, '>', $path) or die "$path: $!\n";
	print $file map { "$_\n" } @lines;
	close $file or die "$path: $!\n";
	return $path;
}

sub slurp
{
	my ($path) = @_;
	open(my $file, '<', $path) or return '';
	local $/;
	return <$file> // '';
}

sub table_row { return '| ' . join(' | ', @_) . " |\n"; }

sub table_head { return table_row(@_) . '|---' x @_ . "|\n"; }

#-------------------------------------------------------------------------
# Cores and memory
#-------------------------------------------------------------------------

# The cores that this process may use, as taskset writes them: "0-3,8".
sub allowed_cores
{
	my ($list) = slurp('/proc/self/status') =~ /^Cpus_allowed_list:\s*(\S+)/m;
	return $list;
}

# Let a process and its threads run on these cores only; those it starts from
# now on inherit it.
sub set_cores
{
	my ($cores, $pid) = @_;
	system("taskset -a -pc $cores $pid >/dev/null") == 0
	  or die "taskset failed\n";
	return;
}

# Private memory (kB) of a process; undefined if it is gone.
sub _private_memory
{
	my ($kb) = slurp("/proc/$_[0]/status") =~ /^RssAnon:\s+(\d+)/m;
	return $kb;
}

# The parallel workers of a process of the server, by their titles.
sub _workers_of
{
	my ($leader) = @_;
	return map { m{/(\d+)/} } grep {
		slurp($_) =~ /parallel worker for PID $leader\b/
	} glob '/proc/[0-9]*/cmdline';
}

# The most private memory (MB) that a process has, and its workers if there may
# be any (looking for them takes time of the core), until the function says that
# it is done; it is called with the seconds to wait.
sub watch_memory
{
	my ($pid, $done, $workers) = @_;
	my $peak = 0;
	until ($done->(0.02))
	{
		my $sum = _private_memory($pid) or last;
		$sum += _private_memory($_) // 0 for $workers ? _workers_of($pid) : ();
		$peak = $sum if $sum > $peak;
	}
	return $peak / 1024;
}

1;
