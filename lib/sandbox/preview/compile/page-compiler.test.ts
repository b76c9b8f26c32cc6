import { stop } from 'esbuild-wasm';
import { afterAll, describe, expect, test } from 'vitest';
import { type BuildFiles, type BuiltPage, globalName, scriptToken, withStyles } from '../built-page.ts';
import { sourcePlace } from '../source-places.ts';
import { PageCompiler } from './page-compiler.ts';

afterAll(() => stop());

function filesOf(contents: Readonly<Record<string, string>>): BuildFiles {
  const read = (path: string) => new TextEncoder().encode(contents[path] ?? '');
  return {
    find: async (paths) => paths.find((path) => contents[path] !== undefined),
    read: async (path) => read(path),
    package: async (name) => `export default ${JSON.stringify(name)};`,
  };
}

const compile = (contents: Readonly<Record<string, string>>, entry = '/index.html') =>
  new PageCompiler().compile(entry, filesOf(contents));

async function built(contents: Readonly<Record<string, string>>, entry?: string): Promise<BuiltPage> {
  const outcome = await compile(contents, entry);
  if (outcome.type === 'failed') throw new Error(JSON.stringify(outcome.problems));
  return outcome.page;
}

async function problemsOf(contents: Readonly<Record<string, string>>, entry?: string) {
  const outcome = await compile(contents, entry);
  const problems = outcome.type === 'failed' ? outcome.problems : outcome.warnings;
  return problems.map(({ message, place }) => `${place?.path}:${place?.line}:${place?.column} ${message}`);
}

const script = (page: BuiltPage, name: string): string => page.scripts.find((one) => one.name === name)?.text ?? '';

describe('a page’s modules', () => {
  test('are one bundle, in the order of the page, with what they import', async () => {
    const page = await built({
      '/index.html':
        '<body>\n<script type="module" src="a.ts"></script>\n<script type="module">import "./b.js"; window.last = 1;</script></body>',
      '/a.ts': 'import { c } from "./lib"; enum Kind { One } (window as any).first = c + Kind.One;',
      '/b.js': 'export default () => <b/>;',
      '/lib/index.ts': 'export const c: number = 1;',
    });
    const text = script(page, 'modules');
    expect(text.indexOf('window.first')).toBeGreaterThan(0);
    expect(text.indexOf('window.last')).toBeGreaterThan(text.indexOf('window.first'));
    // If one throws, the error is reported and the next one runs.
    expect(text.match(/await run\(/g)).toHaveLength(2);
    expect(page.html).toContain(`<script type="module" src="${scriptToken('modules')}"></script>`);
    expect(page.html.match(/type="module"/g)).toHaveLength(1);
  });

  test('import packages by name, and packages import their dependencies', async () => {
    const page = await built({
      '/index.html': '<script type="module" src="/main.tsx"></script>',
      '/main.tsx': "import { createRoot } from 'react-dom/client';\ncreateRoot(document.body).render(<p/>);",
    });
    expect([...page.packages].sort()).toEqual(['react', 'react-dom', 'react-dom/client', 'react/jsx-runtime']);
    expect(page.html).toContain(`"react":"${scriptToken('react')}"`);
  });

  test('can import each other cyclically', async () => {
    const page = await built({
      '/index.html': '<script type="module" src="a.js"></script>',
      '/a.js': 'import { b } from "./b.js"; export const a = () => b; document.title = b();',
      '/b.js': 'import { a } from "./a.js"; export const b = () => typeof a;',
    });
    expect(script(page, 'modules')).toContain('typeof a');
  });

  test('import styles, CSS modules, data, texts and images', async () => {
    const page = await built({
      '/index.html': '<script type="module" src="a.js"></script>',
      '/a.js':
        'import "./all.css"; import own from "./own.module.css"; import data from "./data.json"; import text from "./a.txt"; import raw from "./raw.svg?raw"; import picture from "./p.png"; import alias from "@/deep"; console.log(own.box, data.n, text, raw, picture, alias);',
      '/all.css': '@import "./more.css"; p { background: url(p.png) }',
      '/more.css': 'b { color: red }',
      '/own.module.css': '.box { color: blue }',
      '/data.json': '{"n": 77}',
      '/a.txt': 'plain words',
      '/raw.svg': '<svg/>',
      '/p.png': 'png',
      '/src/deep.ts': 'export default "from src"',
    });
    const style = page.styles.get('modules') ?? '';
    expect(style).toMatch(/b \{\s*color: red/);
    expect(style).toContain('url(data:image/png,png)');
    expect(style).toMatch(/\.own_box \{\s*color: blue/);
    for (const part of ['77', 'plain words', '<svg/>', 'data:image/png,png', 'from src'])
      expect(script(page, 'modules')).toContain(part);
    expect(withStyles(page)).toContain('.own_box');
  });

  test('report where an import cannot be resolved, and what is available', async () => {
    const problems = await problemsOf({
      '/index.html': '<script type="module" src="a.js"></script>',
      '/a.js': 'import "left-pad";\nimport "./none";\nimport x from "https://esm.sh/lodash";\nimport "../../up.js";',
    });
    expect(problems).toEqual([
      expect.stringMatching(/^\/a\.js:1:8 There is no package "left-pad".*react, react\/jsx-runtime, react-dom/),
      expect.stringMatching(/^\/a\.js:2:8 There is no file for "\.\/none"\. Looked for \/none, also with \.tsx/),
      expect.stringMatching(/^\/a\.js:3:15 https:\/\/esm\.sh\/lodash was not loaded: a preview has no network access/),
      expect.stringMatching(/^\/a\.js:4:8 There is no file for .*outside the workspace/),
    ]);
  });

  test('report where they import a part of a package that does not exist', async () => {
    const page = '<script type="module">\nimport { shallow } from "zustand/shallow";\nshallow();</script>';
    expect(await problemsOf({ '/index.html': page })).toEqual([
      expect.stringMatching(/^\/index\.html:2:25 There is no package "zustand\/shallow"/),
    ]);
    const files = { '/a.ts': "\nimport { z } from 'zod/v9';\nconsole.log(z);" };
    expect(await problemsOf(files, '/a.ts')).toEqual([
      expect.stringMatching(/^\/a\.ts:2:19 There is no package "zod\/v9"/),
    ]);
  });

  test('can have styles whose addresses have a query or a fragment', async () => {
    const page = await built({
      '/index.html': '<link rel="stylesheet" href="a.css">',
      '/a.css': 'b { background: url(dot.svg?v=2) } i { background: url(dot.svg#part) }',
      '/dot.svg': '<svg xmlns="http://www.w3.org/2000/svg"/>',
    });
    expect(withStyles(page).match(/data:image\/svg/g)).toHaveLength(2);
    expect(
      await problemsOf({ '/index.html': '<link rel="stylesheet" href="a.css">', '/a.css': '@import "reset";' }),
    ).toEqual([expect.stringMatching(/^\/a\.css:1:9 There is no file for "reset"/)]);
  });

  test('report where they have syntax errors, even inside a page', async () => {
    expect(
      await problemsOf({
        '/index.html':
          '<!doctype html>\n<script type="module">\nlet a = ;\n</script><script type="module" src="b.ts"></script>',
        '/b.ts': 'const n: number =\n  (;',
      }),
    ).toEqual(['/index.html:3:9 Unexpected ";"', '/b.ts:2:4 Unexpected ";"']);
  });

  test('report what to do instead of an import that cannot be resolved', async () => {
    expect(await problemsOf({ '/a.js': 'const n = "b";\nimport(`./data/\u0024{n}.json`);' }, '/a.js')).toEqual([
      expect.stringMatching(/^\/a\.js:2:8 A path that is assembled .* pass import\(\) the full path/),
    ]);
    expect(await problemsOf({ '/a.js': '\nconst all = import.meta.glob("./*.js");' }, '/a.js')).toEqual([
      '/a.js:2:13 import.meta.glob is not available in a preview: import each file by its path.',
    ]);
  });

  test('know their own address, and that of neighboring files', async () => {
    const page = await built({
      '/index.html': '<script type="module" src="/src/main.ts"></script>',
      '/src/main.ts': "import { there } from './a b/other';\nconsole.log(there, import.meta.url);",
      '/src/a b/other.ts': "export const there = new URL('./x.png', import.meta.url).href;",
    });
    const text = script(page, 'modules');
    expect(text).toContain('new URL("/src/main.ts", location.href).href');
    expect(text).toContain('new URL("/src/a%20b/other.ts", location.href).href');
    expect(text).not.toContain('import.meta');
  });

  test('of a worker are one script that includes packages, with known source lines', async () => {
    const files = filesOf({
      '/work.ts':
        "import clsx from 'clsx';\nimport { add } from './add';\nself.onmessage = () => self.postMessage(add(clsx));",
      '/add.ts': 'export const add = (x: unknown) => [x];',
    });
    const outcome = await new PageCompiler().compileScript('/work.ts', files);
    if (outcome.type === 'failed') throw new Error(JSON.stringify(outcome.problems));
    const { script: bundled, inputs } = outcome;
    expect([...inputs].sort()).toEqual(['/add.ts', '/work.ts']);
    expect(bundled.text).toContain('"clsx"');
    expect(bundled.text).not.toMatch(/^(import|export)\b/m);
    const line = bundled.text.split('\n').findIndex((text) => text.includes('onmessage')) + 1;
    expect(sourcePlace([bundled], [{ script: scriptToken(bundled.name), line, column: 3 }])).toMatchObject({
      path: '/work.ts',
      line: 3,
    });
  });

  test('to be translated by Babel get React', async () => {
    const page = await built({
      '/index.html':
        '<script src="https://unpkg.com/react@18/umd/react.development.js"></script><script src="https://unpkg.com/@babel/standalone/babel.min.js"></script>\n<script type="text/babel">\nconst { useState } = React; ReactDOM.createRoot(document.body).render(<p>{useState}</p>);</script>',
    });
    expect(page.packages).toContain('react-dom/client');
    expect(page.html).not.toContain('unpkg');
  });
});

describe('what a page takes from elsewhere', () => {
  test('frames are empty, with a warning', async () => {
    const html = '<p>\n<iframe title="map" src="map.html"></iframe><iframe src="about:blank"></iframe>';
    expect(await problemsOf({ '/index.html': html })).toEqual([
      '/index.html:2:1 A preview cannot show a page inside another page: the frame for "map.html" stays empty.',
    ]);
    expect((await built({ '/index.html': html })).html).not.toContain('map.html');
  });

  test('scripts from other servers are provided if the studio has them, and otherwise reported', async () => {
    const pages = {
      '/index.html':
        '<script src="https://cdn.tailwindcss.com"></script>\n<script src="https://d3js.org/d3.v7.min.js" integrity="x" crossorigin></script>\n<script src="https://elsewhere.example/x.js"></script><link rel="stylesheet" href="https://fonts.googleapis.com/css2?family=Inter">',
    };
    const page = await built(pages);
    expect([...page.globals]).toEqual(['tailwindcss', 'd3']);
    expect(page.html).toContain(`src="${scriptToken(globalName('d3'))}"`);
    expect(page.html).not.toMatch(/integrity|https:/);
    expect(await problemsOf(pages)).toEqual([
      '/index.html:3:55 https://fonts.googleapis.com/css2?family=Inter was not loaded: a preview has no network access. Put the file into the workspace.',
      expect.stringMatching(
        /^\/index\.html:3:1 https:\/\/elsewhere\.example\/x\.js was not loaded: .* one of these packages/,
      ),
    ]);
  });

  test('Markdown headings can be linked to', async () => {
    const { html } = await built({ '/a.md': '# One two\n\n[there](#one-two)' }, '/a.md');
    expect(html).toContain('<h1 id="one-two">');
  });

  test('scripts for Babel share their declarations, can be files, and have React’s older API', async () => {
    const page = await built({
      '/index.html':
        '<script src="https://unpkg.com/react@18/umd/react.development.js"></script>\n<script type="text/babel" src="late.jsx"></script>\n<script type="text/babel">\n// import data from the API later\nfunction Header() { return <h1/>; }\n</script>\n<script type="text/babel">\nReactDOM.render(<Header/>, document.body);\n</script>',
      '/late.jsx': 'window.late = () => <i>{React.version}</i>;',
    });
    const text = script(page, 'modules');
    expect(text.match(/function Header/g)).toHaveLength(1);
    expect(text).toContain('window.late');
    expect(page.packages).toContain('react-dom');
    const line = text.split('\n').findIndex((one) => /ReactDOM\d*\.render\(/.test(one)) + 1;
    expect(sourcePlace(page.scripts, [{ script: 'modules', line, column: 1 }])).toMatchObject({
      path: '/index.html',
      line: 8,
    });
  });

  test('React from elsewhere without Babel is a global, with a warning about Babel', async () => {
    const html =
      '<script src="https://unpkg.com/react@18/umd/react.development.js"></script><script src="https://unpkg.com/@babel/standalone/babel.min.js"></script><script>React</script>';
    expect((await built({ '/index.html': html })).globals).toEqual(['react']);
    expect(await problemsOf({ '/index.html': html })).toEqual([
      expect.stringMatching(/^\/index\.html:1:76 https:\/\/unpkg\.com\/@babel.* was not loaded/),
    ]);
  });

  test('files in an import map are found, and its external addresses are the packages', async () => {
    const page = await built({
      '/index.html':
        '<script type="importmap">{"imports":{"util":"./lib/util.js","react":"https://esm.sh/react"}}</script><script type="module">import { u } from "util"; import * as React from "react"; console.log(u, React)</script>',
      '/lib/util.js': 'export const u = "from util";',
    });
    expect(script(page, 'modules')).toContain('from util');
    expect(page.packages).toEqual(['react']);
  });
});

describe('a page’s HTML', () => {
  test('keeps its lines and everything that does not reference files', async () => {
    const html = '<!doctype html>\n<html lang="en">\n<body class="x">\n<p>One &amp; two</p>\n</body>\n</html>\n';
    expect((await built({ '/index.html': html })).html).toBe(html);
  });

  test('includes its scripts, styles and images', async () => {
    const page = await built(
      {
        '/pages/index.html':
          '<link rel="stylesheet" href="../s.css" media="print"><link rel="icon" href="f.ico"><style>p{background:url(p.png)}</style><img src="p.png" srcset="p.png 1x, /p2.png 2x"><p style="background: url(\'p.png\')"></p><script src="/c.js" defer></script><script>var a</script>',
        '/s.css': 'i{color:red}',
        '/pages/p.png': '1',
        '/public/p2.png': '2',
        '/c.js': 'var c = 1;',
      },
      '/pages/index.html',
    );
    const html = withStyles(page);
    expect(html).toMatch(/<style data-studio-style="style-0" media="print">[^<]*i \{\s*color: red;\s*\}/);
    expect(html).not.toContain('f.ico');
    expect(html.match(/data:image\/png;base64,/g)).toHaveLength(4);
    expect(html).toContain('url(data:image/png,1)');
    expect(html).toContain(`<script src="${scriptToken('script-0')}" defer>`);
    expect(script(page, 'script-0')).toBe('var c = 1;');
    expect(html).toContain(`//# sourceURL=${scriptToken('script-1')}`);
  });

  test('cannot navigate away or change its permissions', async () => {
    const page = await built({
      '/index.html':
        '<base href="https://a.example"><meta http-equiv="refresh" content="0;url=https://a.example"><meta charset="utf-8"><script type="importmap">{}</script>',
    });
    expect(page.html).toBe('<meta charset="utf-8">');
  });

  test('warns about missing files', async () => {
    expect(
      await problemsOf({
        '/index.html': '<p>\n<img src="none.png">\n<script src="https://cdn.example/x.js"></script>',
      }),
    ).toEqual([
      '/index.html:2:1 There is no file for "none.png". Looked for /none.png.',
      expect.stringMatching(/^\/index\.html:3:1 https:\/\/cdn\.example\/x\.js was not loaded/),
    ]);
  });

  test('runs without a missing image in a style, with a warning', async () => {
    const outcome = await compile({
      '/index.html': '<link rel="stylesheet" href="s.css" id="theme">',
      '/s.css': 'p { background: url("images/hero.jpg") }',
    });
    expect(outcome.type).toBe('built');
    expect(outcome.type === 'built' && outcome.page.html).toContain('id="theme"');
    expect(await problemsOf({ '/index.html': '<style>p { background: url(x.png) }</style>' })).toEqual([
      expect.stringMatching(/^\/index\.html:1:\d+ There is no file for "x\.png"/),
    ]);
  });

  test('reports where an inline script has a syntax error', async () => {
    const html = '<p>\n<script>\nconst game = {\n  start() {}\n  stop() {}\n};\n</script>';
    expect(await problemsOf({ '/index.html': html })).toEqual([
      expect.stringMatching(/^\/index\.html:5:3 SyntaxError: Expected "}" but found "stop"/),
    ]);
  });

  test('finds names in any writing system, encoded or not', async () => {
    const contents = { '/a.md': '![x](<my pic.svg>) ![z](图片.svg)', '/my pic.svg': '<svg/>', '/图片.svg': '<svg/>' };
    expect((await built(contents, '/a.md')).html.match(/data:image\/svg/g)).toHaveLength(2);
    expect(await problemsOf({ '/a.md': '# A\n\ntext\n\n![x](none.png)' }, '/a.md')).toEqual([
      '/a.md:1:1 There is no file for "none.png". Looked for /none.png.',
    ]);
  });

  test('is generated for a script, a text and a drawing', async () => {
    expect((await built({ '/a.ts': 'let n: number = 1; console.log(n)' }, '/a.ts')).html).toContain('<div id="root">');
    expect((await built({ '/a.md': '# Title\r\n\n- one' }, '/a.md')).html).toMatch(/<h1 id="title">Title<\/h1>\s*<ul>/);
    expect((await built({ '/a.txt': 'a < b' }, '/a.txt')).html).toContain('a &lt; b</pre>');
    expect((await built({ '/a b.png': 'x' }, '/a b.png')).html).toContain('src="data:image/png;base64,eA=="');
    expect((await built({ '/a.svg': '<?xml version="1.0"?><svg></svg>' }, '/a.svg')).html).toContain(
      '<body style="margin:0"><svg>',
    );
  });
});

test('positions in running code map back to the files', async () => {
  const page = await built({
    '/index.html':
      '<p>\n\n<script>\nfail();\n</script><script src="c.js"></script><script type="module" src="m.ts"></script>',
    '/c.js': 'var c;',
    '/m.ts': 'interface Gone {}\n\nexport function f() {\n  throw new Error("x");\n}\nf();',
  });
  const bundle = script(page, 'modules').split('\n');
  const line = bundle.findIndex((text) => text.includes('throw')) + 1;
  const column = (bundle[line - 1]?.indexOf('throw') ?? 0) + 1;
  expect(
    sourcePlace(page.scripts, [
      { script: 'react', line: 1, column: 1 },
      { script: 'modules', line, column },
    ]),
  ).toEqual({
    path: '/m.ts',
    line: 4,
    column: 3,
  });
  expect(sourcePlace(page.scripts, [{ script: scriptToken('script-0'), line: 2, column: 1 }])).toEqual({
    path: '/index.html',
    line: 4,
    column: 1,
  });
  expect(sourcePlace(page.scripts, [{ script: 'script-1', line: 1, column: 5 }])?.path).toBe('/c.js');
  expect(sourcePlace(page.scripts, [{ script: 'blob:null/unknown', line: 1, column: 1 }])).toBeUndefined();
});

test('a build after a change uses the current files', async () => {
  const compiler = new PageCompiler();
  const contents: Record<string, string> = {
    '/index.html': '<script type="module" src="a.js"></script>',
    '/a.js': 'import "./b.js"; console.log("one")',
    '/b.js': '',
  };
  const next = async () => compiler.compile('/index.html', filesOf(contents));
  expect((await next()).type).toBe('built');
  delete contents['/b.js'];
  expect((await next()).type).toBe('failed');
  contents['/b.js'] = 'console.log("two")';
  const outcome = await next();
  expect(outcome.type === 'built' && script(outcome.page, 'modules')).toContain('two');
});
