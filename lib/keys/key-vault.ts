import { type DBSchema, type IDBPDatabase, openDB } from 'idb';

/** Thrown if the passphrase of the `KeyVault` has not been entered in this tab yet. */
export class VaultLocked extends Error {
  override readonly name = 'VaultLocked';
}

/** Thrown for a passphrase that is not that of the `KeyVault`. */
export class WrongPassphrase extends Error {
  override readonly name = 'WrongPassphrase';
}

/**
 * Thrown by `protect` if a stored secret cannot be decrypted with the vault's key. `get` returns undefined for such a secret.
 */
export class VaultDamaged extends Error {
  override readonly name = 'VaultDamaged';
}

/**
 * The way in which a `KeyVault` protects secrets: encrypted with a key of this browser, encrypted with a passphrase, or kept
 * only in memory while the studio's page is open.
 */
export type VaultProtection = 'browser' | 'passphrase' | 'page';

/** AES-GCM's recommended length of an initialization vector, in bytes. */
const IV_BYTES = 12;
const SALT_BYTES = 16;
/** The number of iterations that OWASP recommends for PBKDF2 with SHA-256 (Password Storage Cheat Sheet, 2023). */
const PASSPHRASE_ITERATIONS = 600_000;
const LOCK = 'roundtrip-keys';
const DATABASE = 'roundtrip-keys';

interface Sealed {
  iv: Uint8Array<ArrayBuffer>;
  data: ArrayBuffer;
}

type StoredVault =
  | { type: 'browser'; key: CryptoKey }
  | ({ type: 'passphrase'; id: string; salt: Uint8Array<ArrayBuffer>; iterations: number } & Sealed);

interface VaultSchema extends DBSchema {
  vault: { key: string; value: StoredVault };
  secrets: { key: string; value: Sealed & { boundTo: string } };
}

/**
 * Keeps secrets, such as API keys, in this browser, encrypted with AES-GCM under a key that scripts cannot read out, or
 * under a passphrase, which also protects a copy of the browser's files. Does not protect from scripts of this origin while
 * the vault is unlocked. Each secret is bound to what it is for, such as an address, and cannot be read for anything else.
 */
export class KeyVault {
  readonly #db: IDBPDatabase<VaultSchema> | undefined;
  /** Secrets by id, if the browser cannot store or encrypt anything; otherwise empty. */
  readonly #memory = new Map<string, { boundTo: string; secret: string }>();
  /**
   * The vault's key, unlocked with the passphrase, and the id of the vault: another tab may have put a new vault in its place.
   */
  #unlocked: { id: string; key: CryptoKey } | undefined;
  readonly #iterations: number;

  /**
   * Opens the vault. Where the browser stores or encrypts nothing, secrets last as long as the page. `iterations`: those of
   * PBKDF2, for passphrases that are set later.
   */
  static async open(iterations = PASSPHRASE_ITERATIONS): Promise<KeyVault> {
    // Only pages over https, or on this machine, can encrypt.
    if (globalThis.crypto?.subtle === undefined) return new KeyVault(undefined, iterations);
    try {
      const db = await openDB<VaultSchema>(DATABASE, 1, {
        upgrade(database) {
          database.createObjectStore('vault');
          database.createObjectStore('secrets');
        },
        // Another version of the studio wants to change the database.
        blocking: (_, __, event) => (event.target as IDBDatabase | null)?.close(),
      });
      return new KeyVault(db, iterations);
    } catch {
      return new KeyVault(undefined, iterations);
    }
  }

  private constructor(db: IDBPDatabase<VaultSchema> | undefined, iterations: number) {
    this.#db = db;
    this.#iterations = iterations;
  }

  async protection(): Promise<VaultProtection> {
    if (this.#db === undefined) return 'page';
    return (await this.#db.get('vault', LOCK))?.type ?? 'browser';
  }

  /** Checks whether a passphrase must be entered before secrets can be read. */
  async isLocked(): Promise<boolean> {
    const vault = await this.#db?.get('vault', LOCK);
    return vault?.type === 'passphrase' && vault.id !== this.#unlocked?.id;
  }

  /**
   * Stores a secret for one purpose `boundTo`, such as an address; replaces an earlier one with this id. Rejects with
   * `VaultLocked`.
   */
  put(id: string, boundTo: string, secret: string): Promise<void> {
    const db = this.#db;
    if (db === undefined) {
      this.#memory.set(id, { boundTo, secret });
      return Promise.resolve();
    }
    return alone(async () => {
      const sealed = await seal(await this.#key(db), label(id, boundTo), new TextEncoder().encode(secret));
      await db.put('secrets', { ...sealed, boundTo }, id);
    });
  }

  /**
   * Returns a secret; undefined if there is none with this id for `boundTo`, or it cannot be decrypted. Rejects with
   * `VaultLocked`.
   */
  async get(id: string, boundTo: string): Promise<string | undefined> {
    if (this.#db === undefined) {
      const found = this.#memory.get(id);
      return found?.boundTo === boundTo ? found.secret : undefined;
    }
    const db = this.#db;
    return alone(async () => {
      const sealed = await db.get('secrets', id);
      if (sealed === undefined || sealed.boundTo !== boundTo) return undefined;
      const opened = await unseal(await this.#key(db), label(id, boundTo), sealed);
      return opened === undefined ? undefined : new TextDecoder().decode(opened);
    });
  }

  async delete(id: string): Promise<void> {
    this.#memory.delete(id);
    const db = this.#db;
    if (db !== undefined) await alone(() => db.delete('secrets', id));
  }

  /** Unlocks the vault until the page is closed. Does nothing if it has no passphrase. Rejects with `WrongPassphrase`. */
  async unlock(passphrase: string): Promise<void> {
    const vault = await this.#db?.get('vault', LOCK);
    if (vault?.type !== 'passphrase') return;
    const outer = await deriveKey(passphrase, vault.salt, vault.iterations);
    const raw = await unseal(outer, LOCK, vault);
    if (raw === undefined) throw new WrongPassphrase('That is not the passphrase.');
    this.#unlocked = { id: vault.id, key: await importKey(raw) };
  }

  /**
   * Encrypts all secrets again, with a key under a passphrase, or, for undefined, with a new key of this browser. Does nothing
   * if secrets are not stored. Rejects with `VaultLocked`, and with `VaultDamaged` if a secret cannot be read; then nothing is
   * changed.
   */
  protect(passphrase: string | undefined): Promise<void> {
    const db = this.#db;
    if (db === undefined) return Promise.resolve();
    return alone(async () => {
      const before = await this.#key(db);
      const raw = crypto.getRandomValues(new Uint8Array(32)).buffer;
      const key = await importKey(raw);
      const vault: StoredVault =
        passphrase === undefined ? { type: 'browser', key } : await this.#wrap(raw, passphrase);
      const ids = await db.getAllKeys('secrets');
      const sealed = await Promise.all(
        ids.map(async (id) => {
          const secret = await db.get('secrets', id);
          const opened = secret && (await unseal(before, label(id, secret.boundTo), secret));
          if (secret === undefined) return undefined;
          if (opened === undefined) throw new VaultDamaged('A key cannot be read.');
          return { id, value: { ...(await seal(key, label(id, secret.boundTo), opened)), boundTo: secret.boundTo } };
        }),
      );
      const tx = db.transaction(['vault', 'secrets'], 'readwrite', { durability: 'strict' });
      await tx.objectStore('secrets').clear();
      for (const one of sealed) if (one !== undefined) await tx.objectStore('secrets').put(one.value, one.id);
      await tx.objectStore('vault').put(vault, LOCK);
      await tx.done;
      this.#unlocked = vault.type === 'passphrase' ? { id: vault.id, key } : undefined;
    });
  }

  /** Deletes all secrets, and the passphrase. */
  async clear(): Promise<void> {
    this.#memory.clear();
    this.#unlocked = undefined;
    const db = this.#db;
    if (db === undefined) return;
    await alone(async () => {
      const tx = db.transaction(['vault', 'secrets'], 'readwrite');
      await Promise.all([tx.objectStore('secrets').clear(), tx.objectStore('vault').clear(), tx.done]);
    });
  }

  async #wrap(raw: ArrayBuffer, passphrase: string): Promise<StoredVault> {
    const salt = crypto.getRandomValues(new Uint8Array(SALT_BYTES));
    const iterations = this.#iterations;
    const outer = await deriveKey(passphrase, salt, iterations);
    return {
      type: 'passphrase',
      id: crypto.randomUUID(),
      salt,
      iterations,
      ...(await seal(outer, LOCK, new Uint8Array(raw))),
    };
  }

  /** The key that encrypts the secrets. It is made when it is first needed. Rejects with `VaultLocked`. */
  async #key(db: IDBPDatabase<VaultSchema>): Promise<CryptoKey> {
    const vault = await db.get('vault', LOCK);
    if (vault?.type === 'browser') return vault.key;
    if (vault?.type === 'passphrase') {
      if (this.#unlocked?.id !== vault.id) throw new VaultLocked('Enter the passphrase of your keys first.');
      return this.#unlocked.key;
    }
    const key = await crypto.subtle.generateKey({ name: 'AES-GCM', length: 256 }, false, ['encrypt', 'decrypt']);
    const tx = db.transaction('vault', 'readwrite', { durability: 'strict' });
    // Another tab may have been faster.
    const present = await tx.store.get(LOCK);
    if (present === undefined) await tx.store.put({ type: 'browser', key }, LOCK);
    await tx.done;
    return present === undefined ? key : this.#key(db);
  }
}

/** Returns the context that a secret is encrypted for, so that it cannot be moved to another place in the database. */
const label = (id: string, boundTo: string): string => JSON.stringify([id, boundTo]);

const importKey = (raw: BufferSource): Promise<CryptoKey> =>
  crypto.subtle.importKey('raw', raw, 'AES-GCM', false, ['encrypt', 'decrypt']);

async function deriveKey(passphrase: string, salt: Uint8Array<ArrayBuffer>, iterations: number): Promise<CryptoKey> {
  const text = new TextEncoder().encode(passphrase.normalize('NFKC'));
  const material = await crypto.subtle.importKey('raw', text, 'PBKDF2', false, ['deriveKey']);
  const algorithm = { name: 'PBKDF2', hash: 'SHA-256', salt, iterations };
  return crypto.subtle.deriveKey(algorithm, material, { name: 'AES-GCM', length: 256 }, false, ['encrypt', 'decrypt']);
}

async function seal(key: CryptoKey, purpose: string, secret: Uint8Array<ArrayBuffer>): Promise<Sealed> {
  const iv = crypto.getRandomValues(new Uint8Array(IV_BYTES));
  const additionalData = new TextEncoder().encode(purpose);
  return { iv, data: await crypto.subtle.encrypt({ name: 'AES-GCM', iv, additionalData }, key, secret) };
}

/** Decrypts data; undefined if it was encrypted with another key or for another purpose, or was changed. */
async function unseal(
  key: CryptoKey,
  purpose: string,
  { iv, data }: Sealed,
): Promise<Uint8Array<ArrayBuffer> | undefined> {
  const additionalData = new TextEncoder().encode(purpose);
  try {
    return new Uint8Array(await crypto.subtle.decrypt({ name: 'AES-GCM', iv, additionalData }, key, data));
  } catch {
    return undefined;
  }
}

/** Runs an operation on secrets while no other one runs in any tab, so that none uses a key that is being replaced. */
const alone = <Value>(act: () => Promise<Value>): Promise<Value> =>
  globalThis.navigator?.locks === undefined ? act() : navigator.locks.request(LOCK, act);
