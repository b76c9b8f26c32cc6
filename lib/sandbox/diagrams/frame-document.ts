import { CODE_SANDBOX, frameHeaders } from '../frame-document.ts';

/** The first script of the frame: receives a port from the page, and runs the script that the page sends with it. */
const FIRST_SCRIPT = `addEventListener('message', ({ data, ports }) => {
  globalThis.diagramPort = ports[0];
  const script = document.createElement('script');
  script.src = URL.createObjectURL(new Blob([data], { type: 'text/javascript' }));
  document.head.append(script);
}, { once: true });`;

/** The content security policy: only the first script and the one that it loads can run. There is no network. */
const policy = (hash: string): string =>
  [
    "default-src 'none'",
    `script-src 'sha256-${hash}' blob:`,
    "style-src 'unsafe-inline'",
    'img-src data:',
    "form-action 'none'",
    "base-uri 'none'",
  ].join('; ');

/**
 * Returns the HTTP headers of the frame in which diagrams are drawn. `hash`: the result of `scriptHash`; only the script
 * with that hash, and the one that it loads, may run.
 */
export const diagramHeaders = (hash: string): Record<string, string> => frameHeaders(CODE_SANDBOX, policy(hash));

/** Returns the SHA-256 hash of the inline script in `diagramDocument`, in Base64, as content security policies have it. */
export async function scriptHash(): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(FIRST_SCRIPT));
  return btoa(String.fromCharCode(...new Uint8Array(digest)));
}

/**
 * The HTML document of the frame in which diagrams are drawn. Its only script waits for a port and for the script that draws,
 * which the page sends.
 */
export const diagramDocument = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>Diagrams</title>
<script>${FIRST_SCRIPT}</script>
</head>
<body></body>
</html>
`;
