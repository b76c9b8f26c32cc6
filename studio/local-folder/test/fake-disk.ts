interface FakeFile {
  data: Uint8Array<ArrayBuffer>;
  lastModified: number;
}

type Entry = { kind: 'file'; file: FakeFile } | { kind: 'directory'; entries: Map<string, Entry> };

interface FakeDiskOptions {
  /** Whether names that differ only in case are the same, as on Windows and macOS. */
  ignoresCase?: boolean;
}

/** An in-memory disk behind the File System Access API, with the faults of real disks. */
export class FakeDisk {
  readonly handle: FileSystemDirectoryHandle;
  /** Paths of files whose content cannot be read. */
  readonly unreadable = new Set<string>();
  /** Called before and after a written file is put in place. */
  beforeClose: ((path: string) => void) | undefined;
  afterClose: ((path: string) => void) | undefined;
  readonly #root: Entry & { kind: 'directory' } = { kind: 'directory', entries: new Map() };
  readonly #ignoresCase: boolean;
  #time = 1_000_000;

  constructor({ ignoresCase = false }: FakeDiskOptions = {}) {
    this.#ignoresCase = ignoresCase;
    this.handle = this.#directory('project', this.#root, '');
  }

  /** Writes as another program would: with a new timestamp, unless one is given. */
  write(path: string, text: string, lastModified = this.#now()): void {
    const names = path.split('/').filter(Boolean);
    const name = names.pop() as string;
    let directory = this.#root;
    for (const one of names) {
      const child = directory.entries.get(one) ?? { kind: 'directory', entries: new Map() };
      directory.entries.set(one, child);
      directory = child as typeof directory;
    }
    directory.entries.set(name, { kind: 'file', file: { data: new TextEncoder().encode(text), lastModified } });
  }

  remove(path: string): void {
    const names = path.split('/').filter(Boolean);
    const name = names.pop() as string;
    let directory = this.#root;
    for (const one of names) directory = directory.entries.get(one) as typeof directory;
    directory.entries.delete(name);
  }

  lastModified(path: string): number | undefined {
    return this.#find(path)?.lastModified;
  }

  /** The text of every file, by path. */
  files(): Record<string, string> {
    const found: Record<string, string> = {};
    const visit = (entries: Map<string, Entry>, path: string) => {
      for (const [name, entry] of entries)
        if (entry.kind === 'directory') visit(entry.entries, `${path}/${name}`);
        else found[`${path}/${name}`] = new TextDecoder().decode(entry.file.data);
    };
    visit(this.#root.entries, '');
    return found;
  }

  #now(): number {
    this.#time += 10_000;
    return this.#time;
  }

  #find(path: string): FakeFile | undefined {
    let entry: Entry | undefined = this.#root;
    for (const name of path.split('/').filter(Boolean))
      entry = entry?.kind === 'directory' ? entry.entries.get(name) : undefined;
    return entry?.kind === 'file' ? entry.file : undefined;
  }

  #nameIn(entries: Map<string, Entry>, name: string): string {
    if (!this.#ignoresCase) return name;
    return [...entries.keys()].find((one) => one.toLowerCase() === name.toLowerCase()) ?? name;
  }

  #directory(name: string, directory: Entry & { kind: 'directory' }, path: string): FileSystemDirectoryHandle {
    const { entries } = directory;
    const open = (key: string, entry: Entry) =>
      entry.kind === 'directory'
        ? this.#directory(key, entry, `${path}/${key}`)
        : this.#file(key, entries, `${path}/${key}`);
    const get = (kind: Entry['kind'], wanted: string, create: boolean) => {
      const key = this.#nameIn(entries, wanted);
      let entry = entries.get(key);
      if (entry === undefined && create) {
        entry =
          kind === 'directory'
            ? { kind, entries: new Map() }
            : { kind, file: { data: new Uint8Array(), lastModified: this.#now() } };
        entries.set(key, entry);
      }
      if (entry === undefined) throw new DOMException('no such entry', 'NotFoundError');
      if (entry.kind !== kind) throw new DOMException('not of that kind', 'TypeMismatchError');
      return open(key, entry);
    };
    const handle = {
      kind: 'directory',
      name,
      queryPermission: async () => 'granted',
      requestPermission: async () => 'granted',
      entries: async function* () {
        for (const [key, entry] of [...entries]) yield [key, open(key, entry)];
      },
      keys: async function* () {
        yield* [...entries.keys()];
      },
      getDirectoryHandle: async (key: string, { create = false } = {}) => get('directory', key, create),
      getFileHandle: async (key: string, { create = false } = {}) => get('file', key, create),
      removeEntry: async (wanted: string) => {
        const key = this.#nameIn(entries, wanted);
        const entry = entries.get(key);
        if (entry === undefined) throw new DOMException('no such entry', 'NotFoundError');
        if (entry.kind === 'directory' && entry.entries.size > 0)
          throw new DOMException('not empty', 'InvalidModificationError');
        entries.delete(key);
      },
    };
    return handle as unknown as FileSystemDirectoryHandle;
  }

  #file(name: string, entries: Map<string, Entry>, path: string): FileSystemFileHandle {
    const current = (): FakeFile => {
      const entry = entries.get(name);
      if (entry?.kind !== 'file') throw new DOMException('no such file', 'NotFoundError');
      return entry.file;
    };
    const handle = {
      kind: 'file',
      name,
      getFile: async () => {
        const { data, lastModified } = current();
        const file = new File([data], name, { lastModified });
        const arrayBuffer = async () => {
          if (this.unreadable.has(path) || current().lastModified !== lastModified)
            throw new DOMException('could not be read', 'NotReadableError');
          return current().data.slice().buffer;
        };
        return Object.assign(file, { arrayBuffer });
      },
      createWritable: async () => {
        let written = new Uint8Array(0);
        return {
          write: async (data: Uint8Array<ArrayBuffer>) => {
            written = data.slice();
            this.beforeClose?.(path);
          },
          close: async () => {
            entries.set(name, { kind: 'file', file: { data: written, lastModified: this.#now() } });
            this.afterClose?.(path);
          },
          abort: async () => undefined,
        };
      },
    };
    return handle as unknown as FileSystemFileHandle;
  }
}
