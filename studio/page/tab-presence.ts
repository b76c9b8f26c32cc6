import { delay } from '#lib/base/delay.ts';

/** The time that a tab has to say that it is there, in milliseconds. */
const ANSWER_MS = 700;

const PREFIX = 'roundtrip-studio:tab:';

/** The channel on which tabs ask each other whether they are there. */
const CHANNEL = 'roundtrip-studio:tabs';

type PresenceMessage = { type: 'who' } | { type: 'here'; id: string };

let ownId: string | undefined;

/** Makes this tab known to the others of its browser (see `silentTabs`) for as long as it is open. Later calls do nothing. */
export function announceTab(): void {
  if (ownId !== undefined) return;
  const id = crypto.randomUUID();
  ownId = id;
  // The browser releases it when the page ends, in whatever way.
  void navigator.locks.request(`${PREFIX}${id}`, () => new Promise(() => undefined)).catch(() => undefined);
  const channel = new BroadcastChannel(CHANNEL);
  channel.addEventListener('message', ({ data }: MessageEvent<PresenceMessage>) => {
    if (data.type === 'who') channel.postMessage({ type: 'here', id } satisfies PresenceMessage);
  });
  // A tab that is suspended cannot say its name, and it was hidden before.
  const leaveTitle = () => write(`${PREFIX}${id}`, document.title);
  document.addEventListener('visibilitychange', leaveTitle);
  leaveTitle();
  addEventListener('pagehide', () => write(`${PREFIX}${id}`, undefined));
  void openTabs().then((ids) => {
    for (const key of storedKeys()) if (!ids.has(key.slice(PREFIX.length))) write(key, undefined);
  });
}

/**
 * Asks all tabs of the studio in this browser whether they are there, waits for `ANSWER_MS`, and resolves with the last known
 * titles of those that are open but do not answer; an empty text for a tab without a title. Such tabs may keep a workspace from
 * being opened.
 */
export async function silentTabs(): Promise<readonly string[]> {
  const channel = new BroadcastChannel(CHANNEL);
  const answered = new Set<string | undefined>([ownId]);
  channel.addEventListener('message', ({ data }: MessageEvent<PresenceMessage>) => {
    if (data.type === 'here') answered.add(data.id);
  });
  channel.postMessage({ type: 'who' } satisfies PresenceMessage);
  await delay(ANSWER_MS);
  channel.close();
  const silent = [...(await openTabs())].filter((id) => !answered.has(id));
  return silent.map((id) => localStorage.getItem(`${PREFIX}${id}`) ?? '');
}

async function openTabs(): Promise<ReadonlySet<string>> {
  const { held = [] } = await navigator.locks.query();
  return new Set(held.flatMap(({ name = '' }) => (name.startsWith(PREFIX) ? [name.slice(PREFIX.length)] : [])));
}

const storedKeys = (): string[] => Object.keys(localStorage).filter((key) => key.startsWith(PREFIX));

function write(key: string, title: string | undefined): void {
  try {
    if (title === undefined) localStorage.removeItem(key);
    else localStorage.setItem(key, title);
  } catch {
    // Without a title, a tab is named by its kind.
  }
}
