#-------------------------------------------------------------------------
#
# Bench/Plot.pm
#		Bars of medians by class, on a logarithmic scale, as SVG.
#
#-------------------------------------------------------------------------
package Bench::Plot;

use strict;
use warnings;
use Exporter 'import';

our @EXPORT = qw(write_plot);

my %colour = (
	'floor' => '#48bb78', 'one row' => '#cbd5e0', 'abstracts' => '#2b6cb0',
	'abstracts prepared' => '#63b3ed', 'pg_textsearch' => '#c53030', 'pg_fts' => '#f6ad55',
	'GIN ts_rank' => '#718096', 'GIN ts_rank_cd' => '#a0aec0', 'RUM' => '#d69e2e',
	'Lucene' => '#805ad5', 'Xapian' => '#319795', 'SQLite' => '#ed64a6');
my $bottom = 320;
my $height = 346;

# Pixels of so many milliseconds: 0.001 to 10,000.
sub bar_height
{
	my ($ms) = @_;
	$ms = 0.001 if $ms < 0.001;
	return 40 * log($ms / 0.001) / log(10);
}

sub text_at
{
	my ($x, $y, $text) = @_;
	return sprintf qq{<text x="%.1f" y="%.1f">%s</text>\n}, $x, $y, $text;
}

sub rectangle
{
	my ($x, $y, $wide, $high, $fill) = @_;
	return sprintf qq{<rect x="%.1f" y="%.1f" width="%.1f" height="%.1f" fill="%s"/>\n},
	  $x, $y, $wide, $high, $fill;
}

sub grid
{
	my ($x) = @_;
	return join '', map {
		my $y = $bottom - bar_height(10**$_);
		text_at(4, $y + 4, 10**$_ . ' ms') . rectangle(64, $y, $x - 64, 0.5, '#a0aec0')
	} -3 .. 4;
}

# Systems in order, and { system => { class => milliseconds } }.
sub write_plot
{
	my ($path, $classes, $systems, $ms) = @_;
	my ($x, $bars, $legend, $names) = (70, '', 70, '');
	for my $class (@$classes)
	{
		my $left = $x;
		for my $system (grep { $ms->{$_}{$class} } @$systems)
		{
			my $high = bar_height($ms->{$system}{$class});
			$bars .= rectangle($x, $bottom - $high, 9, $high, $colour{$system} || '#000000');
			$x += 10;
		}
		$bars .= text_at($left, $bottom + 16, $class);
		$x += 18;
	}
	for my $system (grep { keys %{ $ms->{$_} || {} } } @$systems)
	{
		$names .= rectangle($legend, 6, 10, 10, $colour{$system} || '#000000')
		  . text_at($legend + 14, 15, $system);
		$legend += 34 + 6 * length $system;
	}
	$x = $legend if $legend > $x;
	open(my $file, '>', $path) or die "$path: $!\n";
	print $file qq{<svg xmlns="http://www.w3.org/2000/svg" width="$x" height="$height" },
	  qq{font-family="sans-serif" font-size="11">\n},
	  rectangle(0, 0, $x, $height, '#ffffff'), grid($x), $bars, $names, "</svg>\n";
	close $file or die "$path: $!\n";
	return;
}

1;
