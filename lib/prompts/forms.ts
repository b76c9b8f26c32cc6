import { readCallItems } from './grammars/call-items.ts';
import { readDelimitedCall } from './grammars/delimited-calls.ts';
import { readFencedList, readToolCode } from './grammars/fenced-calls.ts';
import { readFunctools } from './grammars/functools.ts';
import { readHarmonyCall } from './grammars/harmony.ts';
import { readCallList, readCallObject } from './grammars/json-calls.ts';
import { readPythonCall, readPythonList } from './grammars/python-calls.ts';
import { readAction } from './grammars/react.ts';
import { readTagCalls } from './grammars/tag-calls.ts';
import { readMistralCalls, readTokenCalls } from './grammars/token-calls.ts';
import { REASONING } from './markers.ts';
import type { Reply } from './reply.ts';
import type { Reading } from './source.ts';

/**
 * A kind of position in a text at which a `Form`, such as a call, is recognized. In block quotations and tables, no form is
 * recognized.
 */
export type Where =
  | 'anywhere'
  /** At the beginning of a line. */
  | 'line'
  /** At the beginning of a line that contains nothing else. */
  | 'own line'
  /** Inside a line, directly after what ends a sentence, or after a colon. */
  | 'behind sentence'
  /** At the beginning of a word, outside of inline code. */
  | 'word'
  /** Anywhere but inside inline code. */
  | 'outside code'
  /** Anywhere but between words, where a marker is only mentioned. */
  | 'not between words'
  /** After a call, with nothing but white space in between. */
  | 'behind call'
  /** Before the first character of the reply, or of what follows a call or reasoning. */
  | 'message start'
  /** In a fence that may contain calls. */
  | 'fence'
  /** In a fence of Gemma's `tool_code`. */
  | 'tool_code'
  /** Only where a call is shown instead of made, and in a text that the model did not write. */
  | 'quotation'
  /** Only in a text that the model did not write and that is searched for calls. */
  | 'foreign text';

/** The surroundings of the position at which a `CallGrammar` reads a call. */
export interface Place {
  /** Whether the place is at the beginning of a line, where the name of a tag may be that of a tool. */
  readonly startsLine: boolean;
  /**
   * Whether the place is in the middle of a sentence, where an object counts only if it is an envelope of calls, such as one
   * with `tool_calls`.
   */
  readonly isSpoken: boolean;
  /** Whether the place is inside a fence that is meant for calls, where calls of unknown tools count, too. */
  readonly isAnnounced: boolean;
}

/** The place of a call that is read as if nothing surrounded it. */
export const ON_ITS_OWN: Place = { startsLine: true, isSpoken: false, isAnnounced: false };

/**
 * A function that reads the calls of a `Form` (a notation for calls), beginning at its first character, where the reply's
 * source stands, and writes them to the reply's output. `place`: what surrounds that position, such as whether it begins a
 * line. Throws `REFUSAL` if the text is not a call.
 */
export type CallGrammar = (reply: Reply, place: Place) => Reading<void>;

/** The kind of a `Form` that no `CallGrammar` reads, because it contains no calls, or not only calls. */
export type Role =
  /** Reasoning, up to its own closing marker. */
  | 'thought'
  /** A message with a header, in gpt-oss's form: reasoning, text, or a call. */
  | 'message'
  /** A fence, which may contain calls. */
  | 'fence'
  /** A closing tag that belongs to a call or to reasoning. */
  | 'closer'
  /** A token that a template puts around messages, results or calls. */
  | 'token'
  /** A container of calls that contains none. */
  | 'empty block'
  /** An HTML comment, which is text. */
  | 'comment'
  /** An opening tag whose closing tag looks like a token; it is text. */
  | 'strikethrough'
  /** A marker of a tool's result or of the user's next message, which the model invents. */
  | 'result'
  /** The tag of an invented result. */
  | 'result tag'
  /** The studio's own marker of a result, with a tool's name. */
  | 'named result'
  /** A character or a marker that is not part of the answer, and is not shown. */
  | 'filler';

/** A notation, or a family of notations, in which models write something that is not text, such as a call or reasoning. */
export interface Form {
  /** Texts that begin the form, any one of them: markers, or single characters. `['']` if anything does. */
  readonly opener: readonly string[];
  /** The characters that may follow an opener of a single character; any if left out. */
  readonly next?: RegExp;
  /** The positions at which the form counts. */
  readonly where: readonly Where[];
  /** The grammar that reads the form's calls, or the form's role if it has no such grammar. */
  readonly read: CallGrammar | Role;
  /**
   * Endings of a reply that are cut-off beginnings of the form, and are not shown: at least five characters of a literal, or
   * text that fits a pattern. They may stand anywhere, except between words if the form does not count there.
   */
  readonly cut?: readonly (string | RegExp)[];
}

/** Matches the first character of a tag's name, or of DeepSeek's `｜DSML｜` before it. */
const TAG = /[a-z_｜]/i;
const THOUGHT_TAGS = [...REASONING.keys()].filter((opener) => opener.startsWith('<'));
const CALL_TAGS = ['tool_call', 'tool_calls', 'function_calls', 'function_call', 'invoke', 'function=', 'TOOLCALL'];
const LETTERS = Array.from('abcdefghijklmnopqrstuvwxyz', (letter) => [letter, letter.toUpperCase()]).flat();
const TOKEN = ['<|', '<｜'];
const HARMONY_TOKEN = TOKEN.flatMap((opening) => ['start', 'channel'].map((name) => `${opening}${name}`));
const CALL_TOKEN = TOKEN.flatMap((opening) =>
  ['tool', 'python', 'START', 'action', 'open'].map((name) => `${opening}${name}`),
);

/**
 * Every form that the parser reads, in the order in which those with the same first character are tried. A new form is
 * a grammar and a row here: `openings.ts` derives from it where the parser stops, and what it tries.
 */
export const FORMS: readonly Form[] = [
  // Reasoning: tags, which end their line if they stand inside it, Kimi-VL, and Magistral.
  { opener: THOUGHT_TAGS, where: ['line'], read: 'thought', cut: [...REASONING].flat() },
  { opener: THOUGHT_TAGS.map((tag) => `${tag}\n`), where: ['behind sentence'], read: 'thought' },
  { opener: ['◁think▷'], where: ['anywhere'], read: 'thought' },
  { opener: ['[THINK]'], where: ['line'], read: 'thought' },

  // Results and questions, which a reply contains only if the model invents them.
  { opener: ['<'], next: TAG, where: ['behind call'], read: 'result tag' },
  { opener: ['[tool_result '], where: ['line'], read: 'named result', cut: ['[tool_result '] },
  {
    opener: ['[TOOL_RESULTS]', 'Observation:', 'Result of ', 'Result:', 'User:'],
    where: ['behind call'],
    read: 'result',
  },

  // Tags: Hermes, Qwen, GLM, Seed-OSS, MiniMax, Nemotron, DeepSeek's DSML, `<invoke>`, and tags of tools' names.
  { opener: ['</'], where: ['anywhere'], read: 'closer', cut: CALL_TAGS.map((name) => `</${name}`) },
  { opener: ['<'], next: /[a-z_|｜]/i, where: ['own line'], read: 'empty block' },
  { opener: ['<!--'], where: ['anywhere'], read: 'comment' },
  { opener: ['<s>'], where: ['anywhere'], read: 'strikethrough' },
  {
    opener: ['<'],
    next: TAG,
    where: ['anywhere', 'fence'],
    read: (reply, { startsLine }) => readTagCalls(reply, readCallItems, startsLine),
    cut: [
      ...CALL_TAGS.map((name) => `<${name}`),
      '<seed:tool_call',
      '<minimax:tool_call',
      /^<\/?(?:｜DSML｜|(?:\w+:)?(?:tool_calls?|function_calls?|toolcall)\b|function[= ]|invoke )[^>]{0,400}$/i,
    ],
  },

  // Tokens: Llama, DeepSeek, Kimi, Command-R, InternLM, Granite, Gemma, LFM, gpt-oss, and the ends of all templates.
  {
    opener: HARMONY_TOKEN,
    where: ['not between words'],
    read: 'message',
    cut: [/^<\|(?:channel|start)\|>(?:[a-z][^\n]{0,300})?$/],
  },
  {
    // The last three begin Gemma's `<tool_call|>`, `<turn|>`, `<channel|>`, `<eos>` and `<end_of_turn>`.
    opener: [...TOKEN, '<t', '<c', '<e'],
    where: ['anywhere'],
    read: 'token',
    cut: ['<end_of_turn>', /^<[|｜][\w▁｜]{2,}[|｜]?$/],
  },
  { opener: CALL_TOKEN, where: ['anywhere'], read: readTokenCalls },
  { opener: HARMONY_TOKEN, where: ['quotation'], read: readHarmonyCall },

  // Objects: OpenAI's `tool_calls`, and Llama's call without a marker.
  {
    opener: ['{', '｛'],
    next: /[\s"'“‘”＂\w{]/,
    where: ['anywhere', 'fence'],
    read: (reply, { isAnnounced, isSpoken }) => readCallObject(reply, isAnnounced, isSpoken),
  },

  // Square brackets: Mistral, Llama 4's calls in Python, and lists of objects.
  { opener: ['[TOOL_CALLS]'], where: ['anywhere'], read: readMistralCalls, cut: ['[TOOL_CALLS]'] },
  { opener: ['[/TOOL_CALLS]'], where: ['behind call'], read: 'filler' },
  { opener: ['['], next: /[\s\w]/, where: ['own line'], read: (reply) => readPythonList(reply, false) },
  { opener: ['['], next: /[\s{/]/, where: ['line'], read: (reply) => readCallList(reply, false) },
  {
    opener: ['[', '［', '【'],
    where: ['fence'],
    read: (reply, { isAnnounced }) => readFencedList(reply, isAnnounced),
  },

  // Words: ReAct, the studio's `delimited` codec, and Phi.
  { opener: ['Action:', '**Action:**'], where: ['line'], read: readAction },
  { opener: ['@@call '], where: ['line'], read: readDelimitedCall, cut: ['@@call '] },
  { opener: ['functools['], where: ['word'], read: readFunctools },

  // Fences, and Gemma's `tool_code`.
  { opener: ['```'], where: ['outside code'], read: 'fence' },
  { opener: ['~~~'], where: ['line'], read: 'fence' },
  { opener: [''], where: ['tool_code'], read: readToolCode },
  // In any other fence: the shape of the studio's own signatures, and Python.
  { opener: ['_', ...LETTERS], where: ['fence'], read: (reply) => readPythonCall(reply, false) },

  // A bracket too many or a separator after a call, and a byte order mark.
  { opener: ['}', '｝', ']', '］', '】', ';'], where: ['behind call'], read: 'filler' },
  { opener: ['\ufeff'], where: ['message start'], read: 'filler' },

  // Objects and lists that would be calls in a fence for calls.
  { opener: ['{', '['], where: ['foreign text'], read: readCallItems },
];
