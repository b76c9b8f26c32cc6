/**
 * The path of the hidden frame in which code runs. The content security policy of the studio's page allows frames only at
 * this path, at `PREVIEW_FRAME_PATH`, and at `DIAGRAM_FRAME_PATH`.
 */
export const SANDBOX_FRAME_PATH = '/sandbox/frame';

/**
 * The path of the visible frame in which a previewed page runs: the same document as at `SANDBOX_FRAME_PATH`, but with forms
 * allowed.
 */
export const PREVIEW_FRAME_PATH = '/sandbox/preview';

/** The path of the hidden frame in which diagrams are drawn. */
export const DIAGRAM_FRAME_PATH = '/sandbox/diagrams';

/** The sandbox flags of hidden frames, set both by their HTTP headers and on their elements. */
export const CODE_SANDBOX = 'allow-scripts';

/**
 * The sandbox flags of the frame for a previewed page. With `allow-forms`, pages get `submit` events; the content security
 * policy still prevents forms from being sent anywhere.
 */
export const PREVIEW_SANDBOX = 'allow-scripts allow-forms';

/**
 * The content security policy of frames, to which `frameHeaders` adds the sandbox flags: code may run and show its own
 * content. No network, no frames, and no sending of forms.
 */
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
].join('; ');

/**
 * The HTTP headers with which a frame is served. `sandbox`: its sandbox flags. `policy`: its content security policy; by
 * default, that of frames for code and previewed pages.
 */
export const frameHeaders = (sandbox: string, policy: string = SANDBOX_POLICY): Record<string, string> => ({
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': `${policy}; sandbox ${sandbox}`,
  'connection-allowlist': '()',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'cache-control': 'no-store',
});

/**
 * Returns the HTML document of the frame in which code or a previewed page runs. `kernel`: the source of the script that
 * runs the code there.
 */
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

/** Escapes source so that it cannot close its script element: in JavaScript, `<\/script` is the same text. */
const inScript = (source: string): string => source.replace(/<\/(script)/gi, '<\\/$1').replaceAll('<!--', '<\\!--');
