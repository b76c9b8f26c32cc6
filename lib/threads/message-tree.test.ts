import { describe, expect, test } from 'vitest';
import type { Message } from '#lib/messages/message.ts';
import { damageOf } from '#lib/messages/readable.ts';
import { type MessageNode, MessageTree, withMissing } from './message-tree.ts';

const node = (id: string, parentId: string | null, text = id): MessageNode => ({
  message: { id, role: 'user', createdAt: 1, parts: [{ type: 'text', text }] },
  parentId,
});

/**
 * root ─ a1 ─ b1 ─ c1
 *      │    └ b2 ─ c2
 *      │         └ c3
 *      └ a2
 */
const tree = new MessageTree([
  node('root', null),
  node('a1', 'root'),
  node('b1', 'a1'),
  node('c1', 'b1'),
  node('b2', 'a1'),
  node('c2', 'b2'),
  node('a2', 'root'),
  node('c3', 'b2'),
]);

const idsOf = (messages: readonly Message[]): string[] => messages.map(({ id }) => id);

describe('branches', () => {
  test('lead from the root down to the head', () => {
    expect(idsOf(tree.branch('c3'))).toEqual(['root', 'a1', 'b2', 'c3']);
    expect(idsOf(tree.branch('a2'))).toEqual(['root', 'a2']);
    expect(idsOf(tree.branch('root'))).toEqual(['root']);
  });

  test('to nothing, or to a message that does not exist, are empty', () => {
    expect(tree.branch(null)).toEqual([]);
    expect(tree.branch('gone')).toEqual([]);
    expect(new MessageTree([]).branch('root')).toEqual([]);
  });

  test('begin where a parent is missing, instead of showing nothing', () => {
    expect(idsOf(new MessageTree([node('b', 'gone'), node('c', 'b')]).branch('c'))).toEqual(['b', 'c']);
  });

  test('in a damaged tree with a cycle end, instead of hanging the page', () => {
    const circle = new MessageTree([node('a', 'c'), node('b', 'a'), node('c', 'b'), node('self', 'self')]);
    expect(idsOf(circle.branch('c'))).toEqual(['a', 'b', 'c']);
    expect(circle.leafOf('a', {})).toBe('c');
    expect(circle.leafOf('self', {})).toBe('self');
    expect(circle.choose('c', {})).toEqual({});
  });
});

describe('a thread with messages missing', () => {
  const whole = [node('a', null), node('b', 'a'), node('c', 'b'), node('d', 'c')];
  const without = (id: string) => whole.filter(({ message }) => message.id !== id);
  const branch = (nodes: readonly MessageNode[]) => new MessageTree(withMissing(nodes, 'd')).branch('d');

  test('is as it is if none is', () => {
    expect(withMissing(whole, 'd')).toEqual(whole);
    expect(withMissing([], null)).toEqual([]);
  });

  test.each(['a', 'b', 'c', 'd'])('has one in place of %s', (id) => {
    const messages = branch(without(id));
    expect(idsOf(messages)).toEqual(['a', 'b', 'c', 'd']);
    expect(messages.filter((message) => damageOf(message) !== undefined).map((message) => message.id)).toEqual([id]);
  });

  test('has one for several answers to the same question', () => {
    const nodes = [node('a', null), node('c', 'b'), node('d', 'b')];
    expect(new MessageTree(withMissing(nodes, 'd')).siblings('d')).toEqual(['c', 'd']);
    expect(idsOf(branch(nodes))).toEqual(['a', 'b', 'd']);
  });
});

describe('siblings', () => {
  test('are a message and its alternatives, in the order in which they were created', () => {
    expect(tree.siblings('b1')).toEqual(['b1', 'b2']);
    expect(tree.siblings('b2')).toEqual(['b1', 'b2']);
    expect(tree.siblings('c1')).toEqual(['c1']);
    expect(tree.siblings('gone')).toEqual([]);
  });

  test('of the first message are the other first messages', () => {
    expect(tree.with(node('other', null)).siblings('root')).toEqual(['root', 'other']);
  });
});

describe('leafOf', () => {
  test('leads to the newest leaf where the user has not been', () => {
    expect(tree.leafOf('root', {})).toBe('a2');
    expect(tree.leafOf('a1', {})).toBe('c3');
    expect(tree.leafOf('c1', {})).toBe('c1');
  });

  test('follows the user’s last path as far as it goes', () => {
    expect(tree.leafOf('root', { root: 'a1', a1: 'b1' })).toBe('c1');
    expect(tree.leafOf('root', { root: 'a1', b2: 'c2' })).toBe('c2');
  });

  test('takes the newest if the chosen one is gone or was never a child', () => {
    expect(tree.leafOf('a1', { a1: 'gone' })).toBe('c3');
    expect(tree.leafOf('a1', { a1: 'a2' })).toBe('c3');
  });

  test('has no chosen successor for an id that is a built-in JavaScript property', () => {
    const odd = new MessageTree([node('constructor', null), node('x', 'constructor'), node('y', 'constructor')]);
    expect(odd.leafOf('constructor', {})).toBe('y');
  });
});

describe('choose', () => {
  test('stores the branch wherever there are alternatives, and keeps other choices', () => {
    expect(tree.choose('c2', {})).toEqual({ root: 'a1', a1: 'b2', b2: 'c2' });
    expect(tree.choose('c1', { b2: 'c2', root: 'a2' })).toEqual({ root: 'a1', a1: 'b1', b2: 'c2' });
    expect(tree.choose(null, { a1: 'b1' })).toEqual({ a1: 'b1' });
  });

  test('going to another branch and back leads to the same leaf', () => {
    const chosen = tree.choose('c2', {});
    const there = tree.leafOf('b1', chosen);
    expect(there).toBe('c1');
    expect(tree.leafOf('b2', tree.choose(there, chosen))).toBe('c2');
  });

  test('does not change its argument', () => {
    const chosen = { root: 'a2' };
    tree.choose('c1', chosen);
    expect(chosen).toEqual({ root: 'a2' });
  });
});

describe('with', () => {
  test('adds a message without changing the tree it is called on', () => {
    const next = tree.with(node('d', 'c1'));
    expect(next.leafOf('b1', {})).toBe('d');
    expect(tree.leafOf('b1', {})).toBe('c1');
    expect(next.nodes()).toHaveLength(tree.nodes().length + 1);
  });

  test('replaces an existing message, in its place among its siblings', () => {
    const next = tree.with(node('b1', 'a1', 'edited'));
    expect(next.get('b1')?.message.parts).toEqual([{ type: 'text', text: 'edited' }]);
    expect(next.siblings('b1')).toEqual(['b1', 'b2']);
    expect(idsOf(next.nodes().map(({ message }) => message))).toEqual(
      idsOf(tree.nodes().map(({ message }) => message)),
    );
    expect(tree.get('b1')?.message.parts).toEqual([{ type: 'text', text: 'b1' }]);
  });
});
