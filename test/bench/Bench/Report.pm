#-------------------------------------------------------------------------
#
# Bench/Report.pm
#		Tables of what was measured, in Markdown, and their publication.
#
# A result is { class => { system => [ n, median, p95 ] } }, in milliseconds.
#
#-------------------------------------------------------------------------
package Bench::Report;

use strict;
use warnings;
use Exporter 'import';
use Bench::Statements;
use Bench::Tools;

our @EXPORT = qw(report_builds report_agreement report_own report_peers
  report_ratios publish);

# Systems that have something to show in any class.
sub _present
{
	my ($result, @systems) = @_;
	return grep
	{
		my $s = $_;
		grep { exists $_->{$s} } values %$result
	} @systems;
}

sub _number
{
	my ($format, $value) = @_;
	return defined $value ? sprintf($format, $value) : '';
}

# Three digits that say something.
sub _ms
{
	my ($ms) = @_;
	return sprintf $ms < 1 ? '%.3f' : $ms < 10 ? '%.2f' : $ms < 100 ? '%.1f' : '%.0f', $ms;
}

sub _ratio
{
	my ($ratio) = @_;
	# what is within the noise of the statement itself
	return '-' if $ratio <= 0;
	return sprintf $ratio < 1 ? '%.2f x' : $ratio < 10 ? '%.1f x' : '%.0f x', $ratio;
}

sub report_builds
{
	my ($builds, $workers, @indexes) = @_;
	my ($least) = map { $_->{size} } grep { $_->{name} eq 'abstracts' } @indexes;
	say_out("\n#### Builds\n\nMedians of $builds. The libraries read texts, as \"abstracts on text\" does; \"abstracts\" reads tsvectors made before.\n\n",
		table_head('index', 'serial, s', $workers ? "$workers workers, s" : (),
			'serial, private MB', $workers ? "$workers workers, private MB" : (),
			'size MB', 'size / abstracts'));
	say_out(table_row(
			$_->{name},
			_number('%.1f', $_->{serial}),
			$workers ? _number('%.1f', $_->{parallel}) : (),
			_number('%.0f', $_->{memory}),
			$workers ? _number('%.0f', $_->{parallel_memory}) : (),
			_number('%.1f', $_->{size}),
			sprintf('%.2f', $_->{size} / $least))) for @indexes;
	return;
}

# { system => { class => [ shares ] } }
sub report_agreement
{
	my ($classes, $systems, $shares) = @_;
	my @classes = grep
	{
		my $class = $_;
		grep { $_->{$class} } values %$shares
	} @$classes;
	say_out("\n#### Agreement\n\nHow many of the ten best of the floor (exact BM25, k1 = 1.2, b = 0.75) each finds, in percent\n\n",
		table_head('system', @classes));
	for my $system (grep { $shares->{$_} } @$systems)
	{
		say_out(table_row($system, map {
			my @of = @{ $shares->{$system}{$_} || [] };
			my $sum = 0;
			$sum += $_ for @of;
			@of ? sprintf('%.0f', 100 * $sum / @of) : '';
		} @classes));
	}
	return;
}

# Ours, with the floor and what a query costs.
sub report_own
{
	my ($k, $classes, $systems, $result, $floor, $buffers, $instructions) = @_;
	my @systems = _present($result, @$systems);
	say_out("\n#### abstracts, k = $k\n\nmedian / p95 in ms\n\n",
		table_head('class', @systems, 'floor', 'abstracts / floor', 'less one row',
			'buffers', 'thousand instructions'));
	for my $class (grep { $result->{$_} } @$classes)
	{
		my $row = $result->{$class};
		my @above = ('') x 3;
		if ($floor->{$class})
		{
			my ($all, $least) = map { $row->{$_}[1] } 'abstracts', 'one row';
			@above = (
				sprintf('%.4f', $floor->{$class}),
				_ratio($all / $floor->{$class}),
				_ratio(($all - $least) / $floor->{$class}));
		}
		say_out(table_row(
				$class,
				map({ $row->{$_} ? sprintf('%.3f / %.3f', @{ $row->{$_} }[ 1, 2 ]) : '' } @systems),
				@above,
				_number('%.0f', $buffers->{$class}),
				_number('%.0f', $instructions->{$class})));
	}
	return;
}

# Ours and peers, and in brackets how many times as long a peer takes as ours
# asked in the same way.
sub report_peers
{
	my ($title, $note, $classes, $systems, $result) = @_;
	my @systems = _present($result, @$systems);
	my @classes = grep
	{
		my $row = $result->{$_} || {};
		$row->{abstracts} && grep { !/^(?:abstracts|one row)/ && $row->{$_} } @systems
	} @$classes;
	return unless @classes;
	say_out("\n#### $title\n\nmedian / p95 in ms, in brackets how many times the median of abstracts asked in the same way$note\n\n",
		table_head('system', @classes));
	for my $system (@systems)
	{
		say_out(table_row($system, map {
			my $of = $result->{$_}{$system};
			my $ours = $result->{$_}{ counterpart($system) };
			!$of ? '' : sprintf('%s / %s', _ms($of->[1]), _ms($of->[2]))
			  . ($system =~ /^(?:abstracts|one row)/ ? '' : ' (' . _ratio($of->[1] / $ours->[1]) . ')');
		} @classes));
	}
	return;
}

# All in one: ratios alone, of { k => result }.  Libraries have a second line,
# beside what of the statement is the search.
sub report_ratios
{
	my ($results, $classes, $systems, $libraries) = @_;
	my %is_library = map { $_ => 1 } @$libraries;
	my @lines;
	for my $system (@$systems)
	{
		for my $k (sort { $a <=> $b } grep { _present($results->{$_}, $system) } keys %$results)
		{
			for my $beside ('', $is_library{$system} ? ' beside the scan' : ())
			{
				push @lines, table_row("$system$beside", $k, map {
					_ratio_of($results->{$k}{$_}, $system, $beside)
				} @$classes);
			}
		}
	}
	return unless @lines;
	say_out("\n#### How many times as long as abstracts\n\n",
		'Medians, of abstracts asked in the same way. ',
		"@$libraries run within the process that asks: no server, no SQL, no rows; ",
		"\"beside the scan\" compares them with (abstracts - one row).\n\n",
		table_head('system', 'k', @$classes), @lines);
	return;
}

sub _ratio_of
{
	my ($row, $system, $beside) = @_;
	return '' unless $row && $row->{$system};
	my $ours = $row->{ counterpart($system) }[1];
	$ours -= $row->{'one row'}[1] if $beside;
	# what is within the noise of the statement itself
	return $ours <= 0 ? '-' : _ratio($row->{$system}[1] / $ours);
}

# Put the results between the marks of this corpus in a file.
sub publish
{
	my ($path, $corpus, $svg, $text) = @_;
	my ($begin, $end) = map { "<!-- $_: $corpus -->" } 'results', 'end of results';
	my $all = slurp($path);
	$all .= "\n$begin\n$end\n" if index($all, $begin) < 0;
	$all =~ s{\Q$begin\E.*?\Q$end\E}
		{$begin\n\n$text\n![Medians of each class]($svg)\n\n$end}s
	  or die "$path: no line \"$end\" after \"$begin\"\n";
	open(my $file, '>', $path) or die "$path: $!\n";
	print $file $all;
	close $file or die "$path: $!\n";
	return;
}

1;
