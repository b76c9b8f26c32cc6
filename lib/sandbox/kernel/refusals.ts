import { lineOf } from './errors.ts';
import { REFUSALS_MAX } from './limits.ts';
import { global, slice, startsWith, toText } from './primordials.ts';
import { send } from './send.ts';
import { state } from './state.ts';

/** The length of an address, in characters. */
const TARGET_MAX_CHARS = 500;
const DIRECTIVE_MAX_CHARS = 100;

const frameOrigin = new URL(location.href).origin;

let refusals = 0;

/**
 * Reports what the browser's policy refuses. Listens before any code does, which could otherwise keep the events from
 * the kernel.
 */
export function listenForRefusals(): void {
  global.addEventListener('securitypolicyviolation', onRefusal, { capture: true });
}

function onRefusal({ effectiveDirective, blockedURI, lineNumber, sourceFile }: SecurityPolicyViolationEvent): void {
  const isOwn = startsWith(blockedURI, `${frameOrigin}/`);
  // An image of the workspace, which the page's window is about to get.
  if (state.isPage && isOwn && effectiveDirective === 'img-src') return;
  if (refusals++ >= REFUSALS_MAX) return;
  const line = lineOf(`${sourceFile}:${lineNumber}`);
  // A file of the workspace is named by its path.
  const target = state.isPage && isOwn ? slice(blockedURI, frameOrigin.length) : blockedURI;
  send({
    type: 'refused',
    run: state.run,
    directive: slice(effectiveDirective, 0, DIRECTIVE_MAX_CHARS),
    target: slice(target, 0, TARGET_MAX_CHARS),
    ...(line !== undefined && { line }),
  });
}

/** Reports a window that code wanted to open. */
export function refusePopup(address: unknown): void {
  if (refusals++ >= REFUSALS_MAX) return;
  send({ type: 'refused', run: state.run, directive: 'popup', target: slice(toText(address), 0, TARGET_MAX_CHARS) });
}
