/** The limits of the file system engine in one place; docs/WORKSPACE.md explains them. */

/**
 * The maximum size in bytes of a small file content: one that is stored in its commit's log record, or in a pack with
 * others. Larger contents are stored individually.
 */
export const INLINE_MAX_BYTES = 32 * 1024;

/**
 * The maximum total size in bytes of the small file contents in one log record. If those of a commit are larger together,
 * they are stored in packs instead.
 */
export const INLINE_COMMIT_MAX_BYTES = 128 * 1024;

/**
 * The maximum number of small file contents in a commit's log record. If there are more, all of them are stored in packs:
 * in the record, each one is a buffer of its own, which may have to be copied out of a larger one first.
 */
export const INLINE_COMMIT_MAX_CONTENTS = 64;

/**
 * The number of nodes (files, folders, symlinks) from which a commit's changes are stored in columns instead of one by one,
 * and from which a restore names only the commit that removed the nodes, not each of them.
 */
export const BULK_MIN_NODES = 64;

/**
 * The maximum size in bytes of a pack, which holds small contents of several files. Reading one of them loads the whole
 * pack, unless it is in memory.
 */
export const PACK_MAX_BYTES = 4 * 1024 * 1024;

/** The size in bytes from which packs and large file contents are stored as a `Blob` in browsers that read those faster. */
export const BLOB_MIN_BYTES = 64 * 1024;

/**
 * The number of commits in the log's tail (the commits since the last snapshot of the tree) at which the tail is folded into
 * a new snapshot.
 */
export const TAIL_MAX_COMMITS = 2_000;

/**
 * The size in bytes of the small file contents in the log's tail (the commits since the last snapshot of the tree) at which
 * the tail is folded into a new snapshot.
 */
export const TAIL_MAX_BYTES = 8 * 1024 * 1024;

/**
 * The time without commits, in milliseconds, after which a log tail that has reached `TAIL_MAX_COMMITS` or `TAIL_MAX_BYTES`
 * is folded into a snapshot. A tail that has reached twice such a limit is folded at once.
 */
export const COMPACTION_IDLE_MS = 1_000;

/**
 * The maximum size in bytes of a workspace's LRU cache of file contents: whole packs, and contents that are stored
 * individually.
 */
export const CONTENT_CACHE_MAX_BYTES = 128 * 1024 * 1024;

/**
 * The delay between opening a workspace and loading its packs (stored groups of small file contents) ahead of time, in
 * milliseconds.
 */
export const PREFETCH_DELAY_MS = 2_000;

/** The number of packs up to which a workspace loads them ahead of time at once, without waiting for `PREFETCH_DELAY_MS`. */
export const PREFETCH_AT_ONCE_MAX_PACKS = 2;

/** The maximum size in bytes of a page's LRU cache of small file contents that it has received from its worker. */
export const PAGE_CACHE_MAX_BYTES = 16 * 1024 * 1024;

/**
 * The delay, in milliseconds, between opening a workspace in a page and listing its folders and loading small file contents
 * ahead of time.
 */
export const PAGE_PREFETCH_DELAY_MS = 300;

/**
 * The maximum total size in bytes of the small file contents that a page loads ahead of time. If more are missing from its
 * cache, it loads none.
 */
export const PAGE_PREFETCH_MAX_BYTES = PAGE_CACHE_MAX_BYTES / 2;

/** The number of files that a page requests from its worker in one message when it loads contents ahead of time. */
export const PAGE_PREFETCH_FILES = 256;

/**
 * The maximum number of nodes (files, folders, symlinks) in a workspace for which a page prepares the listings of all
 * folders ahead of time.
 */
export const PAGE_LISTED_MAX_NODES = 50_000;

/**
 * The approximate number of folder entries after which a page pauses, to stay responsive, while it prepares listings ahead
 * of time.
 */
export const PAGE_LISTED_ENTRIES = 2_000;

/**
 * The maximum number of fences that a workspace keeps. A fence says that an executor may no longer commit for a call,
 * because another one has taken the call over.
 */
export const FENCES_MAX = 1_000;
