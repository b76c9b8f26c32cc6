import { propertiesOf } from '#lib/tools/schema/json-schema.ts';
import type { WorkspaceToolFile } from './workspace-tool-file.ts';

/** The function that a tool can be tried with, as it is now: `await tool('count_words', { path: '/notes.md' })`. */
const TOOL = `globalThis.tool ??= (name, input = {}) => {
  const tried = Object.hasOwn(globalThis.tool, name) ? globalThis.tool[name] : undefined;
  if (tried === undefined) throw new Error('There is no tool “' + name + '” in this workspace.');
  return tried(input);
}`;

/** The pieces of code that make the tools that some code names callable in its session, one for each. */
export function tryingCode(tools: readonly WorkspaceToolFile[], code: string): string[] {
  if (!/\btool\s*\(/.test(code)) return [];
  const named = tools.filter(({ name }) => code.includes(name));
  return [
    TOOL,
    ...named.map(
      // The file begins in the first line, so that lines in errors are those of the file.
      ({ name, body, timeout }) => `globalThis.tool.${name} = async ($input) => { 'use strict'; ${body}
return run($input, { vfs, signal: AbortSignal.timeout(${timeout * 1_000}) }); }; undefined`,
    ),
  ];
}

/** The code that tries a tool, with its required arguments to be filled in. */
export function tryCall({ name, inputSchema }: Pick<WorkspaceToolFile, 'name' | 'inputSchema'>): string {
  const properties = propertiesOf(inputSchema);
  const given = (inputSchema.required ?? []).map((key) => {
    const { type } = (properties.get(key) ?? {}) as { type?: unknown };
    const value =
      type === 'string'
        ? "''"
        : type === 'array'
          ? '[]'
          : type === 'object'
            ? '{}'
            : type === 'boolean'
              ? 'false'
              : '0';
    return `${/^[A-Za-z_$][\w$]*$/.test(key) ? key : JSON.stringify(key)}: ${value}`;
  });
  return `await tool('${name}'${given.length === 0 ? '' : `, { ${given.join(', ')} }`})`;
}
