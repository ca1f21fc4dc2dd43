#-------------------------------------------------------------------------
#
# Bench/Corpus.pm
#		Documents and queries: made up, Debian's package descriptions, or
#		those of a file.
#
# Whatever it is becomes a file of lines "number <tab> words", words of a to z
# with single blanks between them, so that every system sees the same words
# whatever it takes for one.
#
#-------------------------------------------------------------------------
package Bench::Corpus;

use strict;
use warnings;
use Digest::MD5 qw(md5);
use JSON::PP ();
use Bench::Tools;

my $most_words = 1000;    # CORPUS_MAX_TOKENS of corpus.h
my $least_words = 10;
my $apt_lists = '/var/lib/apt/lists';
my $apt_helper = '/usr/lib/apt/apt-helper';

# Options: name (synthetic, deb, or a path), ndocs (0 is all), here (folder of
# the programs).
sub new
{
	my ($class, %self) = @_;
	my $self = bless {%self}, $class;
	if ($self->{name} eq 'synthetic')
	{
		$self->{ndocs} ||= 200_000;
		$self->{spec} = $self->{ndocs};
		$self->{path} = scratch() . '/documents';
		$self->_make_up;
	}
	else
	{
		$self->{path} = $self->{spec} = $self->_write(
			$self->{name} eq 'deb' ? in_turn(descriptions()) : texts_of_file($self->{name}));
	}
	return $self;
}

# What stands in headings and names of files.
sub label
{
	my ($self) = @_;
	return $self->{name} =~ /^(?:synthetic|deb)$/ ? $self->{name} : 'file';
}

sub path { return $_[0]->{path}; }

# How our own programs are told of it.
sub spec { return $_[0]->{spec}; }

sub figures
{
	my ($self) = @_;
	return lines_of("$self->{here}/bench-corpus", 'figures', $self->{spec});
}

# Pairs of a class and a query.
sub queries
{
	my ($self, $per_class) = @_;
	return map { [ split /\t/ ] }
	  lines_of("$self->{here}/bench-corpus", 'queries', $self->{spec}, $per_class);
}

sub _make_up
{
	my ($self) = @_;
	open(my $from, '-|', "$self->{here}/bench-corpus", 'docs', $self->{ndocs})
	  or die "bench-corpus: $!\n";
	open(my $to, '>', $self->{path}) or die "$self->{path}: $!\n";
	while (<$from>) { print $to $_; }
	close $from or die "cannot make the documents\n";
	close $to or die "$self->{path}: $!\n";
	return;
}

# Words of the texts; those that are there already or too short are left out.
sub _write
{
	my ($self, $next) = @_;
	my (%seen, @lines);
	while (defined(my $text = $next->()))
	{
		my @words = lc($text) =~ /[a-z]+/g;
		splice @words, $most_words if @words > $most_words;
		next if @words < $least_words;
		my $words = join ' ', @words;
		push @lines, @lines . "\t$words" unless $seen{ md5($words) }++;
		last if $self->{ndocs} && @lines == $self->{ndocs};
	}
	die "$self->{name}: only ", scalar @lines, " documents of $least_words words\n"
	  if @lines < 100;
	return write_lines('documents', @lines);
}

# A function that gives one after the other, then nothing.
sub in_turn
{
	my (@texts) = @_;
	return sub { return shift @texts; };
}

# The same of a file: a text a line, or JSON lines with a title and a text,
# which other collections call abstract; either may be gzipped.
sub texts_of_file
{
	my ($path) = @_;
	die "$path: cannot be read\n" unless -r $path;
	my @open = $path =~ /\.gz$/ ? ('-|', 'gzip', '-dc', $path) : ('<', $path);
	my $mode = shift @open;
	# gzip is to end in silence where only the first documents are wanted
	local $SIG{PIPE} = 'DEFAULT';
	open(my $file, $mode, @open) or die "$path: $!\n";
	my $json = JSON::PP->new->utf8;
	return sub {
		my $line = <$file>;
		close $file or die "$path: cannot be read to its end\n" unless defined $line;
		return $line unless defined $line && $line =~ /^\{/;
		my $record = eval { $json->decode($line) }
		  or die "$path, line $.: not JSON\n";
		return join ' ', grep { defined } @{$record}{qw(title text abstract)};
	};
}

# The records of apt's lists of a kind, whatever they are compressed with.
sub apt_records
{
	my ($kind) = @_;
	my %lists;
	for my $path (glob "$apt_lists/*$kind*")
	{
		my $name = $path =~ s/\.(?:lz4|gz|xz|bz2|zst)$//r;
		$lists{$name} ||= $path;
	}
	return map { split /\n\n/, join "\n", lines_of($apt_helper, 'cat-file', $_) }
	  map { $lists{$_} } sort keys %lists;
}

# The descriptions of Debian's packages, in the order of the lists.
sub descriptions
{
	my (%long, @texts);
	for (apt_records('_i18n_Translation-en'))
	{
		my ($sum) = /^Description-md5: (\S+)/m or next;
		my ($text) = /^Description-en: (.*(?:\n .*)*)/m or next;
		$long{$sum} = $text;
	}
	say_out("Note: apt has no Translation-en list, so descriptions are one line each\n")
	  unless %long;
	for (apt_records('_Packages'))
	{
		my ($sum) = /^Description-md5: (\S+)/m;
		my ($text) = /^Description: (.*(?:\n .*)*)/m;
		$text = $long{$sum} if defined $sum && defined $long{$sum};
		push @texts, $text if defined $text;
	}
	die "$apt_lists has no packages; first: apt-get update\n" unless @texts;
	return @texts;
}

1;
