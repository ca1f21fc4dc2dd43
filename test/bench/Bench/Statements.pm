#-------------------------------------------------------------------------
#
# Bench/Statements.pm
#		How each system of the server is asked a query.
#
# Each function gives pairs of a system and its SQL.
#
#-------------------------------------------------------------------------
package Bench::Statements;

use strict;
use warnings;
use Exporter 'import';

our @EXPORT = qw(own_systems fast_systems slow_systems slow_cap is_plain
  own_statements fast_statements slow_statements);

# Ours; peers that stop at k as we do; peers that look at all rows found.
sub own_systems
{
	return ('one row', 'abstracts', 'prepared', 'with score', 'matching', 'similar');
}

sub fast_systems
{
	return (
		'pg_textsearch', 'pg_textsearch prepared',
		'pg_fts', 'pg_fts prepared', 'pg_fts search');
}

sub slow_systems { return ('GIN ts_rank', 'GIN ts_rank_cd', 'RUM'); }

# How many queries of a class those are asked that take up to seconds.
my %slow_cap = (qdocs => 0, qdoc => 0, title => 3);

sub slow_cap
{
	my ($class) = @_;
	return exists $slow_cap{$class} ? $slow_cap{$class} : 10;
}

# Nothing but words, any of which may be there.
sub is_plain { return $_[0] !~ /^(?:phrase|bool)$/; }

sub ours
{
	my ($server, $query) = @_;
	# RUM has an operator <=> for tsvectors too, so the type is written out
	return $server->has('RUM') ? "'$query'::abstract_query" : "'$query'";
}

sub own_statements
{
	my ($server, $class, $query, $k) = @_;
	my $q = ours($server, $query);
	my $end = "LIMIT $k";
	return (
		[ 'one row', "SELECT id FROM docs ORDER BY id $end" ],
		[ 'abstracts', "SELECT id FROM docs ORDER BY doc <=> $q $end" ],
		[
			'prepared', 'PREPARED:SELECT id FROM docs '
			  . "ORDER BY doc <=> \$1::abstract_query $end\t$query"
		],
		[ 'with score', "SELECT id, doc <=> $q FROM docs ORDER BY doc <=> $q $end" ],
		[
			'matching', "SELECT id FROM docs WHERE doc @~ $q AND id % 10 <> 3 "
			  . "ORDER BY doc <=> $q $end"
		],
		$class ne 'qdoc' ? () : [
			'similar', 'SELECT id FROM docs ORDER BY doc <~> '
			  . "to_tsvector('pg_catalog.simple', '$query') $end"
		]);
}

# Each with a literal and prepared.  They are asked plain queries only.
sub fast_statements
{
	my ($server, $class, $query, $k) = @_;
	return if !is_plain($class);
	my @list;
	if ($server->has('pg_textsearch'))
	{
		my ($literal, $prepared) = map {
			'SELECT id FROM docs ORDER BY body <@> '
			  . "to_bm25query($_, 'docs_pg_textsearch') LIMIT $k"
		} "'$query'", '$1';
		push @list, [ 'pg_textsearch', $literal ],
		  [ 'pg_textsearch prepared', "PREPARED:$prepared\t$query" ];
	}
	if ($server->has('pg_fts'))
	{
		my $any = $query =~ s/ / | /gr;
		my ($literal, $prepared) = map {
			# without the condition the planner would not take the index
			"SELECT id FROM docs_ftsdoc WHERE doc @@@ $_\::ftsquery "
			  . "ORDER BY doc <=> $_\::ftsquery LIMIT $k"
		} "'$any'", '$1';
		push @list, [ 'pg_fts', $literal ],
		  [ 'pg_fts prepared', "PREPARED:$prepared\t$any" ],
		  [
			# OFFSET keeps the planner from joining by a scan of the table
			'pg_fts search', 'SELECT d.id FROM '
			  . "fts_search('docs_pg_fts', '$any'::ftsquery, $k) s, LATERAL "
			  . '(SELECT id FROM docs_ftsdoc WHERE ctid = s.ctid OFFSET 0) d '
			  . 'ORDER BY s.score DESC'
		  ];
	}
	return @list;
}

# A query as tsqueries: what has to match, and what to rank by.
sub tsqueries
{
	my ($class, $query) = @_;
	my @words = $query =~ /[a-z]+/g;
	return ("$words[0] <-> $words[1]") x 2 if $class eq 'phrase';
	return ("$words[0] & !$words[2]", "$words[0] | $words[1]")
	  if $query =~ /^\+/;
	return ("($words[0] | $words[1]) & $words[2]") x 2 if $class eq 'bool';
	return (join ' | ', @words) x 2;
}

# With ours among them, for the ratio.
sub slow_statements
{
	my ($server, $class, $query) = @_;
	my ($match, $rank) = tsqueries($class, $query);
	my $from = "SELECT id FROM docs WHERE doc @@ '$match'";
	my $q = ours($server, $query);
	my @list = (
		[ 'abstracts', "SELECT id FROM docs ORDER BY doc <=> $q LIMIT 10" ],
		[
			'abstracts @~', "SELECT id FROM docs WHERE doc @~ $q "
			  . "ORDER BY doc <=> $q LIMIT 10"
		]);
	push @list, map {
		[ "GIN $_", "$from ORDER BY $_(doc, '$rank') DESC LIMIT 10" ]
	} 'ts_rank', 'ts_rank_cd' if $server->has('GIN');
	push @list, [ 'RUM', "$from ORDER BY doc <=> '$rank'::tsquery LIMIT 10" ]
	  if $server->has('RUM');
	return @list;
}

1;
