// The limits of the command line and the tool server. docs/COMMAND-LINE.md explains them; the folder's configuration can
// set the first ones lower.

/** The default time limit of a command, in seconds. The model can ask for another one. */
export const COMMAND_SECONDS = 30;
/** The longest time limit of a command, in seconds. */
export const COMMAND_SECONDS_MAX = 120;

/** The largest file that tools read or write as a whole, in bytes. */
export const FILE_BYTES = 1_000_000;

/** The maximum number of matches that a search returns. */
export const RESULTS = 100;

/** The number of steps that a turn may take by default. */
export const STEPS = 10;

/** The maximum time of one question to git about its settings, in milliseconds. */
export const GIT_TIMEOUT_MS = 2_000;
/** The maximum number of directories of a folder in which git is asked about its settings. */
export const GIT_ASKED_MAX = 20;
/** The time for which git's answer about its settings is used again, in milliseconds. */
export const GIT_KNOWN_MS = 5_000;

/** The maximum time of a search, in milliseconds; a pattern that takes longer will probably never finish. */
export const SEARCH_TIMEOUT_MS = 15_000;

/** The maximum time of a check by a language server, in milliseconds. */
export const CHECK_TIMEOUT_MS = 30_000;

/** The maximum memory of a thread that reads a document, in megabytes. */
export const READER_MEMORY_MB = 512;

/**
 * The longest line that `roundtrip serve` and `roundtrip mcp` read, in bytes. For a longer one, the former answers with an
 * error, and the latter ends the connection.
 */
export const REQUEST_MAX_BYTES = 16_000_000;

/**
 * The total size of the calls that run or wait from which on `roundtrip serve` reads nothing more until some are done, in
 * bytes.
 */
export const PENDING_MAX_BYTES = 64_000_000;

/** The size that each call counts toward `PENDING_MAX_BYTES` besides the length of its request, in bytes. */
export const REQUEST_BYTES = 2_000;

/** The maximum number of lines of a diff that are shown in the terminal, unless the person is to see all of it. */
export const DIFF_LINES_MAX = 40;

/** The length to which each line of a diff is cut, in characters. */
export const DIFF_COLUMNS_MAX = 500;

/** The longest task that `roundtrip run` takes from standard input, in characters. A longer one is refused. */
export const PROMPT_MAX_CHARS = 2_000_000;

/**
 * The maximum number of external tools that are remembered as allowed; the oldest ones are forgotten, and asked
 * about again.
 */
export const TOOL_PINS_MAX = 2_000;

/**
 * The maximum number of answers to whether the person trusts a folder's configuration that are kept; the oldest ones are
 * forgotten.
 */
export const CONFIG_ANSWERS_MAX = 500;

/**
 * The maximum number of answers to whether the model may use a workspace tool that are kept; the oldest ones are forgotten,
 * and asked for again.
 */
export const OWN_TOOL_ANSWERS_MAX = 1_000;

/**
 * The maximum total length of the files of workspace tools that are kept with the answers about them, in characters.
 * Comparisons with the kept contents show what has changed.
 */
export const OWN_TOOL_TEXTS_MAX = 5_000_000;

/**
 * The interval at which `roundtrip serve` and `roundtrip mcp` check whether files of workspace tools have changed, in
 * milliseconds.
 */
export const OWN_TOOLS_EVERY_MS = 1_000;
