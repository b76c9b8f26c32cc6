import { lineOf } from './errors.ts';
import { global, slice, startsWith } from './primordials.ts';
import { refuse } from './refuse.ts';
import { state } from './state.ts';

const frameOrigin = new URL(location.href).origin;

/**
 * Reports everything that the frame's content security policy blocks (see `refuse`), except a previewed page's images of the
 * workspace, which the page's window then loads in another way. Must be called before code can add listeners, which could keep
 * the events from the kernel.
 */
export function listenForRefusals(): void {
  global.addEventListener('securitypolicyviolation', onRefusal, { capture: true });
}

function onRefusal({ effectiveDirective, blockedURI, lineNumber, sourceFile }: SecurityPolicyViolationEvent): void {
  const isOwn = startsWith(blockedURI, `${frameOrigin}/`);
  // An image of the workspace, which the page's window is about to get.
  if (state.isPage && isOwn && effectiveDirective === 'img-src') return;
  // A file of the workspace is named by its path.
  const target = state.isPage && isOwn ? slice(blockedURI, frameOrigin.length) : blockedURI;
  refuse(effectiveDirective, target, lineOf(`${sourceFile}:${lineNumber}`));
}
