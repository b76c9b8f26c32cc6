import type { InputView } from './presentation.ts';

/** The change that a call's arguments describe, as a diff. */
interface CallDiff {
  diff: string;
  /** The names of the arguments that `diff` shows completely, so that they need not be shown again. */
  covers: readonly string[];
}

/**
 * Returns the change that a call's arguments describe, as a diff to be shown, and the names of the arguments that the diff
 * shows completely (`covers`). `view`: which arguments describe the change, and in which form. `input`: the arguments by name.
 * Undefined if the argument that `view` names is missing, or is not of the type that a patch or a list of edits has.
 */
export function callDiff(
  view: Extract<InputView, { as: 'diff' }>,
  input: ReadonlyMap<string, unknown>,
): CallDiff | undefined {
  const { argument } = view;
  const value = input.get(argument);
  switch (view.of) {
    case 'patch':
      return typeof value === 'string' ? { diff: value, covers: [argument] } : undefined;
    case 'edit':
      return input.has(argument)
        ? { diff: replacement(input.get(view.find), value), covers: [argument, view.find] }
        : undefined;
    case 'edits': {
      if (!Array.isArray(value)) return undefined;
      const edits = value.map((edit: unknown, index) => {
        const { [view.find]: find, [view.replace]: replace, ...others } = Object(edit) as Record<string, unknown>;
        const said = Object.entries(others).map(([name, other]) => `, ${name}: ${JSON.stringify(other)}`);
        const title =
          value.length === 1 && said.length === 0 ? '' : `@@ ${index + 1} of ${value.length}${said.join('')} @@\n`;
        return `${title}${replacement(find, replace)}`;
      });
      return { diff: edits.join('\n'), covers: [argument] };
    }
  }
}

/** A replacement as a diff of removed and added lines. */
function replacement(find: unknown, replace: unknown): string {
  const lines = (text: unknown, mark: string) =>
    typeof text === 'string' && text !== '' ? text.split('\n').map((line) => mark + line) : [];
  return [...lines(find, '-'), ...lines(replace, '+')].join('\n');
}
