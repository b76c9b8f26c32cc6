import 'fake-indexeddb/auto';
import { IDBFactory } from 'fake-indexeddb';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { KeyVault, VaultDamaged, VaultLocked, WrongPassphrase } from './key-vault.ts';

const SECRET = 'sk-canary-0123456789';

/** Few, so that tests take no time. */
const open = () => KeyVault.open(1_000);

beforeEach(() => {
  vi.stubGlobal('indexedDB', new IDBFactory());
});

/** Everything in the vault's database, as text. */
async function stored(): Promise<string> {
  const db = await new Promise<IDBDatabase>((resolve, reject) => {
    const request = indexedDB.open('roundtrip-keys');
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
  const values: unknown[] = [];
  for (const name of db.objectStoreNames)
    values.push(
      ...(await new Promise<unknown[]>((resolve) => {
        const request = db.transaction(name).objectStore(name).getAll();
        request.onsuccess = () => resolve(request.result as unknown[]);
      })),
    );
  db.close();
  const bytes = (value: unknown): unknown =>
    value instanceof ArrayBuffer ? new TextDecoder('latin1').decode(value) : value;
  return JSON.stringify(values, (_, value: unknown) =>
    value instanceof Uint8Array ? bytes(value.buffer) : bytes(value),
  );
}

describe('a vault of keys', () => {
  test('keeps secrets for the next page, encrypted, under a key that cannot be read out', async () => {
    await (await open()).put('c1', 'https://a.example/v1', SECRET);
    expect(await (await open()).get('c1', 'https://a.example/v1')).toBe(SECRET);
    expect(await (await open()).protection()).toBe('browser');
    expect(await stored()).not.toContain(SECRET);
    const db = await new Promise<IDBDatabase>((resolve) => {
      const request = indexedDB.open('roundtrip-keys');
      request.onsuccess = () => resolve(request.result);
    });
    const vault = await new Promise<{ key: CryptoKey }>((resolve) => {
      const request = db.transaction('vault').objectStore('vault').get('roundtrip-keys');
      request.onsuccess = () => resolve(request.result as { key: CryptoKey });
    });
    expect(vault.key.extractable).toBe(false);
  });

  test('gives a secret only for what it is bound to', async () => {
    const vault = await open();
    await vault.put('c1', 'https://a.example/v1', SECRET);
    expect(await vault.get('c1', 'https://evil.example/v1')).toBeUndefined();
    expect(await vault.get('c2', 'https://a.example/v1')).toBeUndefined();
    await vault.delete('c1');
    expect(await vault.get('c1', 'https://a.example/v1')).toBeUndefined();
  });

  test('with a passphrase, is locked on every new page', async () => {
    const vault = await open();
    await vault.put('c1', 'a', SECRET);
    await vault.protect('correct horse');
    expect(await vault.get('c1', 'a')).toBe(SECRET);
    const next = await open();
    expect([await next.protection(), await next.isLocked()]).toEqual(['passphrase', true]);
    await expect(next.get('c1', 'a')).rejects.toThrow(VaultLocked);
    await expect(next.put('c2', 'a', 'x')).rejects.toThrow(VaultLocked);
    await expect(next.protect(undefined)).rejects.toThrow(VaultLocked);
    await expect(next.unlock('wrong horse')).rejects.toThrow(WrongPassphrase);
    await next.unlock('correct horse');
    expect([await next.isLocked(), await next.get('c1', 'a')]).toEqual([false, SECRET]);
    await next.protect(undefined);
    expect(await (await open()).get('c1', 'a')).toBe(SECRET);
    expect(await stored()).not.toContain(SECRET);
  });

  test('whose passphrase is forgotten can be emptied and used again', async () => {
    const vault = await open();
    await vault.put('c1', 'a', SECRET);
    await vault.protect('forgotten');
    const next = await open();
    await next.clear();
    expect([await next.protection(), await next.get('c1', 'a')]).toEqual(['browser', undefined]);
    await next.put('c1', 'a', 'new');
    expect(await next.get('c1', 'a')).toBe('new');
  });

  test('that got another passphrase on another page is locked here, and no secret is lost', async () => {
    const here = await open();
    await here.put('c1', 'a', SECRET);
    await here.protect('the first one');
    const there = await open();
    await there.unlock('the first one');
    await here.protect('the second one');
    expect(await there.isLocked()).toBe(true);
    await expect(there.get('c1', 'a')).rejects.toThrow(VaultLocked);
    await expect(there.put('c2', 'a', 'x')).rejects.toThrow(VaultLocked);
    await expect(there.protect(undefined)).rejects.toThrow(VaultLocked);
    await there.unlock('the second one');
    expect(await there.get('c1', 'a')).toBe(SECRET);
    await here.protect(undefined);
    await here.protect('the third one');
    expect(await there.isLocked()).toBe(true);
  });

  test('with a secret that cannot be read keeps its protection, and everything in it', async () => {
    const vault = await open();
    await vault.put('c1', 'a', SECRET);
    const db = await new Promise<IDBDatabase>((resolve) => {
      const request = indexedDB.open('roundtrip-keys');
      request.onsuccess = () => resolve(request.result);
    });
    await new Promise((resolve) => {
      const store = db.transaction('secrets', 'readwrite').objectStore('secrets');
      const request = store.put({ iv: new Uint8Array(12), data: new ArrayBuffer(32), boundTo: 'a' }, 'c2');
      request.onsuccess = resolve;
    });
    await expect(vault.protect('a passphrase')).rejects.toThrow(VaultDamaged);
    expect([await vault.protection(), await vault.get('c1', 'a')]).toEqual(['browser', SECRET]);
  });

  test('of two pages that begin at once has one key', async () => {
    const [first, second] = [await open(), await open()];
    await Promise.all([first.put('c1', 'a', 'one'), second.put('c2', 'a', 'two')]);
    const next = await open();
    expect([await next.get('c1', 'a'), await next.get('c2', 'a')]).toEqual(['one', 'two']);
  });

  test('lasts as long as the page where nothing can be stored', async () => {
    vi.stubGlobal('indexedDB', {
      open: () => {
        throw new Error('no storage');
      },
    });
    const vault = await open();
    await vault.put('c1', 'a', SECRET);
    expect([await vault.protection(), await vault.get('c1', 'a'), await vault.get('c1', 'b')]).toEqual([
      'page',
      SECRET,
      undefined,
    ]);
    await vault.clear();
    expect(await vault.get('c1', 'a')).toBeUndefined();
  });
});
