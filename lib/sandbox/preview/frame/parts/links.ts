import type { Given } from './given.ts';
import { pathOf } from './path-of.ts';

/**
 * Makes links, forms and `window.open` lead to other pages of the workspace: reports their addresses to the studio. Downloads
 * and forms to be posted only print a warning.
 */
export function followLinks({ leave }: Given): void {
  addEventListener('click', (event) => {
    if (event.defaultPrevented || event.button !== 0) return;
    const link = event
      .composedPath()
      .find((target) => target instanceof HTMLAnchorElement || target instanceof SVGAElement);
    const address = link?.getAttribute('href') ?? link?.getAttribute('xlink:href') ?? '#';
    if (link === undefined || address.startsWith('#') || /^javascript:/i.test(address)) return;
    event.preventDefault();
    if (link.hasAttribute('download')) warn(`A preview cannot save files: "${link.getAttribute('download')}".`);
    else leave(address);
  });
  addEventListener('submit', (event) => {
    const { target: form, submitter, defaultPrevented } = event;
    if (defaultPrevented || !(form instanceof HTMLFormElement)) return;
    const given = (name: string) => submitter?.getAttribute(`form${name}`) ?? form.getAttribute(name) ?? '';
    const method = given('method').toLowerCase();
    if (method === 'dialog') return;
    event.preventDefault();
    if (method === 'post') return warn('A preview has no server: the form was not sent.');
    const fields = [...new FormData(form, submitter)].map(([name, value]) => [
      name,
      typeof value === 'string' ? value : value.name,
    ]);
    const address = given('action').replace(/[?#].*$/, '') || location.pathname;
    leave(`${address}?${new URLSearchParams(fields)}`);
  });
  const { open } = window;
  window.open = (address, ...rest) => {
    if (address === undefined || pathOf(String(address)) === undefined) return open(address, ...rest);
    leave(String(address));
    return null;
  };
}

const { warn } = console;
