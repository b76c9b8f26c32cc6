/** The kinds of alerts that GitHub's Markdown has. */
export const ALERT_KINDS = ['note', 'tip', 'important', 'warning', 'caution'] as const;

export type AlertKind = (typeof ALERT_KINDS)[number];

/** Matches the line with which an alert begins. */
const FIRST_LINE = /^\[!(\w+)\][ \t]*(?:\n|$)/;

/** The properties of a Markdown tree's node (mdast) that this plugin uses. */
interface Node {
  type: string;
  value?: string;
  children?: Node[];
  data?: { hName: string; hProperties: Record<string, string> };
}

/**
 * A remark plugin that turns quotes which begin with `[!NOTE]` and the like into elements `aside`, with their kind as
 * `data-alert`.
 */
export const alerts = () => (tree: Node) => transform(tree);

function transform(node: Node): void {
  for (const child of node.children ?? []) transform(child);
  if (node.type !== 'blockquote') return;
  const paragraph = node.children?.[0];
  const text = paragraph?.type === 'paragraph' ? paragraph.children?.[0] : undefined;
  const [line = '', name = ''] = FIRST_LINE.exec(text?.value ?? '') ?? [];
  const kind = ALERT_KINDS.find((one) => one === name.toLowerCase());
  // Text that only looks different stands on the same line.
  const isAlone = line.endsWith('\n') || [undefined, 'break'].includes(paragraph?.children?.[1]?.type);
  if (!isAlone || kind === undefined || text?.type !== 'text' || paragraph?.children === undefined) return;
  text.value = text.value?.slice(line.length) ?? '';
  // A hard line break may follow.
  if (text.value === '') paragraph.children.splice(0, paragraph.children[1]?.type === 'break' ? 2 : 1);
  if (paragraph.children.length === 0) node.children?.shift();
  node.data = { hName: 'aside', hProperties: { dataAlert: kind } };
}
