import { beforeEach, expect, test, vi } from 'vitest';
import type { Thread } from '#lib/threads/thread.ts';
import { hostGrantName } from '#lib/threads/thread.ts';
import type { WebRequest } from '#lib/tools/capabilities/web.ts';
import { ToolRegistry } from '#lib/tools/catalogue/registry.ts';
import { createToolExecutor } from '#lib/tools/execution/executor.ts';
import { ToolHost } from '#lib/tools/execution/host.ts';
import { fetchUrl } from '#lib/tools/web/fetch-url.ts';
import { type Settings, settingsSchema, withHosts } from '../settings.ts';
import { personFetch, type RequestQuestion } from './person-web.ts';

const URL = 'https://example.org/a';

let settings: Settings;
let toolsets: string[];
let grants: string[];
let sent: string[];
let noted: unknown[];
let questions: RequestQuestion[];
/** The person's answer to each question. */
let answer: () => boolean | Promise<boolean>;

beforeEach(() => {
  settings = settingsSchema.parse({});
  toolsets = ['web'];
  grants = [];
  [sent, noted, questions] = [[], [], []];
  answer = () => true;
});

/** The `fetch` of one piece of code. */
function fetchOf(abortSignal = new AbortController().signal) {
  const egress = {
    allowed: (call: object, decision: string) => noted.push({ ...call, decision }),
    denied: (call: object, hosts: readonly string[], reason: string) => noted.push({ ...call, hosts, reason }),
    sent: () => undefined,
  };
  const fetch = personFetch({
    async load() {
      const request = async ({ url }: WebRequest) => {
        sent.push(url);
        return { url, status: 200, headers: {}, body: new TextEncoder().encode('Hi') };
      };
      const web = { request, read: () => Promise.reject(new Error('Nothing is read.')) };
      const registry = new ToolRegistry([fetchUrl]);
      return { registry, createToolExecutor, ToolHost, web, egressOf: () => egress };
    },
    settings: () => settings,
    threadId: 't',
    thread: () => ({ grants, grantedAt: {}, settings: { toolsets } }) as unknown as Thread,
    async ask(question) {
      questions.push(question);
      return answer();
    },
    abortSignal,
  });
  return (url = URL, onWait: (isWaiting: boolean) => void = () => undefined) => fetch(url, 'GET', onWait);
}

test('a host is asked about once for each piece of code, and the bytes are what the model’s code would get', async () => {
  const fetch = fetchOf();
  const waits: boolean[] = [];
  expect(await fetch(URL, (isWaiting) => waits.push(isWaiting))).toEqual({
    url: URL,
    status: 200,
    headers: {},
    body: btoa('Hi'),
    isCut: false,
  });
  // While the person thinks, the code’s time does not run out.
  expect(waits).toEqual([true, false]);
  await fetch('https://example.org/b');
  expect(questions).toEqual([{ host: 'example.org', url: URL }]);
  await fetch('https://other.example/');
  expect(questions.map(({ host }) => host)).toEqual(['example.org', 'other.example']);
  expect(noted[0]).toMatchObject({ toolName: 'the console', decision: 'asked' });
  expect(noted[1]).toMatchObject({ decision: 'asked' });
  await fetchOf()();
  expect(questions).toHaveLength(3);
});

test('what is denied is not sent, and code that goes on asking asks nobody', async () => {
  answer = () => false;
  const fetch = fetchOf();
  for (let n = 0; n < 3; n++) expect(await fetch()).toEqual({ denied: 'Not run. You did not allow it.' });
  expect([questions.length, sent.length]).toEqual([1, 0]);
  expect(noted[0]).toMatchObject({ toolName: 'the console', hosts: ['example.org'] });
});

test('several requests at once are asked about one after the other', async () => {
  let open = 0;
  answer = async () => {
    expect(++open).toBe(1);
    await new Promise((resolve) => setTimeout(resolve));
    open -= 1;
    return true;
  };
  const fetch = fetchOf();
  await Promise.all([fetch(), fetch(), fetch('https://other.example/'), fetch('https://third.example/')]);
  expect(questions).toHaveLength(3);
  expect(sent).toHaveLength(4);
});

test('hosts that are allowed in the thread, everywhere, or by the settings are not asked about', async () => {
  grants = [hostGrantName(fetchUrl, 'example.org')];
  await fetchOf()();
  grants = [];
  const always = withHosts(settings, fetchUrl, ['example.org']);
  settings = { ...settings, ...always };
  await fetchOf()();
  settings = settingsSchema.parse({ permissions: { web: { execute: 'allow' } } });
  await fetchOf()();
  expect(noted).toMatchObject([{ decision: 'thread' }, { decision: 'always' }, { decision: 'policy' }]);
  expect(questions).toEqual([]);
});

test('while the web is off for the model, each host is asked about: its code may still be running', async () => {
  toolsets = [];
  grants = [hostGrantName(fetchUrl, 'example.org')];
  const fetch = fetchOf();
  await fetch();
  await fetch();
  expect(questions).toHaveLength(1);
  expect(sent).toHaveLength(2);
});

test('what the settings deny is denied without a question', async () => {
  settings = settingsSchema.parse({ permissions: { web: { execute: 'deny' } } });
  expect(await fetchOf()()).toEqual({ denied: expect.stringContaining('settings do not allow') });
  expect([questions.length, sent.length]).toEqual([0, 0]);
});

test('code that is stopped asks nothing more', async () => {
  const stop = new AbortController();
  const fetch = fetchOf(stop.signal);
  answer = () => {
    stop.abort();
    return false;
  };
  await Promise.allSettled([fetch(), fetch('https://other.example/')]);
  await vi.waitFor(() => expect(questions).toHaveLength(1));
  expect(sent).toEqual([]);
});
