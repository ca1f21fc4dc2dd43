# AbstCorpus.pm
#		made-up abstracts and queries, the same for the same seed.
#
# Words follow a Zipf-like law over an invented vocabulary, documents lean to
# a topic, and some carry what real ones do: hyphen compounds, names with
# digits, acronyms and their plurals, numbers, markup, accents.  A few
# documents are equal (ties), empty, or undefined (NULL).
#
#   my $c = AbstCorpus->new(seed => 7, vocabulary => 3000);
#   my ($title, $abstract) = $c->document;      # abstract may be undef
#   my $query = $c->query($kind);               # see @KINDS
package AbstCorpus;

use strict;
use warnings;

our @KINDS = qw(one two four eight frequent rare absent empty stop phrase must
  not mixed tree compound name whole hostile);

my @ONSETS = qw(b br c ch d dr f fl g gr k l m n p pl qu r s st t tr v w z);
my @VOWELS = qw(a e i o u ea io);
my @CODAS = ('', '', qw(n r l s t m nd rt x));
my @STOP = qw(the of and a in to we is that for with on as are this by);

sub new
{
	my ($class, %arg) = @_;
	my $self = bless {
		vocabulary => $arg{vocabulary} || 3000,
		length => $arg{length} || 60,
		words => [],
		docs => [],
		# a linear congruential generator: the same numbers everywhere
		state => ($arg{seed} || 1) * 2654435761 % 4294967296,
	}, $class;
	my %seen;
	while (@{ $self->{words} } < $self->{vocabulary})
	{
		my $word = join('', map {
			$self->pick(\@ONSETS) . $self->pick(\@VOWELS) . $self->pick(\@CODAS)
		} 1 .. 1 + $self->below(3));
		push @{ $self->{words} }, $word unless $seen{$word}++;
	}
	return $self;
}

# A number in 0 .. n - 1.
sub below
{
	my ($self, $n) = @_;
	$self->{state} = ($self->{state} * 1664525 + 1013904223) % 4294967296;
	return int($self->{state} / 4294967296 * $n);
}

sub pick { my ($self, $list) = @_; return $list->[ $self->below(scalar @$list) ]; }

# Frequent words first: rank r with a probability of about 1 / r.
sub word
{
	my ($self, $topic) = @_;
	my $n = $self->{vocabulary};
	my $rank = int(exp($self->below(1_000_000) / 1_000_000 * log($n)));
	return $self->{words}[ ($rank * 7 + $topic * 131) % $n ]
	  if defined $topic && $self->below(3) == 0;
	return $self->{words}[ $rank - 1 ];
}

sub token
{
	my ($self, $topic) = @_;
	my $kind = $self->below(40);
	return $self->pick(\@STOP) if $kind < 10;
	return $self->word($topic) . '-' . $self->word($topic) if $kind == 10;
	return ucfirst($self->word($topic)) . uc($self->pick(\@ONSETS))
	  if $kind == 11;
	return uc(substr($self->word($topic), 0, 3)) . 's' if $kind == 12;
	return $self->below(200) / 10 . '\%' if $kind == 13;
	return '\textbf{' . $self->word($topic) . '}' if $kind == 14;
	return $self->word($topic) . "\xc3\xa9" if $kind == 15;
	return ucfirst($self->word($topic)) . '-' . $self->below(9) if $kind == 16;
	return $self->word($topic) . ',' if $kind == 17;
	return $self->word($topic);
}

sub text
{
	my ($self, $n) = @_;
	my $topic = $self->below(25);
	my @tokens = map { $self->token($topic) } 1 .. $n;
	# bursts: a word that was used is likely to be used again
	for (1 .. $n / 8)
	{
		$tokens[ $self->below($n) ] = $tokens[ $self->below($n) ];
	}
	return join(' ', @tokens) . '.';
}

# (title, abstract): now and then equal to an earlier one, empty or undef.
sub document
{
	my ($self) = @_;
	my $special = $self->below(60);
	my $docs = $self->{docs};
	my $doc;

	if ($special == 0) { $doc = [ undef, undef ]; }
	elsif ($special == 1) { $doc = [ '', '' ]; }
	elsif ($special < 5 && @$docs) { $doc = $self->pick($docs); }
	else
	{
		my $n = 5 + $self->below(2 * $self->{length} - 10);
		$doc = [ $self->text(4 + $self->below(6)), $self->text($n) ];
	}
	push @$docs, $doc;
	return @$doc;
}

# Some words that stand together in a document.
sub passage
{
	my ($self, $n) = @_;
	my $doc;
	do { $doc = $self->pick($self->{docs}) } until defined $doc->[1] && $doc->[1] ne '';
	my @words = split / /, $doc->[1];
	my $at = $self->below(@words > $n ? @words - $n : 1);
	return join(' ', grep { defined } @words[ $at .. $at + $n - 1 ]);
}

sub words { my ($self, $n) = @_; return join(' ', map { $self->word($self->below(25)) } 1 .. $n); }

sub tree
{
	my ($self, $depth) = @_;
	return $self->below(4) ? $self->word : '"' . $self->passage(2) . '"'
	  if $depth == 0;
	my $op = $self->pick([ 'AND', 'OR', 'AND NOT', '' ]);
	return '(' . $self->tree($depth - 1) . " $op " . $self->tree($depth - 1) . ')';
}

sub query
{
	my ($self, $kind) = @_;
	my $n = $self->{vocabulary};

	return $self->word if $kind eq 'one';
	return $self->words(2) if $kind eq 'two';
	return $self->words(4) if $kind eq 'four';
	return $self->passage(8) if $kind eq 'eight';
	return $self->{words}[ $self->below(5) ] if $kind eq 'frequent';
	return $self->{words}[ $n - 1 - $self->below($n / 2) ] if $kind eq 'rare';
	return 'zzyzx' . $self->below(1000) if $kind eq 'absent';
	return $self->pick([ '', ' ', '...', '()' ]) if $kind eq 'empty';
	return 'the of and' if $kind eq 'stop';
	return '"' . $self->passage(2 + $self->below(2)) . '" ' . $self->word
	  if $kind eq 'phrase';
	return '+' . $self->word . ' ' . $self->words(2) . ' +' . $self->word
	  if $kind eq 'must';
	return $self->pick([ '', $self->words(2) ]) . ' -' . $self->word
	  if $kind eq 'not';
	return '+' . $self->word . ' -' . $self->word . ' "' . $self->passage(2) . '" ' . $self->words(2)
	  if $kind eq 'mixed';
	return $self->tree(1 + $self->below(3)) if $kind eq 'tree';
	return $self->word . '-' . $self->word . ' +' . $self->word . '-' . $self->word
	  if $kind eq 'compound' && $self->below(2);
	return $self->passage(3) if $kind eq 'compound';
	return ucfirst($self->word) . uc($self->pick(\@ONSETS)) . ' ' . uc(substr($self->word, 0, 3))
	  if $kind eq 'name';
	return $self->passage(1000) if $kind eq 'whole';
	return join('', map { $self->pick([ '(', ')', '"', '+', '-', ' AND ', ' OR ', ' NOT ', ' ', $self->word, '\\', '$', "'", '*', '~', '^' ]) } 1 .. 12)
	  if $kind eq 'hostile';
	die "no such kind of query: $kind";
}

# A field for COPY in text format.
sub copy_field
{
	my ($value) = @_;
	return '\N' unless defined $value;
	$value =~ s/([\\\t\n\r])/{"\\" => '\\\\', "\t" => '\t', "\n" => '\n', "\r" => '\r'}->{$1}/ge;
	return $value;
}

1;
