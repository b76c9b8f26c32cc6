import type { ExtraProps } from 'react-markdown';

type Element = NonNullable<ExtraProps['node']>;
type Child = Element['children'][number];

/** Matches punctuation of Chinese and Japanese texts. In texts without spaces, it ends an address. */
const FULL_WIDTH_SIGN =
  /[\u2018-\u201d\u2026\u3000-\u3003\u3008-\u3011\u3014-\u301f\uff01-\uff0f\uff1a-\uff20\uff3b-\uff40\uff5b-\uff65]/;

/**
 * A rehype plugin for the links that a parser makes of bare addresses: ends them before full-width punctuation, such as `。`,
 * which addresses contain only encoded. The rest becomes text.
 */
export function trimLiteralLinks() {
  return (tree: { children: Child[] }): void => {
    trim(tree);
  };
}

function trim(parent: { children: Child[] }): void {
  for (let index = parent.children.length - 1; index >= 0; index--) {
    const node = parent.children[index];
    if (node?.type !== 'element') continue;
    const rest = node.tagName === 'a' ? shorten(node) : undefined;
    if (rest === undefined) trim(node);
    else parent.children.splice(index + 1, 0, { type: 'text', value: rest });
  }
}

/** Shortens the link of a bare address. Returns the text that is cut off; undefined if there is none, or for other links. */
function shorten(link: Element): string | undefined {
  const [text, ...others] = link.children;
  const { position } = link;
  if (text?.type !== 'text' || others.length > 0) return undefined;
  // The source of a bare address is as long as its text. Other links also have brackets there.
  const length = (position?.end.offset ?? 0) - (position?.start.offset ?? 0);
  const at = text.value.search(FULL_WIDTH_SIGN);
  if (at === -1 || length !== text.value.length || !/^(?:https?:\/\/|www\.)/i.test(text.value)) return undefined;
  const address = text.value.slice(0, at);
  const rest = text.value.slice(at);
  link.properties.href = /^www\./i.test(address) ? `http://${address}` : address;
  link.children = [{ type: 'text', value: address }];
  return rest;
}
