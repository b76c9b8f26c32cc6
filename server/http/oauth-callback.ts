import { createHash } from 'node:crypto';
import { OAUTH_CHANNEL } from '#lib/wire/oauth.ts';

/**
 * The time for which the callback page waits for the studio's answer before it says that no page of the studio waits for the
 * login, in milliseconds.
 */
const ANSWER_MS = 3_000;

/**
 * The script of the callback page. It removes the query from the page's address, so that the history does not keep it, and
 * hands it over to the studio's tabs. When one has taken it, the window closes; otherwise, the page says that no page of the
 * studio waits for the login.
 */
const SCRIPT = `
const query = location.search.slice(1);
history.replaceState(null, '', location.pathname);
const channel = new BroadcastChannel(${JSON.stringify(OAUTH_CHANNEL)});
const show = (id) => {
  for (const part of document.querySelectorAll('p')) part.hidden = part.id !== id;
};
const timer = setTimeout(() => show('nobody'), ${ANSWER_MS});
channel.onmessage = ({ data }) => {
  if (data?.type !== 'taken' || data.query !== query) return;
  clearTimeout(timer);
  show('taken');
  window.close();
};
channel.postMessage({ type: 'callback', query });
`;

const STYLE =
  'body{font:16px/1.5 system-ui,sans-serif;margin:3rem auto;max-width:32rem;padding:0 1rem;color-scheme:light dark}span{display:block;margin-top:.5rem}';

const sourceOf = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

const POLICY = [
  "default-src 'none'",
  `script-src ${sourceOf(SCRIPT)}`,
  `style-src ${sourceOf(STYLE)}`,
  "frame-ancestors 'none'",
  "form-action 'none'",
  "base-uri 'none'",
].join('; ');

/** The callback page in two languages: it shares only the origin with the studio, so it doesn't know the person's language. */
const DOCUMENT = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Roundtrip Studio</title>
<style>${STYLE}</style>
</head>
<body>
<main role="status">
<p id="waiting">Handing the login over to the studio… <span lang="zh-CN">正在将登录交给工作室……</span></p>
<p id="taken" hidden>The studio continues with the login. You can close this window. <span lang="zh-CN">工作室将继续登录。你可以关闭此窗口。</span></p>
<p id="nobody" hidden>No page of the studio waits for this login, so nothing was changed. Close this window, and log in again under “Settings › Tools › Servers”. <span lang="zh-CN">没有工作室页面在等待此登录，因此未做任何更改。请关闭此窗口，然后在“设置 › 工具 › 服务器”中重新登录。</span></p>
</main>
<script>${SCRIPT}</script>
</body>
</html>
`;

/**
 * Returns the page to which an authorization server sends a person back after a login (OAuth). It hands the result over to
 * the studio's tabs by its own script, and loads nothing.
 */
export const oauthCallbackResponse = (): Response =>
  new Response(DOCUMENT, {
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': POLICY,
      'referrer-policy': 'no-referrer',
      'cache-control': 'no-store',
    },
  });
