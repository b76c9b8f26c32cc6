import { languageOfPath } from '#components/markdown/languages.ts';
import { callDiff } from '#lib/tools/core/call-diff.ts';
import type { ToolSpec } from '#lib/tools/core/spec.ts';

/** The argument that a call's card shows in full, as code. */
interface ShownArgument {
  code: string;
  language: string | undefined;
  label?: string;
  /** The names of the arguments that this includes, so that they are not shown separately. */
  covers: readonly string[];
}

/**
 * Returns the argument that a call's card shows in full, as the tool's presentation says: as code, as a file's content, or
 * together with another one as a diff. Undefined if the card shows none in full, or until that argument starts to arrive.
 */
export function shownArgument(
  tool: ToolSpec | undefined,
  input: ReadonlyMap<string, unknown>,
): ShownArgument | undefined {
  const view = tool?.presentation.input;
  if (view === undefined || !input.has(view.argument)) return undefined;
  const { argument } = view;
  const value = input.get(argument);
  switch (view.as) {
    case 'code':
      return { code: String(value), language: view.language, covers: [argument] };
    case 'file': {
      const path = String(input.get(view.path) ?? '');
      return { code: String(value), language: languageOfPath(path), label: path, covers: [argument, view.path] };
    }
    case 'diff': {
      const found = callDiff(view, input);
      return found && { code: found.diff, language: 'diff', covers: found.covers };
    }
  }
}
