import { describe, expect, test } from 'vitest';
import { decidePermission, type PermissionRequest, policyFor } from './permission.ts';
import type { ToolEffect } from './tool.ts';

const EFFECTS: readonly ToolEffect[] = ['read', 'write', 'execute'];

function decide(change: Partial<PermissionRequest>) {
  return decidePermission({
    toolName: 'write_file',
    toolset: 'files',
    effect: 'write',
    toolsetEnabled: true,
    settings: {},
    grantedInThread: [],
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

  test.each(EFFECTS)('a toolset that is switched off denies to %s, whatever else is set', (effect) => {
    const settings = { files: { [effect]: 'allow' } };
    const decision = decide({ effect, settings, toolsetEnabled: false, grantedInThread: ['write_file'] });
    expect(decision).toEqual({ type: 'deny', reason: expect.stringContaining('"files"') });
  });

  test.each(EFFECTS)('a policy of the person’s own stands above the default: %s', (effect) => {
    expect(decide({ effect, settings: { files: { [effect]: 'allow' } } }).type).toBe('allow');
    expect(decide({ effect, settings: { files: { [effect]: 'ask' } } }).type).toBe('ask');
    expect(decide({ effect, settings: { files: { [effect]: 'deny' } } }).type).toBe('deny');
  });

  test('a policy counts for its own toolset and effect only', () => {
    const settings = { browser: { write: 'deny' }, files: { execute: 'deny' } } as const;
    expect(decide({ settings }).type).toBe('allow');
    expect(decide({ settings, effect: 'execute' }).type).toBe('deny');
    expect(decide({ settings, toolset: 'browser' }).type).toBe('deny');
  });

  test('a tool that was allowed once in the thread does not ask again; another tool does', () => {
    const settings = { files: { write: 'ask' } } as const;
    expect(decide({ settings, grantedInThread: ['write_file'] })).toEqual({ type: 'allow' });
    expect(decide({ settings, grantedInThread: ['read_file'] })).toEqual({ type: 'ask' });
  });

  test('a grant in the thread does not undo a denial', () => {
    const decision = decide({ settings: { files: { write: 'deny' } }, grantedInThread: ['write_file'] });
    expect(decision).toEqual({ type: 'deny', reason: expect.stringContaining('settings do not allow write') });
  });

  test.each(['__proto__', 'constructor', 'toString'])('a toolset named %j has no settings of its own', (toolset) => {
    expect(policyFor({}, toolset, 'execute')).toBe('ask');
    expect(decide({ toolset, effect: 'execute' })).toEqual({ type: 'ask' });
  });
});
