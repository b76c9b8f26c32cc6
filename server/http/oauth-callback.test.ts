import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { oauthCallbackResponse } from './oauth-callback.ts';

test('the callback page runs its own script only, loads nothing, and is shown in no frame', async () => {
  const response = oauthCallbackResponse();
  const policy = response.headers.get('content-security-policy') ?? '';
  const page = await response.text();
  const [, script = ''] = /<script>([\s\S]*)<\/script>/.exec(page) ?? [];
  const hash = createHash('sha256').update(script).digest('base64');
  expect(policy).toContain(`script-src 'sha256-${hash}';`);
  expect(policy).toContain("default-src 'none'");
  expect(policy).toContain("frame-ancestors 'none'");
  expect(page).not.toMatch(/ (src|href)=/);
  expect(response.headers.get('cache-control')).toBe('no-store');
  expect(response.headers.get('referrer-policy')).toBe('no-referrer');
});
