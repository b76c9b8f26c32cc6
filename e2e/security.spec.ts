import { expect, test } from './lib/fixtures.ts';

const chat = { threadId: 't', runId: 'r', revision: null, head: null, turnId: 'a', action: {}, settings: {} };

test.describe('the server serves only its own pages', () => {
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
    test(`${name} is rejected with problem details`, async ({ request }) => {
      const response = await request.post('/api/chat', {
        headers: { 'content-type': 'application/json', ...headers },
        data: JSON.stringify(chat),
      });
      expect(response.status()).toBe(status);
      expect(response.headers()['content-type']).toContain('application/problem+json');
      expect(await response.json()).toMatchObject({ status, code });
    });
  }

  test('the page itself is not served to a foreign host either', async ({ request }) => {
    expect((await request.get('/', { headers: { host: 'evil.example' } })).status()).toBe(403);
  });

  test('a body that is too large is rejected before it is read', async ({ request }) => {
    const response = await request.post('/api/chat', {
      headers: { 'content-type': 'application/json' },
      data: `"${'x'.repeat(34_000_000)}"`,
    });
    expect(response.status()).toBe(413);
    expect(await response.json()).toMatchObject({ code: 'too-large' });
  });
});

test('every response has the security headers, and the page a policy with its own nonce', async ({ request }) => {
  for (const path of [
    '/',
    '/preview',
    '/api/models',
    '/api/none',
    '/none',
    '/icon.svg',
    '/sandbox/frame',
    '/sandbox/preview',
    '/sandbox/diagrams',
  ]) {
    const headers = (await request.get(path)).headers();
    expect(headers['x-content-type-options'], path).toBe('nosniff');
    expect(headers['referrer-policy'], path).toBe('no-referrer');
    expect(headers['x-dns-prefetch-control'], path).toBe('off');
  }
  const policies = await Promise.all(
    [0, 1].map(async () => (await request.get('/')).headers()['content-security-policy'] ?? ''),
  );
  expect(policies[0]).toMatch(/script-src 'self' 'nonce-[^']+';/);
  expect(policies[0]).not.toBe(policies[1]);
  expect(policies[0]).not.toContain('unsafe-eval');
});

test('the studio loads nothing from other sites', async ({ page, studio, bench }) => {
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

test('a host of the sandbox serves its frame and nothing else', async ({ request, bench }) => {
  const headers = { host: `s1.localhost:${new URL(bench.url).port}` };
  const frame = await request.get('/sandbox/frame', { headers });
  expect(frame.status()).toBe(200);
  expect(frame.headers()['content-security-policy']).toMatch(/^default-src 'none'; .*; sandbox allow-scripts$/);
  expect(frame.headers()['connection-allowlist']).toBe('()');
  for (const path of ['/', '/api/models', '/icon.svg', '/favicon.ico', '/_next/static/chunks/none.js'])
    expect((await request.get(path, { headers })).status(), path).toBeGreaterThanOrEqual(403);
});

test('the page’s policy allows frames at the sandbox’s paths only', async ({ request, bench }) => {
  const { port } = new URL(bench.url);
  const policy = (await request.get('/')).headers()['content-security-policy'] ?? '';
  const sources = /frame-src ([^;]*)/.exec(policy)?.[1]?.split(' ') ?? [];
  expect(sources).toContain(`http://*.localhost:${port}/sandbox/frame`);
  for (const source of sources) expect(source).toMatch(/^http:\/\/[^/]+\/sandbox\/(frame|preview|diagrams)$/);
});
