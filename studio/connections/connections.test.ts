import { beforeEach, describe, expect, test, vi } from 'vitest';
import type { KeyVault } from '#lib/keys/key-vault.ts';
import { MemoryThreadStore } from '#lib/threads/memory-thread-store.ts';
import type { Connection } from './connection.ts';
import { ConnectionEditor } from './connection-editor.ts';
import { Connections } from './connections.ts';

const ANSWER = { baseURL: 'http://a/v1', models: [{ model: 'm', contextSize: 4_096.5 }, { model: 'n' }] };
const DRAFT = { preset: 'compatible', provider: 'local', name: 'Mine', baseURL: 'http://a/v1', key: 'secret' };

let store: MemoryThreadStore;

/** A vault in memory. */
function memoryVault(): KeyVault {
  const secrets = new Map<string, string>();
  return {
    protection: async () => 'browser',
    isLocked: async () => false,
    put: async (id: string, boundTo: string, secret: string) => void secrets.set(`${id} ${boundTo}`, secret),
    get: async (id: string, boundTo: string) => secrets.get(`${id} ${boundTo}`),
    delete: async (id: string) => void secrets.delete(`${id} local http://a/v1`),
  } as unknown as KeyVault;
}

const open = () => {
  const vault = memoryVault();
  return Connections.open(store, async () => vault);
};

const stored = async () => (await store.setting('connections')) as Connection[];

beforeEach(() => {
  store = new MemoryThreadStore();
  vi.stubGlobal('navigator', { locks: { request: (_: string, act: () => Promise<unknown>) => act() } });
});

describe('connections', () => {
  test('give a model with its key, which is stored nowhere else', async () => {
    const connections = await open();
    const { id } = await new ConnectionEditor(connections).add(DRAFT, ANSWER);
    expect(await connections.modelOf(`${id}/m`)).toEqual({
      personal: { provider: 'local', model: 'm', baseURL: 'http://a/v1', toolCalling: 'auto', contextSize: 4_096 },
      key: 'secret',
    });
    expect(await connections.modelOf('openai/gpt')).toBeUndefined();
    expect(JSON.stringify(await stored())).not.toContain('secret');
  });

  test('give no key for another address', async () => {
    const connections = await open();
    const { id } = await new ConnectionEditor(connections).add(DRAFT, ANSWER);
    const [connection] = await stored();
    await store.putSetting('connections', [{ ...connection, baseURL: 'http://evil/v1' }]);
    await connections.read();
    await expect(connections.modelOf(`${id}/m`)).rejects.toMatchObject({ code: 'key-needed' });
  });

  test('give no model that is not on offer', async () => {
    const connections = await open();
    const { id } = await new ConnectionEditor(connections).add(DRAFT, ANSWER);
    await connections.changeModel(id, 'm', { isShown: false });
    expect(await connections.modelOf(`${id}/m`)).toBeUndefined();
    expect(await connections.modelOf(`${id}/n`)).toBeDefined();
  });

  test('remember that a model refused tools, until told otherwise', async () => {
    const connections = await open();
    const { id } = await new ConnectionEditor(connections).add(DRAFT, ANSWER);
    await connections.learn(`${id}/m`, true);
    expect((await connections.modelOf(`${id}/m`))?.personal.toolCalling).toBe('prompted');
    expect((await connections.modelOf(`${id}/n`))?.personal.toolCalling).toBe('auto');
    await connections.learn(`${id}/m`, false);
    expect((await connections.modelOf(`${id}/m`))?.personal.toolCalling).toBe('auto');
    await connections.learn('openai/gpt', true);
  });

  test('that cannot be read are not overwritten', async () => {
    const newer = [{ id: 'from-a-later-version' }];
    await store.putSetting('connections', newer);
    const connections = await open();
    await expect(new ConnectionEditor(connections).add(DRAFT, ANSWER)).rejects.toThrow();
    expect(await stored()).toEqual(newer);
  });

  test('move up and down, and end at the ends of the list', async () => {
    const editor = new ConnectionEditor(await open());
    const ids: string[] = [];
    for (const name of ['a', 'b', 'c']) ids.push((await editor.add({ ...DRAFT, name }, ANSWER)).id);
    await editor.move(ids[2] ?? '', -1);
    await editor.move(ids[0] ?? '', -1);
    expect((await stored()).map(({ name }) => name)).toEqual(['a', 'c', 'b']);
    await editor.remove(ids[0] ?? '');
    expect((await stored()).map(({ name }) => name)).toEqual(['c', 'b']);
  });
});
