import type { Given } from './given.ts';
import { pathOf } from './path-of.ts';

/** Makes images and media load from the workspace when code adds them to the page, in elements or in styles. */
export function defineElements(given: Given): void {
  defineSources(given);
  defineStyles(given);
}

function defineSources({ readFile }: Given): void {
  /**
   * Reads the workspace file of an address, and calls `set` with its data URL. Nothing is loaded before that, so that nothing
   * fails. If there is no such file, prints a warning and dispatches `error`. Returns false, and does nothing, if the address
   * is none of the workspace.
   */
  const adopt = (element: Element, address: string, set: (url: string) => void): boolean => {
    const wanted = pathOf(address);
    if (wanted === undefined) return false;
    readFile(wanted).then(set, () => {
      tellMissing(address);
      element.dispatchEvent(new Event('error'));
    });
    return true;
  };
  const properties: [{ prototype: Element }, 'src' | 'poster'][] = [
    [HTMLImageElement, 'src'],
    [HTMLMediaElement, 'src'],
    [HTMLSourceElement, 'src'],
    [HTMLVideoElement, 'poster'],
  ];
  for (const [{ prototype }, name] of properties) {
    const { get, set } = Object.getOwnPropertyDescriptor(prototype, name) ?? {};
    if (set === undefined) continue;
    Object.defineProperty(prototype, name, {
      configurable: true,
      enumerable: true,
      get,
      set(this: Element, address: unknown) {
        if (!adopt(this, String(address), (url) => set.call(this, url))) set.call(this, address);
      },
    });
  }
  const setAttribute = Element.prototype.setAttribute;
  const takes = (element: Element, name: string): boolean =>
    properties.some(
      ([type, property]) => property === name && Object.prototype.isPrototypeOf.call(type.prototype, element),
    );
  Element.prototype.setAttribute = function (name, value) {
    const isTaken =
      takes(this, name.toLowerCase()) && adopt(this, String(value), (url) => setAttribute.call(this, name, url));
    if (!isTaken) setAttribute.call(this, name, value);
  };
  // Elements inserted as markup already have their addresses, so set those again.
  const attribute = (element: Element, name: 'src' | 'poster') => {
    const address = element.getAttribute(name);
    if (address !== null && takes(element, name))
      adopt(element, address, (url) => setAttribute.call(element, name, url));
  };
  const observer = new MutationObserver((changes) => {
    for (const { addedNodes } of changes)
      for (const node of addedNodes) {
        if (!(node instanceof Element)) continue;
        for (const element of [node, ...node.querySelectorAll('[src], [poster]')]) {
          attribute(element, 'src');
          attribute(element, 'poster');
        }
      }
  });
  observer.observe(document, { childList: true, subtree: true });
  const OriginalAudio = window.Audio;
  window.Audio = new Proxy(OriginalAudio, {
    construct(target, [address]) {
      const audio = new target();
      if (address !== undefined) audio.src = String(address);
      return audio;
    },
  });
}

const CSS_ADDRESS = /url\(\s*(["']?)([^"')]+)\1\s*\)/gi;

/**
 * Loads images in styles that code sets on elements. Style properties cannot be intercepted, so the image is replaced
 * after the browser has already refused to request it from a server.
 */
function defineStyles({ readFile }: Given): void {
  const exchange = (element: Element): void => {
    const style = element.getAttribute('style') ?? '';
    if (!style.includes('url(')) return;
    for (const [whole, , address = ''] of style.matchAll(CSS_ADDRESS)) {
      const path = pathOf(address);
      if (path === undefined) continue;
      readFile(path).then(
        (url) => {
          const now = element.getAttribute('style') ?? '';
          if (now.includes(whole)) element.setAttribute('style', now.replaceAll(whole, `url("${url}")`));
        },
        () => tellMissing(address),
      );
    }
  };
  new MutationObserver((changes) => {
    for (const { type, target, addedNodes } of changes) {
      if (type === 'attributes' && target instanceof Element) exchange(target);
      for (const node of addedNodes)
        if (node instanceof Element)
          for (const element of [node, ...node.querySelectorAll('[style]')]) exchange(element);
    }
  }).observe(document, { childList: true, subtree: true, attributeFilter: ['style'] });
}

const missing = new Set<string>();

function tellMissing(address: string): void {
  if (!missing.has(address)) warn(`There is no file for "${address}" in the workspace.`);
  missing.add(address);
}

const { warn } = console;
