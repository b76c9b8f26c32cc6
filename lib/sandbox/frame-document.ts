/** Where the frame is served; the studio's own policy allows frames at this path only. */
export const SANDBOX_FRAME_PATH = '/sandbox/frame';

/** What the frame may do: run code. No network, no navigation, no storage, no frames of its own. */
export const SANDBOX_POLICY = [
  "default-src 'none'",
  "script-src 'unsafe-inline' 'unsafe-eval' blob:",
  'worker-src blob:',
  "connect-src 'none'",
  "frame-src 'none'",
  "form-action 'none'",
  "base-uri 'none'",
  "object-src 'none'",
  "webrtc 'block'",
].join('; ');

/** The frame's whole document; `kernel` is the source of its worker, `frame` that of its own script. */
export function frameDocument(kernel: string, frame: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>Sandbox</title>
<meta http-equiv="Content-Security-Policy" content="${SANDBOX_POLICY.replaceAll('"', '&quot;')}">
<script id="kernel" type="text/plain">${inScript(kernel)}</script>
<script>${inScript(frame)}</script>
</head>
<body></body>
</html>
`;
}

/** Source that cannot end the script element it stands in: within JavaScript, `<\/script` is the same text. */
const inScript = (source: string): string => source.replace(/<\/(script)/gi, '<\\/$1').replaceAll('<!--', '<\\!--');
