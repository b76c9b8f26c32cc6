import type { createProtocolParser } from '#lib/prompts/parser.ts';
import type { ProtocolTool } from '#lib/prompts/tool-names.ts';

/** The number of characters that the parser gets at a time. */
export const CHUNK = 4;

const text = { type: 'string' } as const;
/** The tools of the parser. */
export const writeFile: ProtocolTool = {
  name: 'write_file',
  inputSchema: { type: 'object', properties: { path: text, content: text }, required: ['path', 'content'] },
};
export const editFile: ProtocolTool = {
  name: 'edit_file',
  inputSchema: { type: 'object', properties: { path: text, edits: { type: 'array' } }, required: ['path', 'edits'] },
};

const filled = (piece: string, length: number): string =>
  piece.repeat(Math.ceil(length / piece.length)).slice(0, length);
export const prose = (length: number): string =>
  filled('The quick brown fox jumps over the lazy dog; then it sleeps, for it is tired. ', length);
const code = (length: number): string =>
  filled('const a = { b: \'c\' };\nif (a < 3 && b > 2) { return "x"; }\n', length);
const call = (length: number): string =>
  JSON.stringify({ name: 'write_file', arguments: { path: '/a.ts', content: code(length) } });

/** A file of a given length, written in every format. */
export const CALLS: Record<string, (length: number) => string> = {
  canonical: (length) =>
    JSON.stringify({
      tool_calls: [
        { function: { name: 'write_file', arguments: JSON.stringify({ path: '/a.ts', content: code(length) }) } },
      ],
    }),
  'bare JSON': call,
  'fenced JSON': (length) => `\`\`\`json\n${call(length)}\n\`\`\``,
  Hermes: (length) => `<tool_call>${call(length)}</tool_call>`,
  'Qwen3-Coder': (length) =>
    `<tool_call>\n<function=write_file>\n<parameter=path>\n/a.ts\n</parameter>\n<parameter=content>\n${code(length)}\n</parameter>\n</function>\n</tool_call>`,
  'named tags': (length) => `<write_file>\n<path>/a.ts</path>\n<content>\n${code(length)}\n</content>\n</write_file>`,
  GLM: (length) =>
    `<tool_call>write_file\n<arg_key>path</arg_key>\n<arg_value>/a.ts</arg_value>\n<arg_key>content</arg_key>\n<arg_value>${code(length)}</arg_value>\n</tool_call>`,
  Pythonic: (length) => `[write_file(path="/a.ts", content=${JSON.stringify(code(length))})]`,
  Mistral: (length) => `[TOOL_CALLS]write_file[ARGS]${JSON.stringify({ path: '/a.ts', content: code(length) })}`,
  harmony: (length) =>
    `<|channel|>commentary to=functions.write_file <|constrain|>json<|message|>${JSON.stringify({ path: '/a.ts', content: code(length) })}<|call|>`,
};

/** Inputs designed to be slow to parse. */
export const ADVERSARIES: Record<string, (length: number) => string> = {
  'angle brackets': (length) => filled('<', length),
  braces: (length) => filled('{', length),
  'braces and spaces': (length) => filled('{ ', length),
  openers: (length) => filled('<tool_call>', length),
  'almost calls': (length) => filled('<tool_call>{"name', length),
  'almost bare calls': (length) => filled('{"name":"write_file","arg', length),
  'almost lists': (length) => filled('\n[write_file(pa', length),
  'almost fenced calls': (length) => filled('\n```json\n{"name":"write_file","arguments":{"path":"/a"}}x\n```', length),
  'almost headers': (length) => filled('<|channel|>commentary to=functions.x ', length),
  'an opener and spaces': (length) => `<tool_call>${filled(' ', length)}`,
  'deep nesting': (length) => `{"name":"edit_file","arguments":{"path":"/a","edits":${filled('[', length)}`,
  'closers in a value': (length) => `<function=write_file><parameter=content>${filled('</parameter>\n<', length)}`,
  'quotes in a value': (length) => `{"name":"write_file","arguments":{"content":"${filled('", "a', length)}`,
  backticks: (length) => filled('`', length),
  comments: (length) => filled('<!-- ', length),
  'quoted calls': (length) =>
    `<function=write_file>\n<parameter=content>\n${filled('<function=a>\n<parameter=b>\n', length)}`,
};

/** A text in the pieces in which it is streamed. */
export function* chunks(reply: string): Generator<string> {
  for (let at = 0; at < reply.length; at += CHUNK) yield reply.slice(at, at + CHUNK);
}

/** Measures the time that a parser takes for a reply, in milliseconds. */
export function timeParser(create: typeof createProtocolParser, reply: string): number {
  let next = 0;
  const parser = create({ tools: [writeFile, editFile], createId: () => `call-${next++}` });
  const startedAt = performance.now();
  for (const chunk of chunks(reply)) parser.push(chunk);
  parser.end();
  return performance.now() - startedAt;
}
