/** Limits of the engine, in one place; docs/ARCHITECTURE.md explains them. */

/** Contents up to this many bytes travel inside their commit's log record; larger ones are blobs of their own. */
export const INLINE_MAX_BYTES = 32 * 1024;

/** A commit whose small contents are more than this together puts them into packs instead. */
export const INLINE_COMMIT_MAX_BYTES = 128 * 1024;

/** So does one with more contents than this, however small: each of them would be copied for itself. */
export const INLINE_COMMIT_MAX_CONTENTS = 64;

/** From so many nodes on, the changes of a commit are stored in columns, and what it removed comes back as one. */
export const BULK_MIN_NODES = 64;

/** What a pack of small contents holds at most. A cold read of one loads its whole pack. */
export const PACK_MAX_BYTES = 4 * 1024 * 1024;

/** Packs and large contents from this size on are stored as a `Blob` where that is quicker. */
export const BLOB_MIN_BYTES = 64 * 1024;

/** A log tail with more commits, or more bytes of contents, than this is folded into a new snapshot. */
export const TAIL_MAX_COMMITS = 2_000;
export const TAIL_MAX_BYTES = 8 * 1024 * 1024;

/** How long nothing is committed before a tail that is due is folded; a tail twice as long is folded at once. */
export const COMPACTION_IDLE_MS = 1_000;

/** Contents kept in memory, least recently used out first. */
export const CONTENT_CACHE_MAX_BYTES = 128 * 1024 * 1024;

/** How long after it was opened a workspace loads what is not asked for yet; one of few packs does so at once. */
export const PREFETCH_DELAY_MS = 2_000;
export const PREFETCH_AT_ONCE_MAX_PACKS = 2;

/** Small contents that a page keeps of what its worker sent, least recently used out first. */
export const PAGE_CACHE_MAX_BYTES = 16 * 1024 * 1024;

/** When a page reads small contents ahead, where they are no more than this together, and how many with one message. */
export const PAGE_PREFETCH_DELAY_MS = 300;
export const PAGE_PREFETCH_MAX_BYTES = PAGE_CACHE_MAX_BYTES / 2;
export const PAGE_PREFETCH_FILES = 256;

/** A page lists the folders of its workspace ahead, too, where it has no more nodes than this, and how many entries at a time. */
export const PAGE_LISTED_MAX_NODES = 50_000;
export const PAGE_LISTED_ENTRIES = 2_000;

/** Calls that were taken over and are still fenced off from whoever had them before. */
export const FENCES_MAX = 1_000;
