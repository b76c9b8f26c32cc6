import { expect, test } from './lib/fixtures.ts';

const chat = { threadId: 't', runId: 'r', revision: null, head: null, turnId: 'a', action: {}, settings: {} };

test.describe('the server answers only its own pages', () => {
  const cases: { name: string; headers: Record<string, string>; status: number; code: string }[] = [
    { name: 'a foreign host', headers: { host: 'evil.example' }, status: 403, code: 'unknown-host' },
    { name: 'a foreign origin', headers: { origin: 'https://evil.example' }, status: 403, code: 'foreign-origin' },
    {
      name: 'another port of this machine',
      headers: { origin: 'http://localhost:1' },
      status: 403,
      code: 'foreign-origin',
    },
    { name: 'a cross-site request', headers: { 'sec-fetch-site': 'cross-site' }, status: 403, code: 'foreign-origin' },
    { name: 'a form', headers: { 'content-type': 'text/plain' }, status: 415, code: 'not-json' },
    { name: 'a body of another form', headers: {}, status: 400, code: 'invalid-body' },
  ];
  for (const { name, headers, status, code } of cases) {
    test(`${name} is refused with problem details`, async ({ request }) => {
      const response = await request.post('/api/chat', {
        headers: { 'content-type': 'application/json', ...headers },
        data: JSON.stringify(chat),
      });
      expect(response.status()).toBe(status);
      expect(response.headers()['content-type']).toContain('application/problem+json');
      expect(await response.json()).toMatchObject({ status, code });
    });
  }

  test('the page itself is not given to a foreign host either', async ({ request }) => {
    expect((await request.get('/', { headers: { host: 'evil.example' } })).status()).toBe(403);
  });

  test('a body that is too large is refused before it is read', async ({ request }) => {
    const response = await request.post('/api/chat', {
      headers: { 'content-type': 'application/json' },
      data: `"${'x'.repeat(34_000_000)}"`,
    });
    expect(response.status()).toBe(413);
    expect(await response.json()).toMatchObject({ code: 'too-large' });
  });
});

test('every answer carries the security headers, the page a policy with a nonce of its own', async ({ request }) => {
  for (const path of ['/', '/api/models', '/icon.svg', '/sandbox/frame']) {
    const headers = (await request.get(path)).headers();
    expect(headers['x-content-type-options'], path).toBe('nosniff');
    expect(headers['referrer-policy'], path).toBe('no-referrer');
  }
  const policies = await Promise.all(
    [0, 1].map(async () => (await request.get('/')).headers()['content-security-policy'] ?? ''),
  );
  expect(policies[0]).toMatch(/script-src 'self' 'nonce-[^']+';/);
  expect(policies[0]).not.toBe(policies[1]);
  expect(policies[0]).not.toContain('unsafe-eval');
});

test('the studio loads nothing from anybody else', async ({ page, studio, bench }) => {
  const foreign: string[] = [];
  await page.route('**/*', async (route) => {
    const url = new URL(route.request().url());
    if (url.origin === bench.url || url.protocol === 'blob:' || url.protocol === 'data:') return route.continue();
    foreign.push(url.href);
    return route.abort();
  });
  await studio.open({ files: { '/src/a.tsx': 'export const a = 1;' } });
  await studio.files.getByRole('treeitem', { name: 'a.tsx' }).click();
  await expect(studio.editor.locator('.view-lines')).toContainText('export const a', { timeout: 20_000 });
  await page.getByRole('button', { name: 'Settings' }).click();
  await expect(page.getByRole('dialog')).toBeVisible();
  expect(foreign).toEqual([]);
});

test('the sandbox reaches neither the network nor the studio', async ({ studio, bench }) => {
  const question = 'Escape from the sandbox';
  const attacks = [
    `fetch('${bench.url}/api/models').then(() => 'OUT', (e) => 'blocked: ' + e.name)`,
    `new Promise((done) => { const s = new WebSocket('ws://localhost:9'); s.onopen = () => done('OUT'); s.onerror = () => done('blocked'); })`,
    `(() => { try { importScripts('${bench.url}/icon.svg'); return 'OUT'; } catch (e) { return 'blocked: ' + e.name; } })()`,
    `import('${bench.url}/x.js').then(() => 'OUT', (e) => 'blocked: ' + e.name)`,
    `typeof document + typeof localStorage + typeof parent`,
    `(() => { try { return indexedDB.open('roundtrip-studio') && 'opened something'; } catch (e) { return 'blocked: ' + e.name; } })()`,
  ];
  bench.model.script(question, [
    ...attacks.map((code) => ({ calls: [{ name: 'browser_js_eval', arguments: JSON.stringify({ code }) }] })),
    { text: 'No way out.' },
  ]);
  studio.expectedProblems.push(
    'Content Security Policy',
    'Failed to load',
    'violates',
    'ERR_BLOCKED',
    'WebSocket',
    'Connection-Allowlist',
  );
  await studio.open();
  await studio.say(question);
  await studio.allow.click();
  await studio.settled();
  const results =
    (await studio.turns())[0]?.parts.flatMap((part) => (part.type === 'tool-call' ? [part.result] : [])) ?? [];
  const texts = results.map((result) => (result?.type === 'tool-result' ? result.output.content : result?.message));
  for (const text of texts) expect(text).not.toContain('OUT');
  expect(texts[4]).toBe('undefinedundefinedundefined');
});
