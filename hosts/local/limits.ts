// The limits of the command line and the tool server. docs/COMMAND-LINE.md explains them; the folder's configuration can
// set the first ones lower.

/** The default time of a command, in seconds. The model can ask for another time. */
export const COMMAND_SECONDS = 30;
/** The maximum time of a command, in seconds. */
export const COMMAND_SECONDS_MAX = 120;

/** The largest file that tools read or write as a whole, in bytes. */
export const FILE_BYTES = 1_000_000;

/** The maximum number of matches that a search returns. */
export const RESULTS = 100;

/** The number of steps that a turn may take by default. */
export const STEPS = 10;

/** The maximum time of one question to git about its settings, in milliseconds. */
export const GIT_TIMEOUT_MS = 2_000;
/** The maximum number of repositories in which git is asked. */
export const GIT_ASKED_MAX = 20;
/** The time for which git's answer counts, in milliseconds. */
export const GIT_KNOWN_MS = 5_000;

/** The maximum time of a search, in milliseconds; a pattern that takes longer will probably never finish. */
export const SEARCH_TIMEOUT_MS = 15_000;

/** The maximum time of a check by a language server, in milliseconds. */
export const CHECK_TIMEOUT_MS = 30_000;

/** The maximum memory of the thread that reads a document of the web, in megabytes. */
export const READER_MEMORY_MB = 512;

/**
 * The longest line that the tool server reads, in bytes. A longer one is answered with an error or, over MCP, ends the
 * connection.
 */
export const REQUEST_MAX_BYTES = 16_000_000;

/** The size of all requests that run or wait at which the tool server reads no others until some are done, in bytes. */
export const PENDING_MAX_BYTES = 64_000_000;

/** The memory that each request takes besides its text, in bytes. */
export const REQUEST_BYTES = 2_000;

/** The maximum number of lines of a diff that are shown in the terminal. */
export const DIFF_LINES_MAX = 40;

/** The length to which each line of a diff is cut, in characters. */
export const DIFF_COLUMNS_MAX = 500;

/** The longest text from standard input, in characters. */
export const PROMPT_MAX_CHARS = 2_000_000;

/**
 * The maximum number of external tools that are remembered as allowed; the oldest ones are forgotten, and asked
 * about again.
 */
export const TOOL_PINS_MAX = 2_000;

/** The most answers about configurations of folders that are kept. */
export const CONFIG_ANSWERS_MAX = 500;

/**
 * The maximum number of answers about files with tools that are kept; the oldest ones are forgotten, and asked for
 * again.
 */
export const OWN_TOOL_ANSWERS_MAX = 1_000;

/**
 * The maximum length of all file contents that are kept with the answers about files with tools, in characters. The contents
 * later show what has changed.
 */
export const OWN_TOOL_TEXTS_MAX = 5_000_000;

/** The interval at which the tool server checks whether the files with tools have changed, in milliseconds. */
export const OWN_TOOLS_EVERY_MS = 1_000;
