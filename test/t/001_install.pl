#-------------------------------------------------------------------------
#
# 001_install.pl
#		CREATE EXTENSION, what it leaves in the catalogs, DROP EXTENSION.
#
# Every object of the extension has a comment, none lies outside the schema
# it was asked to go to, functions are safe to call with any search_path, and
# after DROP EXTENSION nothing is left.
#
#-------------------------------------------------------------------------
use strict;
use warnings;

use FindBin;
use lib "$FindBin::Bin/../lib";
use Test::More;

use AbstCluster;

my $node = AbstCluster->new('install');
$node->init;
$node->start;

# Everything that depends on the extension as its member.
my $members = q{
	SELECT d.classid, d.objid, pg_describe_object(d.classid, d.objid, 0) AS object
	  FROM pg_depend d JOIN pg_extension e
		ON d.refclassid = 'pg_extension'::regclass AND d.refobjid = e.oid
	 WHERE d.deptype = 'e' AND e.extname = 'abstracts'};

# Array and row types, and the entries of an operator family, are made by the
# server as part of another object.
my $commentless = q{
	SELECT string_agg(m.object, chr(10) ORDER BY m.object COLLATE "C")
	  FROM (} . $members . q{) m
	 WHERE obj_description(m.objid, m.classid::regclass::text::name) IS NULL
	   AND m.classid NOT IN ('pg_amop'::regclass, 'pg_amproc'::regclass)
	   AND NOT (m.classid = 'pg_type'::regclass AND EXISTS
			(SELECT FROM pg_type t WHERE t.oid = m.objid
				AND (t.typcategory = 'A' OR t.typrelid <> 0)))};

sub counts
{
	return $node->safe_psql(q{
		SELECT (SELECT count(*) FROM pg_proc), (SELECT count(*) FROM pg_type),
			(SELECT count(*) FROM pg_operator), (SELECT count(*) FROM pg_am),
			(SELECT count(*) FROM pg_opclass), (SELECT count(*) FROM pg_opfamily),
			(SELECT count(*) FROM pg_cast), (SELECT count(*) FROM pg_ts_config),
			(SELECT count(*) FROM pg_ts_dict), (SELECT count(*) FROM pg_ts_parser),
			(SELECT count(*) FROM pg_ts_template), (SELECT count(*) FROM pg_class),
			(SELECT count(*) FROM pg_namespace), (SELECT count(*) FROM pg_depend),
			(SELECT count(*) FROM pg_description)});
}

my $before = counts();
$node->safe_psql('CREATE EXTENSION abstracts');
my $count = $node->safe_psql("SELECT count(*) FROM ($members) m");
cmp_ok($count, '>', 0, "the extension has objects ($count)");
is($node->safe_psql($commentless), '', 'every object has a comment');

is($node->safe_psql("
	SELECT p.oid::regprocedure FROM ($members) m JOIN pg_proc p
		ON m.classid = 'pg_proc'::regclass AND p.oid = m.objid
	 WHERE p.proname !~ '^abstracts?_' AND p.proname <> 'abstracts'
	 ORDER BY 1"),
	'', 'every function is called abstract_* or abstracts_*');

is($node->safe_psql("
	SELECT p.oid::regprocedure FROM ($members) m JOIN pg_proc p
		ON m.classid = 'pg_proc'::regclass AND p.oid = m.objid
	 WHERE p.prosecdef ORDER BY 1"),
	'', 'no function runs with its owner\'s rights');

# Operator classes are complete, as far as the access method can tell.
is($node->safe_psql("
	SELECT c.opcname FROM ($members) m JOIN pg_opclass c
		ON m.classid = 'pg_opclass'::regclass AND c.oid = m.objid
	 WHERE NOT amvalidate(c.oid) ORDER BY 1"),
	'', 'every operator class is valid');

$node->safe_psql('DROP EXTENSION abstracts');
is(counts(), $before, 'DROP EXTENSION leaves nothing');

# A schema of its own, outside of every search_path.
$node->safe_psql('CREATE SCHEMA "Odd schema"');
$node->safe_psql('CREATE EXTENSION abstracts SCHEMA "Odd schema"');
is($node->safe_psql("
	SELECT m.object FROM ($members) m
	 WHERE m.object NOT LIKE '%\"Odd schema\"%'
	   AND m.classid NOT IN ('pg_am'::regclass, 'pg_cast'::regclass)
	   AND m.object !~ '^(operator \\d|function \\d)'
	 ORDER BY m.object COLLATE \"C\""),
	'', 'every object that has a schema goes where it is told');
my $error = $node->psql_error(
	'ALTER EXTENSION abstracts SET SCHEMA public');
like($error, qr/does not support SET SCHEMA/, 'it stays there');
$node->safe_psql('DROP EXTENSION abstracts; DROP SCHEMA "Odd schema"');

# A dump carries the extension, not its objects.
$node->safe_psql('CREATE EXTENSION abstracts');
my ($status, $dump, $stderr) =
  AbstCluster::run_command([ AbstCluster::program('pg_dump'), '-s' ],
	undef, $node->env);
is($status, 0, 'pg_dump works');
like($dump, qr/^CREATE EXTENSION IF NOT EXISTS abstracts/m,
	'the dump creates the extension');
unlike($dump, qr/^CREATE (FUNCTION|TYPE|OPERATOR)/m,
	'the dump holds none of its objects');

# The version the control file names is the one that is installed.
my ($version) =
  do { local (@ARGV, $/) = AbstCluster::top() . '/abstracts.control'; <> }
  =~ /^default_version\s*=\s*'([^']+)'/m;
is($node->safe_psql(
		"SELECT extversion FROM pg_extension WHERE extname = 'abstracts'"),
	$version, "version $version is installed");

$node->stop;
done_testing();
