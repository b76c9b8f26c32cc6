import { withDamage } from '#lib/messages/readable.ts';
import { MessageTree } from '#lib/threads/message-tree.ts';
import { toOpenAiJsonl } from '#lib/threads/openai-jsonl.ts';
import type { Thread } from '#lib/threads/thread.ts';
import type { Studio } from './studio.ts';

/** The name of a file for a thread without a title. */
const UNTITLED = 'thread';

/** The maximum length of the name of a file, in characters, without its extension. */
const NAME_MAX = 80;

/** A file for the user to download. */
interface ExportedFile {
  blob: Blob;
  name: string;
}

/**
 * Exports the open branches of threads in OpenAI's format: one as JSON lines, several as a zip of such files. Rejects with
 * `StorageError`.
 */
export async function exportThreads(
  { store, settings, workspaces, threads }: Pick<Studio, 'store' | 'settings' | 'workspaces' | 'threads'>,
  exported: readonly Thread[],
): Promise<ExportedFile> {
  const { systemPrompt } = settings.getState();
  const linesOf = async ({ id, headId, settings: own }: Thread): Promise<string> => {
    const branch = new MessageTree(await store.messages(id)).branch(headId);
    return toOpenAiJsonl(branch.map(withDamage), own.systemPrompt ?? systemPrompt);
  };
  const [first, ...others] = exported;
  if (first !== undefined && others.length === 0) {
    const blob = new Blob([await linesOf(first)], { type: 'application/jsonl' });
    return { blob, name: `${fileName(first)}.jsonl` };
  }
  const names = uniqueNames(exported);
  const entries = new Map<string, Uint8Array>();
  for (const [index, thread] of exported.entries())
    entries.set(`${names[index]}.jsonl`, new TextEncoder().encode(await linesOf(thread)));
  const { runner } = await workspaces.open(threads.workspaceId);
  const zip = (await runner.zip(entries)) as Uint8Array<ArrayBuffer>;
  return { blob: new Blob([zip], { type: 'application/zip' }), name: 'threads.zip' };
}

/**
 * Returns names of files for threads, in the order of the threads, without extensions. No two names are the same or differ
 * only in case.
 */
export function uniqueNames(threads: readonly Pick<Thread, 'title'>[]): string[] {
  const taken = new Set<string>();
  return threads.map((thread) => {
    const name = fileName(thread);
    let free = name;
    for (let n = 2; taken.has(free.toLowerCase()); n++) free = `${name} ${n}`;
    taken.add(free.toLowerCase());
    return free;
  });
}

/**
 * A name for the file of a thread, without extension: the beginning of the title, without what systems refuse in names of
 * files; `UNTITLED` if nothing is left.
 */
function fileName({ title }: Pick<Thread, 'title'>): string {
  const plain = title.replace(/[\p{Cc}\p{Cf}<>:"/\\|?*\s]+/gu, ' ').trim();
  const name = [...plain]
    .slice(0, NAME_MAX)
    .join('')
    .replace(/[. ]+$/, '')
    .replace(/^\.+/, '');
  return name || UNTITLED;
}
