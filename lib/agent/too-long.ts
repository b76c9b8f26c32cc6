/** Matches limits on how much may be sent in some time, such as a minute. */
const PER_TIME = /\bper[ -](minute|min|day|hour)\b|\b[TR]P[MD]\b|rate[ _-]?limit|速率/i;

/** Matches other limits of an account or a request. Less text may help, but these limits are no window. */
const OF_ACCOUNTS = /\bquota\b|monthly limit|more credits|please wait|per request|in batch|限额|额度|流控|频率/i;

/** Matches limits of something other than the prompt: the answer, a field, a list, or a file. */
const OF_OTHERS =
  /max_(completion_|output_)?tokens\W{0,3}(?: ?(?:is|must|cannot|参数)\b|[:=参])|range of max_tokens|invalid max_tokens|completion tokens|(exceeded|fewer|number of|maximum).{0,30}output token|maximum tokens (you requested|value)|(string|array) too long|tool name|image (exceeds|dimensions)|\d ?MB\b|pixels|bytes|KV cache|context (deadline|cancel)|max_completion_tokens` specified/i;

/** Matches words that mean the window, whatever else is named. */
const OF_WINDOW =
  /(maximum|max|model'?s|available) context (length|size|window)|context (limit|length|size|window)\W{0,3}(is|of|:)/i;

/** Patterns that match a message that says that a prompt is too long: words of length together with words of a limit. */
const TOO_LONG: readonly RegExp[] = [
  /\b(prompt|inputs?|input content|conversation|messages|tokens?)\b.{0,60}(too (long|large)|exceed|longer than|> \d|larger than|over the)/i,
  /\bexceed\w{0,10}\b.{0,60}\b(context|token|tokens|input|prompt|length)\b/i,
  /\bcontext\b.{0,40}(exceed|overflow|not enough|reached|is full|too (long|small|large))|(reached|ran out of|than the|beyond the).{0,30}\bcontext\b/i,
  /(maximum|max|available|model).{0,20}(context|prompt|sequence|seq|model|input)[ _]?(length|len|size|window)|context (length|size|window) (is|of)|model token limit/i,
  /(tokens?|inputs)\b.{0,80}(must (be|have) (<=?|less than)|less than or equal)|(length of|number of|total).{0,60}must be (<=?|less than)/i,
  /reduce (the length|your prompt|your input|the number of messages)|shorten (the|your) (prompt|message|input|conversation)|shorter (input|prompt)|too many (input )?tokens/i,
  /token (limit|count|length).{0,40}(exceed|supports? up to|more than)|tokens length|range of (input|total) length|max size: \d+ tokens|max length\b|only supports up to \d+/i,
  /content_length_exceeds|context_length_exceeded|prompt_too_long|exceed_context_size/i,
  /(输入|请求|对话|内容|提示|prompt|token|上下文)[^。；;]{0,16}(超过|超出|过长|超长|太多|太长|上限)|(超出|超过)[^。；;]{0,12}(上下文|输入|长度|token)/i,
];

/** Forms in which servers name their window when they refuse a prompt, the surest way first. */
const NAMED_WINDOWS: readonly RegExp[] = [
  /"n_ctx":\s*(\d+)/,
  /available context size \((\d+)/i,
  /(?:maximum|max|model'?s|configured|loaded with|exceeds?|reached|total)[\w' /]{0,24}(?:context|model|sequence|seq|input|token|prompt|prompt\/context)[ _](?:length|len|size|window|count|tokens)\W{0,6}(?:is|of|:|only|=)*\W{0,6}(?:only )?(\d+)/i,
  /max_(?:model_len|seq_len|prompt_tokens|total_tokens)\W{0,3}(\d+)/i,
  /(\d+) maximum\b/i,
  />\s*(\d+)/,
  /(?:must be (?:<=?|less than(?: or equal to)?)|must have less than|cannot exceed|should be less than or equal to|up to|max(?:imum)? of|max of|max size:|max (?:token count|input length)[\w ]{0,12}|limit (?:is|of)|token limit:|limit of|limit is|max|model maximum|maximum allowed(?: input)? length(?: of)?|maximum input length|maximum length|allowed(?: length)?|configured limit of)\W{0,3}(\d+)/i,
  /context (?:window|length|size)(?: is| of|:)*\W{0,3}(?:only )?(\d+)/i,
  /range of (?:input|total) length should be \[\d+, (\d+)\]/i,
];

/** The part of a message that is read, in characters: servers say it at the beginning. */
const READ_MAX = 4_000;

/** The smallest context window that a model can be used with, in tokens. */
export const WINDOW_MIN = 512;

/**
 * Checks whether a server says that a prompt does not fit into its model's window: by words of length and of a limit that stand
 * together, in English and Chinese. Limits per time, of an account, of the answer, and of single fields do not count.
 */
export function saysTooLong(said: string): boolean {
  const text = said.slice(0, READ_MAX);
  if (PER_TIME.test(text) || OF_ACCOUNTS.test(text)) return false;
  if (OF_OTHERS.test(text) && !OF_WINDOW.test(text)) return false;
  return TOO_LONG.some((words) => words.test(text));
}

/** Checks whether a server's message names a limit on how much may be sent in some time, such as a minute. */
export const saysPerTime = (text: string): boolean => PER_TIME.test(text);

/**
 * Returns the size of the model's window that the text of a refusal names, in tokens; undefined if it names none of at least
 * `WINDOW_MIN`.
 */
export function namedWindow(refusal: string): number | undefined {
  const text = refusal.slice(0, READ_MAX).replaceAll(/(?<=\d),(?=\d{3}\b)/g, '');
  for (const pattern of NAMED_WINDOWS) {
    const window = Number(pattern.exec(text)?.[1]);
    if (window >= WINDOW_MIN) return window;
  }
  return undefined;
}
