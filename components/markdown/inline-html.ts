import type { Break, Emphasis, PhrasingContent, Root, RootContent } from 'mdast';

type Node = Root | RootContent;

/** A tag of inline HTML that models write, without attributes. Everything else is shown as the text that it is. */
const TAG = /^<(?<end>\/?)(?<name>sub|sup|kbd|mark|b|i|u|s)\s*>$/i;

const BREAK = /^<\/?br\s*\/?>$/i;

/**
 * A remark plugin for the HTML that models write within a line: line breaks, subscripts, keys, and the like. A tag without its
 * other half stays text.
 */
export function inlineHtml() {
  return (tree: Root): void => transform(tree);
}

function transform(node: Node): void {
  if (!('children' in node)) return;
  const parent = node as { children: RootContent[] };
  for (const child of parent.children) transform(child);
  if (parent.children.some(({ type }) => type === 'html')) parent.children = paired(parent.children);
}

/** Children in which each pair of tags is an element around what is between them. */
function paired(children: readonly RootContent[]): RootContent[] {
  const done: RootContent[] = [];
  const open: { name: string; at: number }[] = [];
  for (const child of children) {
    const tag = child.type === 'html' ? TAG.exec(child.value.trim())?.groups : undefined;
    const name = tag?.name?.toLowerCase() ?? '';
    if (child.type === 'html' && BREAK.test(child.value.trim())) done.push({ type: 'break' } satisfies Break);
    else if (tag === undefined) done.push(child);
    else if (tag.end === '') {
      open.push({ name, at: done.length });
      done.push(child);
    } else {
      const index = open.findLastIndex((one) => one.name === name);
      const start = open[index]?.at;
      open.length = Math.max(index, 0);
      if (start === undefined) done.push(child);
      else done.push(element(name, done.splice(start).slice(1) as PhrasingContent[]));
    }
  }
  return done;
}

const element = (name: string, children: PhrasingContent[]): Emphasis => ({
  type: 'emphasis',
  data: { hName: name },
  children,
});
