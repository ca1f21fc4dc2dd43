/*-------------------------------------------------------------------------
 *
 * bench-xapian.cc
 *		Ask Xapian; peer.h says how it is called.
 *
 * No positions, no document data; compacted after it is built.  BM25Weight
 * with k1 = 1.2 and b = 0.75, lengths not cut off (min_normlen 0); a word that
 * a query has twice counts twice (k3 large).  Its idf is that of Robertson
 * and Sparck Jones, bent where it would be negative.
 *
 *-------------------------------------------------------------------------
 */
#include <cstdlib>
#include <cstring>
#include <iterator>
#include <sstream>
#include <string>

#include <xapian.h>

#include "peer.h"

static Xapian::WritableDatabase writable;
static Xapian::Database database;
static std::string place;

static const char *
version(void)
{
	static const std::string text =
		std::string("Xapian ") + Xapian::version_string();

	return text.c_str();
}

static void
create(const char *folder)
{
	place = folder;
	writable = Xapian::WritableDatabase(place + "/built",
										Xapian::DB_CREATE | Xapian::DB_NO_SYNC);
}

static void
add(uint32_t, char *words)
{
	Xapian::Document document;

	for (char *word = strtok(words, " "); word; word = strtok(NULL, " "))
		document.add_term(word);
	writable.add_document(document);
}

/* The folder is to hold nothing but the compacted index. */
static void
finish(void)
{
	writable.commit();
	writable.compact(place + "/compact");
	writable.close();
	if (system(("rm -r '" + place + "/built'").c_str()) != 0)
		peer_die(place.c_str(), "cannot remove the first index");
}

static void
open_index(const char *folder)
{
	database = Xapian::Database(std::string(folder) + "/compact");
}

static int
search(const char *words, int k, uint32_t *numbers)
{
	std::istringstream in{std::string(words)};
	Xapian::Enquire enquire(database);
	int			n = 0;

	enquire.set_weighting_scheme(Xapian::BM25Weight(1.2, 0, 1e6, 0.75, 0));
	enquire.set_query(Xapian::Query(Xapian::Query::OP_OR,
									std::istream_iterator<std::string>(in),
									std::istream_iterator<std::string>()));
	Xapian::MSet best = enquire.get_mset(0, k);

	for (Xapian::MSetIterator i = best.begin(); i != best.end(); ++i)
		numbers[n++] = *i - 1;
	return n;
}

int
main(int argc, char **argv)
{
	static const Peer xapian = {version, create, add, finish, open_index,
	search};

	try
	{
		return peer_main(&xapian, argc, argv);
	}
	catch (const Xapian::Error &error)
	{
		peer_die("Xapian", error.get_description().c_str());
	}
	return 1;
}
