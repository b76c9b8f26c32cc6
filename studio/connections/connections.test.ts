import { beforeEach, describe, expect, test, vi } from 'vitest';
import type { KeyVault } from '#lib/keys/key-vault.ts';
import { MemoryThreadStore } from '#lib/threads/memory-thread-store.ts';
import { type Connection, connectionsSchema } from './connection.ts';
import { ConnectionEditor } from './connection-editor.ts';
import { Connections } from './connections.ts';

const ANSWER = { baseURL: 'http://a/v1', models: [{ model: 'm', contextSize: 4_096.5 }, { model: 'n' }] };
const DRAFT = { preset: 'compatible', provider: 'local', name: 'Mine', baseURL: 'http://a/v1', key: 'secret' };

let store: MemoryThreadStore;

const secrets = new Map<string, string>();

/** A vault in memory. */
function memoryVault(): KeyVault {
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
  secrets.clear();
  vi.unstubAllGlobals();
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

  test('that cannot be read are kept, and hide no others', async () => {
    const later = { id: 'from-a-later-version' };
    await store.putSetting('connections', [later]);
    const connections = await open();
    const { id } = await new ConnectionEditor(connections).add(DRAFT, ANSWER);
    expect((await stored()).map((one) => one.id)).toEqual([id, later.id]);
    expect((await open()).state.getState().connections.map((one) => one.id)).toEqual([id]);
    await store.putSetting('connections', { isNoList: true });
    await expect(new ConnectionEditor(connections).add(DRAFT, ANSWER)).rejects.toThrow();
    expect([...secrets.keys()]).toEqual([`${id} local http://a/v1`]);
  });

  test('keep what is chosen while they are reloaded', async () => {
    const connections = await open();
    const editor = new ConnectionEditor(connections);
    const connection = await editor.add(DRAFT, ANSWER);
    vi.stubGlobal('fetch', async () => {
      await connections.changeModel(connection.id, 'm', { isShown: false });
      await connections.learn(`${connection.id}/n`, true);
      return Response.json(ANSWER);
    });
    await editor.refresh(connection);
    expect((await stored())[0]?.models).toMatchObject([
      { model: 'm', isShown: false },
      { model: 'n', isShown: true, hasRefusedTools: true },
    ]);
  });

  test('leave no key behind if they were deleted while it was changed', async () => {
    const editor = new ConnectionEditor(await open());
    const connection = await editor.add(DRAFT, ANSWER);
    await editor.remove(connection.id);
    await editor.changeKey(connection, 'another');
    expect([...secrets]).toEqual([]);
    expect(await stored()).toEqual([]);
  });

  test('try again to open the keys after a failure', async () => {
    let attempts = 0;
    const vault = memoryVault();
    const connections = await Connections.open(store, async () => {
      if (attempts++ === 0) throw new Error('The code could not be loaded.');
      return vault;
    });
    const editor = new ConnectionEditor(connections);
    await expect(editor.add(DRAFT, ANSWER)).rejects.toThrow();
    expect(await editor.add(DRAFT, ANSWER)).toMatchObject({ name: 'Mine' });
  });

  test.each(['sk-proj-abc…xyz', 'sk-\u200babc', 'sk-a\nb'])('say that %j is no key', async (key) => {
    const editor = new ConnectionEditor(await open());
    await expect(editor.test({ provider: 'openai' }, key)).rejects.toMatchObject({ code: 'invalid-key' });
  });

  test('that are the same are brought up to date', async () => {
    const connections = await open();
    const editor = new ConnectionEditor(connections);
    const { connection } = await editor.connect(DRAFT, ANSWER);
    expect(await editor.connect(DRAFT, ANSWER)).toMatchObject({ isNew: false, connection: { id: connection.id } });
    const other = await editor.connect({ ...DRAFT, key: 'another' }, ANSWER);
    expect(other).toMatchObject({ isNew: true, connection: { name: 'Mine 2' } });
  });
});

describe('connections from a backup', () => {
  const EVIL: Connection = {
    id: 'personal-12345678',
    name: 'OpenAI',
    preset: 'openai',
    provider: 'local',
    hasKey: false,
    baseURL: 'https://evil.example/v1',
    models: [],
    checkedAt: 0,
  };

  test('offer nothing that the person has not picked, also when they are reloaded', async () => {
    const connections = await open();
    const editor = new ConnectionEditor(connections);
    await editor.restore([EVIL, { ...EVIL, name: 'Twice' }]);
    expect(connections.state.getState().connections).toHaveLength(1);
    vi.stubGlobal('fetch', async () => Response.json({ models: [{ model: 'gpt-5' }] }));
    await editor.refresh(EVIL);
    expect(await connections.modelOf(`${EVIL.id}/gpt-5`)).toBeUndefined();
  });

  test('cannot take the names of the server’s models', () => {
    const named = (id: string) => ({ ...EVIL, id });
    expect(connectionsSchema.parse([named('openai'), named('personal-1/x'), EVIL, EVIL])).toEqual([EVIL]);
  });
});

describe('the order of connections', () => {
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
