import { languageOfPath } from '#components/markdown/languages.ts';
import type { InputView } from '#lib/tools/core/presentation.ts';
import type { ToolSpec } from '#lib/tools/core/spec.ts';

/** The argument that a call's card shows in full. */
interface ShownArgument {
  code: string;
  language: string | undefined;
  label?: string;
  /** The arguments that need not be shown separately. */
  covers: readonly string[];
}

/** As the tool presents it. Undefined if it shows no argument in full, or until that argument starts to arrive. */
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
    case 'diff':
      return shownDiff(view, value, input);
  }
}

function shownDiff(
  view: Extract<InputView, { as: 'diff' }>,
  value: unknown,
  input: ReadonlyMap<string, unknown>,
): ShownArgument | undefined {
  const { argument } = view;
  switch (view.of) {
    case 'patch':
      return { code: String(value), language: 'diff', covers: [argument] };
    case 'edit':
      return { code: editAsDiff(input.get(view.find), value), language: 'diff', covers: [argument, view.find] };
    case 'edits': {
      if (!Array.isArray(value)) return undefined;
      const edits = value.map((edit) => new Map(Object.entries(edit ?? {})));
      const code = edits.map((edit) => editAsDiff(edit.get(view.find), edit.get(view.replace))).join('\n');
      return { code, language: 'diff', covers: [argument] };
    }
  }
}

/** A replacement as a diff of removed and added lines. */
function editAsDiff(find: unknown, replace: unknown): string {
  const lines = (text: unknown, mark: string) =>
    typeof text === 'string' && text !== '' ? text.split('\n').map((line) => mark + line) : [];
  return [...lines(find, '-'), ...lines(replace, '+')].join('\n');
}
