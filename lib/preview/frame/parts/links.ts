import type { Given } from './given.ts';

/** Links lead to other pages of the workspace. */
export function followLinks({ leave }: Given): void {
  addEventListener('click', (event) => {
    if (event.defaultPrevented || event.button !== 0) return;
    const link = event.composedPath().find((target) => target instanceof HTMLAnchorElement);
    const address = link?.getAttribute('href') ?? '#';
    if (link === undefined || address.startsWith('#') || /^javascript:/i.test(address)) return;
    event.preventDefault();
    leave(address);
  });
}
