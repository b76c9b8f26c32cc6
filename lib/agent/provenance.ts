import { textOfDataUrl } from '#lib/base/data-url.ts';
import { pause } from '#lib/base/pause.ts';
import { sha256 } from '#lib/base/sha256.ts';
import type { Message, ToolCallPart } from '#lib/messages/message.ts';
import { findCalls, withoutInvisible } from '#lib/prompts/find-calls.ts';
import type { ProtocolTool } from '#lib/prompts/tool-names.ts';
import type { ToolIndex } from '#lib/tools/catalogue/tool-index.ts';
import { readsHere } from '#lib/tools/core/reads-here.ts';
import type { ToolSpec } from '#lib/tools/core/spec.ts';
import { resultContent } from '#lib/tools/core/tool-call.ts';
import type { CallOrigin } from '#lib/tools/execution/call-origin.ts';
import { resolveDelegatedCall } from '#lib/tools/execution/resolve-delegated-call.ts';
import { normalInput } from '#lib/tools/schema/normal-input.ts';
import { isBuiltInToolset } from '#lib/tools/toolset-names.ts';

type Place = Extract<CallOrigin, { type: 'read' }>['in'];

/**
 * Finds calls that the model may have copied from text that somebody else wrote: they also appear in its earlier input,
 * which is tool results, attachments, messages, and descriptions of external tools. Resolves with their origins, by their
 * ids. Calls that only read with the studio's own tools do not count, and neither do repetitions of an earlier call that the
 * model made on its own in a step that was not imported. `messages`: the branch up to these calls. `known`: all tools.
 * `workMax`: the maximum number of characters that are read in all. A text that is not read to its end counts as if it
 * contained every call.
 */
export async function originsOf(
  calls: readonly ToolCallPart[],
  messages: readonly Message[],
  known: Pick<ToolIndex, 'get'> & Partial<Pick<ToolIndex, 'list'>>,
  workMax = WORK_MAX,
): Promise<Map<string, CallOrigin>> {
  /**
   * The calls that are looked for, by their keys. `exactKey`: a key that also contains arguments that the tool does not
   * declare.
   */
  const wanted = new Map<string, { toolCallId: string; exactKey: string | undefined }[]>();
  const tools = new Set<ToolSpec>();
  for (const call of calls) {
    const meant = meantBy(call.toolName, call.input, known);
    const key = meant === undefined || readsHere(meant.tool) ? undefined : await keyOf(meant.tool, meant.input);
    if (meant === undefined || key === undefined) continue;
    tools.add(meant.tool);
    const exactKey = await keyOf(meant.tool, meant.input, 'kept');
    wanted.set(key, [...(wanted.get(key) ?? []), { toolCallId: call.toolCallId, exactKey }]);
  }
  const origins = new Map<string, CallOrigin>();
  if (wanted.size === 0) return origins;
  const delegate = known.get(DELEGATE);
  if (delegate !== undefined) tools.add(delegate);
  const names = [...tools].flatMap((tool) => [tool.name, ...(tool.aliases ?? [])]);
  const searched: ProtocolTool[] = [...tools].flatMap((tool) =>
    [tool.name, ...(tool.aliases ?? [])].map((name) => ({ name, inputSchema: tool.inputSchema })),
  );
  const asked = new Set(calls.map(({ toolCallId }) => toolCallId));
  /** The keys, undeclared arguments included, of the calls that the model has already made on its own. */
  const own = new Set<string | undefined>();
  const search = createSearch(
    searched,
    async (name, input) => {
      const meant = meantBy(name, input, known);
      return meant && keyOf(meant.tool, meant.input);
    },
    workMax,
  );
  const look = async (text: string, place: Place): Promise<void> => {
    if (!namesOne(text, names)) return;
    const { excerpts, isWhole } = await search(text);
    for (const [key, sought] of wanted) {
      // A text that cannot be searched to its end may hide any call.
      const excerpt = excerpts.get(key) ?? (isWhole ? undefined : text.slice(0, UNSEARCHED_EXCERPT));
      if (excerpt === undefined) continue;
      for (const { toolCallId, exactKey } of sought)
        if (!own.has(exactKey) && !origins.has(toolCallId))
          origins.set(toolCallId, { type: 'read', in: place, excerpt });
    }
  };
  for (const { name, toolset, description, inputSchema } of known.list?.() ?? [])
    if (!isBuiltInToolset(toolset))
      await look(`${description}\n${JSON.stringify(inputSchema)}`, { type: 'description', toolName: name });
  /** Whether the step was made here: anybody may have written one that was imported. */
  let isOwn = true;
  for (const part of messages.flatMap((message): Message['parts'][number][] => message.parts)) {
    if (part.type === 'step') isOwn = part.promptHash !== '';
    if (part.type === 'file' && !part.mediaType.startsWith('image/'))
      await look(textOfDataUrl(part.url), { type: 'attachment', name: part.filename ?? 'file' });
    if (part.type !== 'tool-call' || asked.has(part.toolCallId)) continue;
    const meant = meantBy(part.toolName, part.input, known);
    const key = meant && (await keyOf(meant.tool, meant.input, 'kept'));
    if (key !== undefined && isOwn && part.origin?.type !== 'read') own.add(key);
    const { result, toolName, toolCallId } = part;
    if (result === undefined) continue;
    await look(resultContent(result), {
      type: 'result',
      toolName,
      toolCallId,
    });
  }
  for (const message of messages)
    if (message.role === 'user') {
      for (const part of message.parts) if (part.type === 'text') await look(part.text, { type: 'message' });
    }
    // A summary may contain text that the model has read elsewhere.
    else
      for (const part of message.parts)
        if (part.type === 'compaction') await look(part.summary?.text ?? '', { type: 'message' });
  return origins;
}

/** The tool that calls others by their names. */
const DELEGATE = 'use_tool';

/**
 * The tool and the arguments of a call; of a call that only calls another tool, that tool and its arguments. Undefined if there
 * is no such tool.
 */
function meantBy(
  toolName: string,
  input: unknown,
  known: Pick<ToolIndex, 'get'>,
): { tool: ToolSpec; input: unknown } | undefined {
  const meant = resolveDelegatedCall({ toolName, input }, (name) => known.get(name));
  const tool = known.get(meant.toolName);
  return tool && { tool, input: meant.input };
}

/** The result of searching a text for calls. */
interface Searched {
  /** By the key of each call: the text around its first occurrence. */
  excerpts: ReadonlyMap<string, string>;
  /** Whether the text was searched to its end; if not, it may contain any call. */
  isWhole: boolean;
}

/**
 * The results of earlier searches, by a hash of the text and the tools, newest last: a branch is looked at again at every step.
 */
const searchedTexts = new Map<string, Searched>();
/** The maximum number of calls that are kept for all searched texts together. Each takes about 1 KB. */
const KEPT_CALLS_MAX = 20_000;
/** The number of calls at which a text counts as not searched to its end. */
const CALLS_MAX = 2_000;
/** The length, in characters, below which a text is searched again instead of kept. */
const KEPT_MIN_LENGTH = 500;
/** The maximum number of characters that are read for all texts of a branch together; about a second's work. */
const WORK_MAX = 40_000_000;
/** The number of characters that are read before other tasks get a turn. */
const WORK_UNTIL_PAUSE = 1_000_000;

/**
 * Returns a function that finds the calls in a text. Once the work for one branch, `workMax`, is used up, further texts count
 * as not searched to their end. `keyOfCall`: returns a call's key; undefined for a call that does not count.
 */
function createSearch(
  tools: readonly ProtocolTool[],
  keyOfCall: (name: string, input: unknown) => Promise<string | undefined>,
  workMax: number,
): (text: string) => Promise<Searched> {
  const version = sha256(JSON.stringify(tools));
  let workLeft = workMax;
  let sincePause = 0;
  return async (text) => {
    const key = await sha256(`${await version} ${text}`);
    const kept = searchedTexts.get(key);
    if (kept !== undefined) {
      searchedTexts.delete(key);
      searchedTexts.set(key, kept);
      return kept;
    }
    if (sincePause >= WORK_UNTIL_PAUSE) {
      await pause();
      sincePause = 0;
    }
    if (workLeft <= 0) return { excerpts: new Map(), isWhole: false };
    const { calls, isWhole, work } = findCalls(text, tools, workLeft);
    workLeft -= work;
    sincePause += work;
    const excerpts = new Map<string, string>();
    for (const { name, input, excerpt } of calls) {
      const callKey = await keyOfCall(name, input);
      if (callKey !== undefined && !excerpts.has(callKey) && excerpts.size < CALLS_MAX)
        excerpts.set(callKey, detached(excerpt));
    }
    const searched = { excerpts, isWhole: isWhole && excerpts.size < CALLS_MAX };
    // A search that was cut only because the work was used up may go further the next time.
    if (text.length >= KEPT_MIN_LENGTH && workLeft > 0) keep(key, searched);
    return searched;
  };
}

/** A copy of a string: a slice would keep the whole text that it was cut from in memory. */
const detached = (text: string): string => structuredClone(text);

function keep(key: string, searched: Searched): void {
  searchedTexts.set(key, searched);
  let calls = 0;
  for (const { excerpts } of searchedTexts.values()) calls += excerpts.size + 1;
  for (const [oldest, { excerpts }] of searchedTexts) {
    if (calls <= KEPT_CALLS_MAX) break;
    searchedTexts.delete(oldest);
    calls -= excerpts.size + 1;
  }
}

/** The length of the excerpt from a text that was not searched to its end, in characters. */
const UNSEARCHED_EXCERPT = 400;

/**
 * Returns a key that calls which do the same have in common, and maybe a few other calls; undefined if the arguments are not an
 * object. `undeclared`: whether arguments that the schema does not declare are a part of the key; by default, they are not.
 */
async function keyOf(tool: ToolSpec, input: unknown, undeclared?: 'kept' | 'left-out'): Promise<string | undefined> {
  const normal = normalInput(input, tool.inputSchema, undeclared);
  return normal && sha256(`${tool.name} ${JSON.stringify(sorted(normal))}`);
}

/**
 * A value with the members of its objects in a fixed order, and its texts without differences that a model may introduce
 * unnoticed.
 */
function sorted(value: unknown): unknown {
  if (typeof value === 'string') return plain(value);
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.entries(value)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([key, entry]) => [key, sorted(entry)]);
}

/** A text to compare: without differences in line endings, invisible characters, trailing spaces, and spellings of paths. */
function plain(text: string): string {
  const visible = withoutInvisible(text)
    .replaceAll(/\r\n?/g, '\n')
    .replaceAll(/[ \t]+$/gm, '')
    .trim();
  return /\s/.test(visible) ? visible : visible.replaceAll(/\/(?:\.?\/)+/g, '/').replaceAll(/^(?:\.?\/)+|\/\.?$/g, '');
}

/** Checks cheaply whether a text may contain one of the names: most texts contain none in any spelling. */
function namesOne(text: string, names: readonly string[]): boolean {
  if (/\\[ux][\da-f]|&(?:#|\w+;)|%[\da-f]{2}/i.test(text)) return true;
  const letters = withoutInvisible(text).replaceAll('\\', '').toLowerCase();
  return names.some((name) => letters.includes(name.toLowerCase()));
}
