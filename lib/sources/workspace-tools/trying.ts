import { propertiesOf } from '#lib/tools/schema/json-schema.ts';
import type { WorkspaceToolFile } from './workspace-tool-file.ts';

/**
 * Code that defines the function for trying a tool of the workspace, even before it is allowed: `await tool('count_words', {
 * path: '/notes.md' })`.
 */
const TOOL = `globalThis.tool ??= (name, input = {}) => {
  const tried = Object.hasOwn(globalThis.tool, name) ? globalThis.tool[name] : undefined;
  if (tried === undefined) throw new Error('There is no tool “' + name + '” in this workspace.');
  return tried(input);
}`;

/**
 * Returns the pieces of code to run before `code` in the same session, so that calls `tool(name, input)` in `code` run the
 * workspace's tools, even those that are not allowed yet. An empty list if `code` has no such call; only tools that it names
 * are defined.
 */
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

/**
 * Returns code that calls a tool with `tool(name, input)` (see `tryingCode`), with placeholders as the values of the tool's
 * required arguments.
 */
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
