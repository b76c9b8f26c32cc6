/** The limits of the file system engine in one place; docs/WORKSPACE.md explains them. */

/** Contents of up to this many bytes are stored inline in their commit's log record; larger ones are separate blobs. */
export const INLINE_MAX_BYTES = 32 * 1024;

/** If the small contents of a commit exceed this total size in bytes, they go into packs instead of its log record. */
export const INLINE_COMMIT_MAX_BYTES = 128 * 1024;

/** Above this number, a commit's small contents go into packs, however small, because each would be copied individually. */
export const INLINE_COMMIT_MAX_CONTENTS = 64;

/** From this many nodes on, a commit's changes are stored in columns, and a removal is restored as a unit. */
export const BULK_MIN_NODES = 64;

/** The maximum size in bytes of a pack of small contents. A cold read of one content loads its whole pack. */
export const PACK_MAX_BYTES = 4 * 1024 * 1024;

/** From this many bytes on, packs and large contents are stored as a `Blob` where that is faster. */
export const BLOB_MIN_BYTES = 64 * 1024;

/** A log tail (the commits since the last snapshot) with this many commits is folded into a new snapshot. */
export const TAIL_MAX_COMMITS = 2_000;

/** A log tail with this many bytes of small contents is folded, too. */
export const TAIL_MAX_BYTES = 8 * 1024 * 1024;

/**
 * The time without commits after which a log tail that has reached a limit is folded, in milliseconds. A tail that has reached
 * twice a limit is folded at once.
 */
export const COMPACTION_IDLE_MS = 1_000;

/** The size in bytes of the LRU cache of packs and of contents outside packs. */
export const CONTENT_CACHE_MAX_BYTES = 128 * 1024 * 1024;

/** The delay between opening a workspace and prefetching its packs, in milliseconds. */
export const PREFETCH_DELAY_MS = 2_000;

/** A workspace with no more packs than this prefetches them immediately. */
export const PREFETCH_AT_ONCE_MAX_PACKS = 2;

/** The size in bytes of a page's LRU cache of small contents received from its worker. */
export const PAGE_CACHE_MAX_BYTES = 16 * 1024 * 1024;

/** The delay between opening a workspace and prefetching small contents in a page, in milliseconds. */
export const PAGE_PREFETCH_DELAY_MS = 300;

/** The maximum size in bytes of the small contents that a page prefetches. */
export const PAGE_PREFETCH_MAX_BYTES = PAGE_CACHE_MAX_BYTES / 2;

/** The number of files that a page asks for in one message when it prefetches. */
export const PAGE_PREFETCH_FILES = 256;

/** The maximum number of nodes of a workspace whose folders a page also lists ahead of time. */
export const PAGE_LISTED_MAX_NODES = 50_000;

/** The approximate number of entries that a page lists ahead of time without a pause. */
export const PAGE_LISTED_ENTRIES = 2_000;

/** The maximum number of calls that were taken over and stay fenced off from their previous claimants. */
export const FENCES_MAX = 1_000;
