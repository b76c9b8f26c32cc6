import type { ExtraProps } from 'react-markdown';
import { directionOf } from './direction.ts';

type Element = NonNullable<ExtraProps['node']>;
type Child = Element['children'][number];

interface Tree {
  children: Child[];
}

/**
 * The role of a `Part` of Markdown: separate text; items of a list, which are paragraphs in `loose-items`; rows of a table
 * with (`table`) or without its head; or the footnotes.
 */
export type Shape = 'text' | 'items' | 'loose-items' | 'table' | 'rows' | 'footnotes';

const isElement = (node: Child): node is Element => node.type === 'element';

const isFootnotes = (node: Child): node is Element => isElement(node) && node.properties.dataFootnotes === true;

/** The text of a node; empty if there is none. */
export function textOf(node: Child | undefined): string {
  if (node === undefined) return '';
  if (node.type === 'text') return node.value;
  return 'children' in node ? node.children.map(textOf).join('') : '';
}

/** The items of a list. If the node is not a list, as the parser sees it, the node becomes an item. */
function itemsOf(node: Child): Child[] {
  if (!isElement(node)) return [];
  if (node.tagName === 'ul' || node.tagName === 'ol') return node.children;
  return [{ type: 'element', tagName: 'li', properties: { className: ['list-none'] }, children: [node] }];
}

const rowsOf = (node: Child): Child[] => (isElement(node) && node.tagName === 'table' ? node.children : []);

function visit(children: readonly Child[], see: (element: Element) => void): void {
  for (const node of children) {
    if (!isElement(node)) continue;
    see(node);
    visit(node.children, see);
  }
}

/**
 * Gives references to footnotes the numbers in the definitions that `referencesOf` has put before the source, and removes
 * these definitions.
 */
function numberFootnotes(tree: Tree): void {
  const section = tree.children.find(isFootnotes);
  if (section === undefined) return;
  const numbers = new Map<unknown, string>();
  visit(section.children, (element) => {
    const text = textOf(element).replace('↩', '').trim();
    if (element.tagName === 'li' && /^\d+$/.test(text)) numbers.set(`#${element.properties.id}`, text);
  });
  visit(tree.children, (element) => {
    const number = numbers.get(element.properties.href);
    if (element.properties.dataFootnoteRef === true && number !== undefined)
      element.children = [{ type: 'text', value: number }];
  });
  if (numbers.size > 0) tree.children = tree.children.filter((node) => node !== section);
}

/** The elements of this name that an element contains directly. */
export const elementsIn = ({ children }: Element, tagName: string): Element[] =>
  children.filter(isElement).filter((child) => child.tagName === tagName);

/** Gives the heads of columns the number of their column, from 0. */
function numberColumns(rows: readonly Child[]): void {
  let column = 0;
  visit(rows, (element) => {
    if (element.tagName === 'th') element.properties.dataColumn = column++;
  });
}

/**
 * Returns a rehype plugin that reduces a tree to what belongs to the shape, such as only the items of a list, and gives
 * references to footnotes and heads of columns their numbers.
 */
export function shaped(shape: Shape) {
  return () =>
    (tree: Tree): void => {
      if (shape === 'footnotes') tree.children = tree.children.filter(isFootnotes);
      else numberFootnotes(tree);
      if (shape === 'items' || shape === 'loose-items') tree.children = tree.children.flatMap(itemsOf);
      if (shape === 'table' || shape === 'rows') tree.children = tree.children.flatMap(rowsOf);
      if (shape === 'table') numberColumns(tree.children);
      else if (shape !== 'rows')
        visit(tree.children, (element) => {
          if (element.tagName === 'table') numberColumns(element.children);
        });
      if (shape === 'rows') tree.children = tree.children.filter((node) => isElement(node) && node.tagName === 'tbody');
    };
}

/** The names of elements that get a direction. List items take their list's, so that all markers are on the same side. */
const DIRECTED: ReadonlySet<string> = new Set('p h1 h2 h3 h4 h5 h6 ul ol blockquote aside table th td'.split(' '));

/** The text of a node without its code, which always reads from left to right. */
const proseOf = (node: Child): string =>
  isElement(node) && (node.tagName === 'code' || node.tagName === 'pre')
    ? ' '
    : node.type === 'text'
      ? node.value
      : 'children' in node
        ? node.children.map(proseOf).join('')
        : '';

/** A rehype plugin that sets the direction of blocks, left to right or right to left, by their text. */
export const directed =
  () =>
  (tree: Tree): void =>
    visit(tree.children, (element) => {
      if (DIRECTED.has(element.tagName)) element.properties.dir = directionOf(proseOf(element));
    });

interface MarkdownTree {
  children: { type: string; spread?: boolean | null }[];
}

/** A remark plugin that makes the outermost lists loose, so that their items are paragraphs. */
export const loosened = () => (tree: MarkdownTree) => {
  for (const node of tree.children) if (node.type === 'list') node.spread = true;
};
