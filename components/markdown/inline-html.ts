import { INLINE_TAG, LINE_BREAK } from '#lib/base/markdown/inline-tags.ts';

/** The properties of a Markdown tree's node (mdast) that this plugin uses. */
interface Node {
  type: string;
  value?: string;
  children?: Node[];
  data?: { hName: string };
}

/**
 * A remark plugin that turns the HTML that models write within a line, such as line breaks, subscripts, and keys, into
 * elements. A tag without its other half stays text.
 */
export function inlineHtml() {
  return (tree: Node): void => transform(tree);
}

function transform(node: Node): void {
  const { children = [] } = node;
  for (const child of children) transform(child);
  if (children.some(({ type }) => type === 'html')) node.children = paired(children);
}

/** Replaces each pair of tags among `children`, and the nodes between them, by one element. Unpaired tags stay. */
function paired(children: readonly Node[]): Node[] {
  const done: Node[] = [];
  const open: { name: string; at: number }[] = [];
  for (const child of children) {
    const written = child.type === 'html' ? (child.value ?? '').trim() : '';
    const tag = INLINE_TAG.exec(written)?.groups;
    const name = tag?.name?.toLowerCase() ?? '';
    if (LINE_BREAK.test(written)) done.push({ type: 'break' });
    else if (tag === undefined) done.push(child);
    else if (tag.end === '') {
      open.push({ name, at: done.length });
      done.push(child);
    } else {
      const index = open.findLastIndex((one) => one.name === name);
      const start = open[index]?.at;
      open.length = Math.max(index, 0);
      if (start === undefined) done.push(child);
      else done.push(element(name, done.splice(start).slice(1)));
    }
  }
  return done;
}

const element = (name: string, children: Node[]): Node => ({
  type: 'emphasis',
  data: { hName: name },
  children,
});
