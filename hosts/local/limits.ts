// The limits of the command line and the tool server. docs/COMMAND-LINE.md explains them; the folder's configuration can
// set the first ones lower.

/** How long a command may take unless the model says otherwise, and at most, in seconds. */
export const COMMAND_SECONDS = 30;
export const COMMAND_SECONDS_MAX = 120;

/** The largest file that tools read or write as a whole, in bytes. */
export const FILE_BYTES = 1_000_000;

/** How many matches a search returns. */
export const RESULTS = 100;

/** How many steps a turn may take. */
export const STEPS = 10;

/** How long git may take to say what it would use, in milliseconds, in how many repositories it is asked, and how long that counts. */
export const GIT_TIMEOUT_MS = 2_000;
export const GIT_ASKED_MAX = 20;
export const GIT_KNOWN_MS = 5_000;

/** How long a search may take, in milliseconds; a pattern that takes longer will probably never finish. */
export const SEARCH_TIMEOUT_MS = 15_000;

/** How long a check by a language server may take, in milliseconds. */
export const CHECK_TIMEOUT_MS = 30_000;

/** The memory of the thread that reads a document of the web, in megabytes. */
export const READER_MEMORY_MB = 512;

/** The longest line that the tool server reads, in bytes; longer ones are passed over. */
export const REQUEST_MAX_BYTES = 16_000_000;

/** How much requests that run or wait may take, in bytes; then the tool server reads no others until some are done. */
export const PENDING_MAX_BYTES = 64_000_000;

/** What each of them counts besides its text, in bytes. */
export const REQUEST_BYTES = 2_000;

/** How many lines of a diff are shown in the terminal. */
export const DIFF_LINES_MAX = 40;

/** How much of each of these lines is shown, in characters. */
export const DIFF_COLUMNS_MAX = 500;

/** The longest text from standard input, in characters. */
export const PROMPT_MAX_CHARS = 2_000_000;

/** How many tools from elsewhere are remembered as allowed; the oldest ones are forgotten, and asked about again. */
export const TOOL_PINS_MAX = 2_000;

/** The most answers about configurations of folders that are kept. */
export const CONFIG_ANSWERS_MAX = 500;

/** How many answers about files with tools are kept; the oldest ones are forgotten, and asked for again. */
export const OWN_TOOL_ANSWERS_MAX = 1_000;

/** How much of their contents is kept in all, in characters, to show later what has changed. */
export const OWN_TOOL_TEXTS_MAX = 5_000_000;

/** How often the tool server looks whether the files with tools have changed, in milliseconds. */
export const OWN_TOOLS_EVERY_MS = 1_000;
