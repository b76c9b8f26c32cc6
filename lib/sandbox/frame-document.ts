/** Where the frame is served; the studio's own policy allows frames at this path and the next only. */
export const SANDBOX_FRAME_PATH = '/sandbox/frame';

/** Where the frame for a page that people see is served: the same document, which may have forms. */
export const PREVIEW_FRAME_PATH = '/sandbox/preview';

/** What a frame may do as its element says, too. Without forms no page hears of `submit`; none can be sent anywhere. */
export const CODE_SANDBOX = 'allow-scripts';
export const PREVIEW_SANDBOX = 'allow-scripts allow-forms';

/** What the frame may do: run code, and show what it holds itself. No network, no navigation, no storage, no frames. */
const SANDBOX_POLICY = [
  "default-src 'none'",
  "script-src 'unsafe-inline' 'unsafe-eval' blob: data:",
  "style-src 'unsafe-inline'",
  'img-src data: blob:',
  'font-src data: blob:',
  'media-src data: blob:',
  'worker-src blob:',
  'connect-src data: blob:',
  "frame-src 'none'",
  "form-action 'none'",
  "base-uri 'none'",
  "object-src 'none'",
  "webrtc 'block'",
].join('; ');

/** The headers it is served with. `sandbox`: what it may do. */
export const frameHeaders = (sandbox: string): Record<string, string> => ({
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': `${SANDBOX_POLICY}; sandbox ${sandbox}`,
  'connection-allowlist': '()',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'cache-control': 'no-store',
});

/** The frame's whole document; `kernel` is the source of its script. */
export function frameDocument(kernel: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>Sandbox</title>
<meta http-equiv="Content-Security-Policy" content="${SANDBOX_POLICY.replaceAll('"', '&quot;')}">
<script>${inScript(kernel)}</script>
</head>
<body></body>
</html>
`;
}

/** Source that cannot end the script element it stands in: within JavaScript, `<\/script` is the same text. */
const inScript = (source: string): string => source.replace(/<\/(script)/gi, '<\\/$1').replaceAll('<!--', '<\\!--');
