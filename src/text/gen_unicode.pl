#!/usr/bin/perl
#
# gen_unicode.pl
#	Writes unicode_tables.h: character classes, folding, scripts.
#
# Uses only Perl's core modules, so the tables have the Unicode version of
# the Perl that ran it (5.36: Unicode 14).  Run it in this folder:
#	perl gen_unicode.pl > unicode_tables.h
#
use strict;
use warnings;
use feature 'unicode_strings';
use Unicode::Normalize qw(NFC NFD NFKD checkNFC getCombinClass);
use Unicode::UCD;

# The numbers are those of AbstCharClass in charclass.h.
my %class = (
	OTHER => 0, UPPER => 1, LOWER => 2, TITLE => 3, LETTER => 4, DIGIT => 5,
	MARK => 6, CJK => 7, SPACE => 8, DASH => 9, SCRIPTDIGIT => 10,
	SCRIPTSIGN => 11, INVISIBLE => 12, CONTROL => 13, NUMERAL => 14,
	JOINER => 15);
my $unsafe = 0x80;				# ABST_CHAR_NFC_UNSAFE

my %dash = map { $_ => 1 }
  (0x2D, 0x2010 .. 0x2013, 0x2043, 0x2212, 0xFE63, 0xFF0D);

sub class_of
{
	my ($cp) = @_;
	my $c = chr $cp;
	return 'DASH' if $dash{$cp};
	return 'JOINER' if $cp == 0x200C || $cp == 0x200D;
	return 'CONTROL' if $cp < 0x20 && $c !~ /[\t\n\r\f\x0B]/;
	return 'CONTROL' if $cp >= 0x7F && $cp <= 0x9F && $cp != 0x85;
	return 'SPACE' if $c =~ /\s/ || $cp == 0x2800;
	return 'INVISIBLE' if $c =~ /\p{Cf}/ && $c !~ /\p{Prepended_Concatenation_Mark}/;
	return 'INVISIBLE' if $cp >= 0xFE00 && $cp <= 0xFE0F || $cp == 0x034F
	  || $cp >= 0xE0100 && $cp <= 0xE01EF;
	return 'SCRIPTDIGIT' if $c =~ /[\x{B2}\x{B3}\x{B9}\x{2070}\x{2074}-\x{2079}\x{2080}-\x{2089}]/;
	return 'SCRIPTSIGN' if $c =~ /[\x{207A}\x{207B}\x{208A}\x{208B}]/;
	return 'CJK' if $c =~ /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Bopomofo}\p{Script=Yi}]/
	  && $c =~ /[\p{L}\p{Nl}]/;
	return 'CJK' if $cp == 0x30FC || $cp == 0xFF70;	# prolonged sound marks
	return 'UPPER' if $c =~ /\p{Lu}/;
	return 'LOWER' if $c =~ /\p{Ll}/;
	return 'TITLE' if $c =~ /\p{Lt}/;
	return 'LETTER' if $c =~ /\p{L}/;
	return 'DIGIT' if $c =~ /\p{Nd}/;
	return 'MARK' if $c =~ /\p{M}/;
	return 'NUMERAL' if $c =~ /\p{N}/;
	return 'OTHER';
}

# What NFKD and case folding do not give: letters with strokes, digraphs, and
# the punctuation that must become ASCII inside a token.
my %special = (
	0xC6 => 'ae', 0xE6 => 'ae', 0x152 => 'oe', 0x153 => 'oe',
	0xDF => 'ss', 0x1E9E => 'ss', 0x141 => 'l', 0x142 => 'l',
	0xD8 => 'o', 0xF8 => 'o', 0x110 => 'd', 0x111 => 'd', 0xD0 => 'd',
	0xF0 => 'd', 0xDE => 'th', 0xFE => 'th', 0x126 => 'h', 0x127 => 'h',
	0x131 => 'i', 0x138 => 'k', 0x149 => "n", 0x14A => 'ng', 0x14B => 'ng',
	0x166 => 't', 0x167 => 't', 0x180 => 'b', 0x197 => 'i', 0x268 => 'i',
	0x23D => 'l', 0x19A => 'l', 0x1E4 => 'g', 0x1E5 => 'g', 0x237 => 'j',
	0x2018 => "'", 0x2019 => "'", 0x201B => "'", 0x2BC => "'", 0x2032 => "'",
	0x2B9 => "'", 0xFF07 => "'", 0x2033 => '"', 0x201C => '"', 0x201D => '"',
	0xD7 => 'x', 0x2715 => 'x', 0x2A2F => 'x', 0x22C5 => '*', 0x2217 => '*',
	0x2044 => '/', 0x2215 => '/', 0x207A => '+', 0x208A => '+',
	0x207B => '-', 0x208B => '-', 0x2122 => '', 0xAE => '', 0xA9 => '',
	0x2120 => '', 0x2113 => 'l', 0x210F => 'h', 0x2102 => 'c',
	0x200C => '', 0x200D => '', 0x27E8 => '<', 0x27E9 => '>');
$special{$_} = '-' for keys %dash;

# Marks that are written or not as one likes.
sub loose_mark
{
	my ($cp) = @_;
	return $cp >= 0x300 && $cp <= 0x36F
	  || $cp >= 0x1AB0 && $cp <= 0x1AFF || $cp >= 0x1DC0 && $cp <= 0x1DFF
	  || $cp >= 0x20D0 && $cp <= 0x20FF || $cp >= 0xFE20 && $cp <= 0xFE2F
	  || $cp >= 0x591 && $cp <= 0x5C7 && chr($cp) =~ /\p{Mn}/
	  || $cp >= 0x64B && $cp <= 0x65F || $cp == 0x670
	  || $cp == 0x0345;
}

sub fold
{
	my ($cp) = @_;
	return $special{$cp} if exists $special{$cp};
	return '' if loose_mark($cp) || class_of($cp) eq 'INVISIBLE';
	my $c = chr $cp;
	return $c if $c =~ /\p{Script=Hangul}/;
	my $d = NFKD(CORE::fc(NFKD($c)));
	my $out = '';
	my $latin = 0;
	for my $x (split //, $d)
	{
		my $o = ord $x;
		if ($x =~ /\p{M}/)
		{
			next if $latin;
			$out .= $x;
			next;
		}
		$latin = $x =~ /[\p{Script=Latin}\p{Script=Greek}]/ ? 1 : 0;
		$out .= exists $special{$o} ? $special{$o} : $x;
	}
	$out = NFC($out);
	# a bare mark that a spacing accent decomposes to is of no use
	$out =~ s/^ [\p{M}]+$//;
	$out =~ s/\x{3C2}/\x{3C3}/g;
	return $out;
}

binmode STDOUT, ':utf8';

# --- classes: two stages of 128 characters
my (@stage1, @blocks, %seen);
for my $block (0 .. (0x110000 >> 7) - 1)
{
	my @b;
	for my $cp ($block << 7 .. ($block << 7) + 127)
	{
		if ($cp >= 0xD800 && $cp <= 0xDFFF)
		{
			push @b, $class{CONTROL};
			next;
		}
		my $k = $class{ class_of($cp) };
		my $c = chr $cp;
		my $q = checkNFC($c);
		$k |= $unsafe if !defined $q || !$q || getCombinClass($cp);
		push @b, $k;
	}
	my $key = join ',', @b;
	if (!exists $seen{$key})
	{
		$seen{$key} = scalar @blocks;
		push @blocks, [@b];
	}
	push @stage1, $seen{$key};
}
# the tail of private and unassigned planes repeats one block
my $last = $#stage1;
$last-- while $last > 0 && $stage1[$last] == $stage1[-1];

# --- folding
my (@fold, $pool, %pooled);
$pool = '';
for my $cp (0x80 .. 0x1FFFF)
{
	next if $cp >= 0xD800 && $cp <= 0xF8FF && $cp < 0xF900;
	next if $cp >= 0xAC00 && $cp <= 0xD7A3;
	my $c = chr $cp;
	next if $c =~ /\p{Cn}/;
	my $f = fold($cp);
	next if $f eq $c;
	my $bytes = $f;
	utf8::encode($bytes);
	next if length($bytes) > 24;
	if (!exists $pooled{$bytes})
	{
		my $at = index($pool, $bytes);
		if ($at < 0) { $at = length $pool; $pool .= $bytes; }
		$pooled{$bytes} = $at;
	}
	push @fold, [ $cp, $pooled{$bytes}, length $bytes ];
}

# --- superscript and subscript forms
my (%sup, %sub);
for my $cp (0xB2 .. 0x2CFF)
{
	next if $cp == 0xBA || $cp == 0xAA || $cp == 0x2120 || $cp == 0x2122;
	my $c = chr $cp;
	my $super = $c =~ /\p{Decomposition_Type=Super}/;
	next unless $super || $c =~ /\p{Decomposition_Type=Sub}/;
	my $d = NFKD(chr $cp);
	next if length($d) != 1;
	my $base = ord $d;
	next if $base > 0x3C9 && $base != 0x2212;
	my $h = $super ? \%sup : \%sub;
	$h->{$base} = $cp unless exists $h->{$base};
	if ($base == 0x2212) { $h->{0x2D} = $cp unless exists $h->{0x2D}; }
}

print <<"HEAD";
/*-------------------------------------------------------------------------
 *
 * unicode_tables.h
 *		Character tables of the reader.
 *
 * Made by gen_unicode.pl from Perl's Unicode @{[Unicode::UCD::UnicodeVersion()]}; do not edit.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ABST_TEXT_UNICODE_TABLES_H
#define ABST_TEXT_UNICODE_TABLES_H

HEAD

sub rows
{
	my ($per, @v) = @_;
	while (my @r = splice @v, 0, $per)
	{
		print "\t", join(', ', @r), @v ? ",\n" : "\n";
	}
}

printf "#define ABST_CLASS_BLOCKS %d\n", $last + 2;
print "\n/* block of 128 characters -> row of class_rows; the last is for all beyond */\n";
print "static const uint8 class_blocks[ABST_CLASS_BLOCKS] = {\n" if @blocks < 256;
print "static const uint16 class_blocks[ABST_CLASS_BLOCKS] = {\n" if @blocks >= 256;
rows(16, @stage1[ 0 .. $last ], $stage1[-1]);
print "};\n\nstatic const uint8 class_rows[][128] = {\n";
for my $i (0 .. $#blocks)
{
	print "\t{\n";
	my @v = @{ $blocks[$i] };
	while (my @r = splice @v, 0, 32)
	{
		print "\t\t", join(',', @r), @v ? ",\n" : "\n";
	}
	print "\t}", $i < $#blocks ? ",\n" : "\n";
}
print "};\n\n";

printf "#define ABST_NFOLDS %d\n\n", scalar @fold;
print "/* character, offset in fold_pool, bytes */\n";
print "static const struct\n{\n\tuint32\t\tcp;\n\tuint16\t\tat;\n\tuint16\t\tlen;\n}\t\t\tfold_map[ABST_NFOLDS] = {\n";
rows(6, map { sprintf '{0x%X,%d,%d}', @$_ } @fold);
print "};\n\nstatic const unsigned char fold_pool[] = {\n";
rows(16, map { sprintf '0x%02X', ord } split //, $pool);
print "};\n\n";

for my $k ([ 'super', \%sup ], [ 'sub', \%sub ])
{
	my ($name, $h) = @$k;
	print "/* character and its ${name}script form */\n";
	print "static const struct\n{\n\tuint16\t\tbase;\n\tuint16\t\tform;\n}\t\t\t${name}_forms[] = {\n";
	rows(6, map { sprintf '{0x%X,0x%X}', $_, $h->{$_} } sort { $a <=> $b } keys %$h);
	print "};\n\n";
}
print "#endif\t\t\t\t\t\t\t/* ABST_TEXT_UNICODE_TABLES_H */\n";
