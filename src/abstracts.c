/*-------------------------------------------------------------------------
 *
 * abstracts.c
 *		The module: what happens when the library is loaded.
 *
 * Loading needs no shared_preload_libraries and installs no hook; it only
 * registers the options of our indexes.
 *
 *-------------------------------------------------------------------------
 */
#include "compat.h"

#include "fmgr.h"

#include "am/am.h"

ABST_MODULE_MAGIC("1.0");

PGDLLEXPORT void _PG_init(void);

void
_PG_init(void)
{
	abst_options_init();
}
