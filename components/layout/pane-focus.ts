import { PANES, type PaneName } from '#components/hooks/workbench.ts';
import { focusComposer } from '#components/ui/focus.ts';

/** Selectors, in order of preference, of the element in a pane that gets the focus. It must be visible. */
const TARGETS: Readonly<Record<Exclude<PaneName, 'chat'>, readonly string[]>> = {
  threads: ['a[aria-current="page"]', 'nav a', 'button'],
  files: ['[role="tree"] [tabindex="0"]', 'input', 'button'],
  side: [
    '.monaco-editor .native-edit-context',
    '.monaco-editor textarea',
    'section[aria-label] [role="textbox"]',
    'section[aria-label] input',
    '[role="tab"][aria-selected="true"]',
  ],
};

const isSeen = (element: Element): boolean => element.getClientRects().length > 0;

const paneElement = (pane: PaneName): Element | undefined =>
  [...document.querySelectorAll(`[data-pane="${pane}"]`)].find(isSeen);

/** Moves the focus to a pane. Returns whether it is shown and has something to focus. */
export function focusPane(pane: PaneName): boolean {
  const element = paneElement(pane);
  if (element === undefined) return false;
  if (pane === 'chat') {
    focusComposer();
    return true;
  }
  for (const selector of TARGETS[pane]) {
    const target = [...element.querySelectorAll<HTMLElement>(selector)].find(isSeen);
    if (target === undefined) continue;
    target.focus();
    return true;
  }
  return false;
}

/** Moves the focus to the next (1) or previous (-1) shown pane. Elements name their pane in `data-pane`. */
export function focusNextPane(step: 1 | -1): void {
  const current = document.activeElement?.closest<HTMLElement>('[data-pane]')?.dataset.pane;
  const at = PANES.indexOf(current as PaneName);
  const from = at === -1 && step === -1 ? 0 : at;
  for (let moved = 1; moved <= PANES.length; moved++) {
    const pane = PANES[(from + step * moved + 2 * PANES.length) % PANES.length];
    if (pane !== undefined && pane !== current && focusPane(pane)) return;
  }
}
