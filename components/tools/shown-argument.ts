import { languageOfPath } from '#components/chat/highlighter.ts';
import { toolRegistry } from '#lib/tools/toolsets.ts';

/** The argument that a call's card shows in full. */
interface ShownArgument {
  code: string;
  language: string | undefined;
  label?: string;
  /** The arguments that need not be shown separately. */
  covers: readonly string[];
}

/** As defined by the tool. Undefined if the tool shows no argument in full, or until that argument starts to arrive. */
export function shownArgument(toolName: string, input: ReadonlyMap<string, unknown>): ShownArgument | undefined {
  const shows = toolRegistry.get(toolName)?.question?.shows;
  if (shows === undefined || !input.has(shows.argument)) return undefined;
  const { argument, as } = shows;
  const value = input.get(argument);
  const path = String(input.get('path') ?? '');
  switch (as) {
    case 'javascript':
    case 'bash':
    case 'diff':
      return { code: String(value), language: as, covers: [argument] };
    case 'file':
      return { code: String(value), language: languageOfPath(path), label: path, covers: [argument, 'path'] };
    case 'edit':
      return { code: editAsDiff(Object.fromEntries(input)), language: 'diff', covers: [argument, 'find'] };
    case 'edits':
      if (!Array.isArray(value)) return undefined;
      return { code: value.map(editAsDiff).join('\n'), language: 'diff', covers: [argument] };
  }
}

/** A replacement as a diff of removed and added lines. */
function editAsDiff(edit: unknown): string {
  const { find, replace } = (edit ?? {}) as { find?: unknown; replace?: unknown };
  const lines = (text: unknown, mark: string) =>
    typeof text === 'string' && text !== '' ? text.split('\n').map((line) => mark + line) : [];
  return [...lines(find, '-'), ...lines(replace, '+')].join('\n');
}
