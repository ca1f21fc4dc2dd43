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
  counterpart own_statements fast_statements slow_statements);

# Each order is asked for in these ways.
my @ways = ('', 'prepared', 'with score', 'prepared with score');

sub _way
{
	my ($system, $way) = @_;
	return $way eq '' ? $system : "$system $way";
}

# Ours; peers that stop at k as we do; peers that look at all rows found.  Of
# each the libraries are the last.
sub own_systems
{
	return ('one row', (map { _way('abstracts', $_) } @ways), 'matching', 'similar');
}

sub fast_systems
{
	return (map({ _way('pg_textsearch', $_) } @ways),
		map({ _way('pg_fts', $_) } @ways),
		'pg_fts search', 'Lucene', 'Xapian');
}

sub slow_systems
{
	return ('GIN ts_rank', 'GIN ts_rank_cd', 'RUM', 'pg_fts @@@', 'SQLite');
}

# What of ours is asked as a peer is.
sub counterpart
{
	my ($system) = @_;
	my ($way) = $system =~ / ((?:prepared )?with score|prepared)$/;
	return _way('abstracts', $way // '');
}

# How many queries of a class those are asked that look at all rows found.
sub slow_cap { return $_[0] eq 'title' ? 3 : 10; }

# Nothing but words, any of which may be there, and all rows.
sub is_plain { return $_[0] !~ /^(?:phrase|bool|filtered)$/; }

# The tenth of the rows that "filtered" asks for; nothing in other classes.
sub _filter
{
	my ($class) = @_;
	return $class eq 'filtered' ? ('id % 10 = 3') : ();
}

sub _where { return @_ ? 'WHERE ' . join(' AND ', @_) . ' ' : ''; }

# One order in all ways; $from and $distance are functions of what stands in
# the query's place, a literal or "$1".
sub _ordered
{
	my ($system, $from, $distance, $literal, $parameter, $k) = @_;
	return map {
		my $is_prepared = /prepared/;
		my $q = $is_prepared ? '$1' : $literal;
		my $order = $distance->($q);
		my $columns = /score/ ? "id, $order" : 'id';
		my $sql = "SELECT $columns FROM " . $from->($q) . "ORDER BY $order LIMIT $k";
		[ _way($system, $_), $is_prepared ? "PREPARED:$sql\t$parameter" : $sql ]
	} @ways;
}

sub ours
{
	my ($server, $query) = @_;
	# RUM has an operator <=> for tsvectors too, so the type is written out
	return $server->has('RUM') ? "'$query'::abstract_query" : "'$query'";
}

# The parameter needs its type.
sub _typed { return $_[0] eq '$1' ? '$1::abstract_query' : $_[0]; }

# The rows of ours that a class asks for: all, or those that match and pass
# the filter.  Peers give no others anyway.
sub _own_rows
{
	my ($class, $q) = @_;
	my @filter = _filter($class);
	return 'docs ' . _where(@filter ? "doc @~ $q" : (), @filter);
}

sub own_statements
{
	my ($server, $class, $query, $k) = @_;
	my $q = ours($server, $query);
	my @list = (
		[ 'one row', "SELECT id FROM docs ORDER BY id LIMIT $k" ],
		_ordered('abstracts',
			sub { _own_rows($class, _typed($_[0])) },
			sub { 'doc <=> ' . _typed($_[0]) },
			$q, $query, $k));
	push @list, [
		'matching', "SELECT id FROM docs WHERE doc @~ $q AND id % 10 <> 3 "
		  . "ORDER BY doc <=> $q LIMIT $k"
	] if $class ne 'filtered';
	push @list, [
		'similar', 'SELECT id FROM docs ORDER BY doc <~> '
		  . "to_tsvector('pg_catalog.simple', '$query') LIMIT $k"
	] if $class eq 'qdoc';
	return @list;
}

# Libraries are asked for "k words"; they know nothing but words.
sub _library_statements
{
	my ($libraries, $systems, $class, $query, $k) = @_;
	return unless is_plain($class);
	return map {
		my $library = $_;
		grep({ $_ eq $library } @$systems) ? [ $library, "$k $query" ] : ()
	} @$libraries;
}

# With ours among them, for the ratios.  They are asked for an OR of words
# only.
sub fast_statements
{
	my ($server, $libraries, $class, $query, $k) = @_;
	return if $class =~ /^(?:phrase|bool)$/;
	my $where = _where(_filter($class));
	my @list = grep { $_->[0] !~ /^(?:matching|similar)$/ }
	  own_statements($server, $class, $query, $k);
	if ($server->has('pg_textsearch'))
	{
		push @list, _ordered('pg_textsearch', sub { "docs $where" },
			sub { "body <@> to_bm25query($_[0], 'docs_pg_textsearch')" },
			"'$query'", $query, $k);
	}
	if ($server->has('pg_fts'))
	{
		my $any = $query =~ s/ / | /gr;
		# without the condition the planner would not take the index
		push @list, _ordered('pg_fts',
			sub { 'docs_ftsdoc ' . _where("doc @@@ $_[0]::ftsquery", _filter($class)) },
			sub { "doc <=> $_[0]::ftsquery" }, "'$any'", $any, $k);
		# It cannot filter.  OFFSET keeps the planner from joining by a scan of
		# the table.
		push @list, [
			'pg_fts search', 'SELECT d.id FROM '
			  . "fts_search('docs_pg_fts', '$any'::ftsquery, $k) s, LATERAL "
			  . '(SELECT id FROM docs_ftsdoc WHERE ctid = s.ctid OFFSET 0) d '
			  . 'ORDER BY s.score DESC'
		] if $where eq '';
	}
	push @list, _library_statements($libraries, [ fast_systems() ], $class, $query, $k);
	return @list;
}

# A query as those of tsquery and ftsquery: what has to match, and what to
# rank by.
sub _operators
{
	my ($class, $query, $phrase) = @_;
	my @words = $query =~ /[a-z]+/g;
	return (sprintf $phrase, @words) x 2 if $class eq 'phrase';
	return ("$words[0] & !$words[2]", "$words[0] | $words[1]")
	  if $query =~ /^\+/;
	return ("($words[0] | $words[1]) & $words[2]") x 2 if $class eq 'bool';
	return (join ' | ', @words) x 2;
}

# With ours among them, for the ratio.
sub slow_statements
{
	my ($server, $libraries, $class, $query) = @_;
	my ($match, $rank) = _operators($class, $query, '%s <-> %s');
	my @filter = _filter($class);
	my $from = 'SELECT id FROM docs ' . _where("doc @@ '$match'", @filter);
	my $q = ours($server, $query);
	my $end = 'LIMIT 10';
	my @list = (
		[ 'one row', "SELECT id FROM docs ORDER BY id $end" ],
		[ 'abstracts', 'SELECT id FROM ' . _own_rows($class, $q) . "ORDER BY doc <=> $q $end" ],
		[
			'abstracts @~', 'SELECT id FROM docs '
			  . _where("doc @~ $q", @filter) . "ORDER BY doc <=> $q $end"
		]);
	# seconds for a whole document
	my $is_long = $class =~ /^qdoc/;
	push @list, map {
		[ "GIN $_", "${from}ORDER BY $_(doc, '$rank') DESC $end" ]
	} 'ts_rank', 'ts_rank_cd' if $server->has('GIN') && !$is_long;
	push @list, [ 'RUM', "${from}ORDER BY doc <=> '$rank'::tsquery $end" ]
	  if $server->has('RUM') && !$is_long;
	if ($server->has('pg_fts') && $class =~ /^(?:phrase|bool)$/)
	{
		my ($must, $by) = _operators($class, $query, '"%s %s"');
		push @list, [
			'pg_fts @@@', "SELECT id FROM docs_ftsdoc WHERE doc @@@ '$must'::ftsquery "
			  . "ORDER BY doc <=> '$by'::ftsquery $end"
		];
	}
	push @list, _library_statements($libraries, [ slow_systems() ], $class, $query, 10);
	return @list;
}

1;
