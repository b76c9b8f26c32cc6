import { describe, expect, test } from 'vitest';
import type { ToolEffect } from '../core/spec.ts';
import { decidePermission, type PermissionRequest, policyFor } from './permission.ts';

const EFFECTS: readonly ToolEffect[] = ['read', 'write', 'execute'];

function decide(change: Partial<PermissionRequest>) {
  return decidePermission({
    toolset: 'files',
    effect: 'write',
    toolsetEnabled: true,
    settings: {},
    grantedAt: undefined,
    policySetAt: undefined,
    origin: undefined,
    ...change,
  });
}

describe('permission', () => {
  test.each<[ToolEffect, 'allow' | 'ask']>([
    ['read', 'allow'],
    ['write', 'allow'],
    ['execute', 'ask'],
  ])('a tool that may %s is, where nothing is set, at %s', (effect, type) => {
    expect(decide({ effect })).toEqual({ type });
  });

  test.each(EFFECTS)('a toolset that is turned off denies %s, whatever else is set', (effect) => {
    const settings = { files: { [effect]: 'allow' } };
    const decision = decide({ effect, settings, toolsetEnabled: false, grantedAt: 1 });
    expect(decision).toEqual({ type: 'deny', reason: expect.stringContaining('"files"') });
  });

  test.each(EFFECTS)('the user’s own policy overrides the default: %s', (effect) => {
    expect(decide({ effect, settings: { files: { [effect]: 'allow' } } }).type).toBe('allow');
    expect(decide({ effect, settings: { files: { [effect]: 'ask' } } }).type).toBe('ask');
    expect(decide({ effect, settings: { files: { [effect]: 'deny' } } }).type).toBe('deny');
  });

  test('a policy applies only to its own toolset and effect', () => {
    const settings = { browser: { write: 'deny' }, files: { execute: 'deny' } } as const;
    expect(decide({ settings }).type).toBe('allow');
    expect(decide({ settings, effect: 'execute' }).type).toBe('deny');
    expect(decide({ settings, toolset: 'browser' }).type).toBe('deny');
  });

  test('a tool that was allowed in the thread does not ask again until the user changes its policy', () => {
    const settings = { files: { write: 'ask' } } as const;
    expect(decide({ settings, grantedAt: 10 })).toEqual({ type: 'allow', by: 'thread' });
    expect(decide({ settings, grantedAt: 10, policySetAt: 9 })).toEqual({ type: 'allow', by: 'thread' });
    expect(decide({ settings, grantedAt: 10, policySetAt: 11 })).toEqual({ type: 'ask' });
    expect(decide({ settings })).toEqual({ type: 'ask' });
  });

  test('a grant from an earlier version, without a date, is valid until the policy is set', () => {
    const settings = { files: { write: 'ask' } } as const;
    expect(decide({ settings, grantedAt: 0 })).toEqual({ type: 'allow', by: 'thread' });
    expect(decide({ settings, grantedAt: 0, policySetAt: 1 })).toEqual({ type: 'ask' });
  });

  describe('a call whose text comes from elsewhere', () => {
    const origin = { type: 'shown', excerpt: '' } as const;

    test.each(['write', 'execute'] as const)('asks before it may %s, whatever was allowed', (effect) => {
      const settings = { files: { [effect]: 'allow' } };
      expect(decide({ origin, effect, settings, grantedAt: 5 })).toEqual({ type: 'ask', onlyOnce: true });
    });

    test('reads like any other', () => {
      expect(decide({ origin, effect: 'read' })).toEqual({ type: 'allow' });
      expect(decide({ origin, effect: 'read', settings: { files: { read: 'ask' } } })).toEqual({ type: 'ask' });
    });

    test.each([true, false])(
      'asks before it reads elsewhere, where others are told what it asks; known: %s',
      (isKnown) => {
        expect(decide({ origin, effect: 'read', isKnown, grantedAt: 5 })).toEqual({ type: 'ask', onlyOnce: true });
      },
    );

    test('is denied if all calls are', () => {
      expect(decide({ origin, settings: { files: { write: 'deny' } } }).type).toBe('deny');
      expect(decide({ origin, toolsetEnabled: false }).type).toBe('deny');
    });
  });

  test('a grant in the thread does not override a denial', () => {
    const decision = decide({ settings: { files: { write: 'deny' } }, grantedAt: 1 });
    expect(decision).toEqual({ type: 'deny', reason: expect.stringContaining('settings do not allow') });
  });

  test.each(['__proto__', 'constructor', 'toString'])('a toolset named %j has no settings', (toolset) => {
    expect(policyFor({}, toolset, 'execute')).toBe('ask');
    expect(decide({ toolset, effect: 'execute' })).toEqual({ type: 'ask' });
  });

  describe('a rule about paths', () => {
    const found = [{ path: '/.env', effect: 'write', pattern: '.env' }] as const;
    const [denies, asks, allows] = [{ type: 'deny', found }, { type: 'ask', found }, { type: 'allow' }] as const;

    test('makes any policy stricter, whatever was allowed', () => {
      const settings = { files: { write: 'allow' } } as const;
      expect(decide({ settings, grantedAt: 1, paths: denies })).toEqual({
        type: 'deny',
        reason: expect.stringContaining('One of the user’s rules protects /.env.'),
      });
      expect(decide({ settings, grantedAt: 1, paths: asks })).toEqual({ type: 'ask', onlyOnce: true, paths: found });
    });

    test('that allows spares the question, and nothing else', () => {
      expect(decide({ settings: { files: { write: 'ask' } }, paths: allows })).toEqual({ type: 'allow' });
      expect(decide({ toolsetEnabled: false, paths: allows }).type).toBe('deny');
      expect(decide({ settings: { files: { write: 'deny' } }, paths: allows }).type).toBe('deny');
      expect(decide({ origin: { type: 'shown', excerpt: '' }, paths: allows })).toEqual({
        type: 'ask',
        onlyOnce: true,
      });
      expect(decide({ reviews: true, paths: allows })).toEqual({ type: 'ask', isReview: true });
      expect(decide({ settings: { files: { write: 'review' } }, paths: allows })).toEqual({
        type: 'ask',
        isReview: true,
      });
    });

    test('asks together with a review, and does not soften a denial', () => {
      expect(decide({ reviews: true, paths: asks })).toMatchObject({ type: 'ask', onlyOnce: true, isReview: true });
      expect(decide({ settings: { files: { write: 'deny' } }, paths: asks }).type).toBe('deny');
    });

    test('names only a few of many paths', () => {
      const many = Array.from({ length: 9 }, (_, index) => ({ ...found[0], path: `/${index}` }));
      expect(decide({ paths: { type: 'deny', found: many } })).toMatchObject({
        reason: expect.stringContaining('/0, /1, /2, /3, /4 and 4 more'),
      });
    });
  });

  test.each<[string, Partial<PermissionRequest>, unknown]>([
    ['a setting', { settings: { files: { write: 'review' } } }, { type: 'ask', isReview: true }],
    [
      'a setting, and a later permission',
      { settings: { files: { write: 'review' } }, grantedAt: 1 },
      { type: 'allow' },
    ],
    ['the thread', { reviews: true }, { type: 'ask', isReview: true }],
    ['the thread, whatever was allowed before', { reviews: true, grantedAt: 1 }, { type: 'ask', isReview: true }],
    ['the thread, but nothing is written', { reviews: true, effect: 'execute' }, { type: 'ask' }],
    [
      'the thread, and the text comes from elsewhere',
      { reviews: true, origin: { type: 'shown', excerpt: '' } },
      { type: 'ask', onlyOnce: true, isReview: true },
    ],
  ])('what is written can be reviewed: %s', (_, change, expected) => {
    expect(decide(change)).toEqual(expected);
  });
});

describe('an external tool', () => {
  const allowed = { effect: 'execute', settings: { files: { execute: 'allow' } }, grantedAt: 10 } as const;

  test('asks until it is known as it describes itself, whatever was allowed', () => {
    expect(decide({ ...allowed, grantedAt: undefined, isKnown: false })).toEqual({ type: 'ask' });
    expect(decide({ ...allowed, grantedAt: undefined, isKnown: true })).toEqual({ type: 'allow', by: 'always' });
    // A grant in the thread is about the description that it has now.
    expect(decide({ ...allowed, isKnown: false })).toEqual({ type: 'allow', by: 'thread' });
  });

  test('that cannot be undone asks each time', () => {
    expect(decide({ ...allowed, isKnown: true, isDestructive: true })).toEqual({ type: 'ask', onlyOnce: true });
  });

  test('is denied where its kind is, known or not', () => {
    const settings = { files: { execute: 'deny' } } as const;
    for (const isKnown of [true, false])
      expect(decide({ ...allowed, settings, isKnown, isDestructive: true }).type).toBe('deny');
  });
});

test('a tool that only calls others does not ask by itself, unless its text comes from elsewhere', () => {
  const origin = { type: 'shown', excerpt: '' } as const;
  expect(decide({ effect: 'execute', delegates: true })).toEqual({ type: 'allow' });
  expect(decide({ effect: 'execute', delegates: true, origin })).toEqual({ type: 'ask', onlyOnce: true });
  expect(decide({ effect: 'execute', delegates: true, toolsetEnabled: false }).type).toBe('deny');
});

describe('a tool that reaches hosts', () => {
  const reaching = { toolset: 'web', effect: 'execute', hosts: { type: 'ask' } } as const;
  const known = { type: 'known', by: 'thread' } as const;

  test('asks until its hosts are known, whatever was allowed of the tool', () => {
    expect(decide(reaching)).toEqual({ type: 'ask' });
    expect(decide({ ...reaching, grantedAt: 5 })).toEqual({ type: 'ask' });
    expect(decide({ ...reaching, hosts: known })).toEqual({ type: 'allow', by: 'thread' });
  });

  test('is denied, or asks again, for the reasons that others are', () => {
    expect(decide({ ...reaching, hosts: known, toolsetEnabled: false })).toMatchObject({ type: 'deny' });
    expect(decide({ ...reaching, hosts: known, settings: { web: { execute: 'deny' } } })).toMatchObject({
      type: 'deny',
    });
    const origin = { type: 'shown', excerpt: '' } as const;
    expect(decide({ ...reaching, hosts: known, origin })).toEqual({ type: 'ask', onlyOnce: true });
  });
});
