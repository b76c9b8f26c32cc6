/** An answer that tries to load something, to run something, or to take all of the page's time. */
export interface HostileAnswer {
  name: string;
  language: 'mermaid' | 'svg' | 'text';
  source: string;
}

/** The text at the end of each answer. */
export const END = 'The end.';

/** Each text stands in the page if one of its scripts ran. */
export const RAN = 'hostile';

/** Returns hostile diagrams, formulas, and HTML. `target`: the address of a server that must not be reached. */
export function hostileAnswers(target: string): HostileAnswer[] {
  const script = `globalThis.${RAN} = true; top.${RAN} = true; fetch('${target}/script')`;
  const svg = (inner: string, attributes = ''): string =>
    `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" viewBox="0 0 100 100" ${attributes}>${inner}</svg>`;
  const of = (language: HostileAnswer['language'], sources: Record<string, string>): HostileAnswer[] =>
    Object.entries(sources).map(([name, source]) => ({ name: `${language}: ${name}`, language, source }));
  return [
    ...of('svg', {
      'a script': svg(`<script>${script}</script>`),
      'a script elsewhere': svg(`<script href="${target}/a.js"/>`),
      'a handler': svg(`<rect width="9" height="9" onload="${script}"/>`, `onload="${script}"`),
      'an animation with a handler': svg(`<rect width="9" height="9"><animate onbegin="${script}" dur="1s"/></rect>`),
      'HTML with a script': svg(
        `<foreignObject width="99" height="99"><body xmlns="http://www.w3.org/1999/xhtml"><img src="${target}/i" onerror="${script}"/><iframe src="${target}/f"/></body></foreignObject>`,
      ),
      'an image elsewhere': svg(`<image href="${target}/image.png" width="9" height="9"/>`),
      'an image elsewhere, by its old name': svg(`<image xlink:href="${target}/image.png" width="9" height="9"/>`),
      'a part of another file': svg(`<use href="${target}/a.svg#x"/>`),
      'a style sheet elsewhere': svg(`<style>@import url(${target}/a.css); * { fill: url(${target}/b.svg#x) }</style>`),
      'a font elsewhere': svg(
        `<style>@font-face { font-family: x; src: url(${target}/font) }</style><text font-family="x" y="20">x</text>`,
      ),
      'a filter elsewhere': svg(
        `<filter id="f"><feImage href="${target}/f"/></filter><rect filter="url(#f)" width="9" height="9"/>`,
      ),
      'a link of JavaScript': svg(`<a href="javascript:${script}"><rect width="99" height="99"/></a>`),
      'an instruction for a style sheet': `<?xml-stylesheet href="${target}/a.css"?>${svg('')}`,
      'an external entity': `<!DOCTYPE svg [<!ENTITY x SYSTEM "${target}/x">]>${svg('<text>&x;</text>')}`,
      'entities in entities': `<!DOCTYPE svg [<!ENTITY a "xxxxxxxxxx">${'bcdefghij'
        .split('')
        .map((name, index) => `<!ENTITY ${name} "${`&${'abcdefghi'[index]};`.repeat(10)}">`)
        .join('')}]>${svg('<text>&j;</text>')}`,
      'copies of copies': svg(
        `<defs><g id="g0"><rect width="1" height="1"/></g>${Array.from({ length: 12 }, (_, n) => `<g id="g${n + 1}">${`<use href="#g${n}"/>`.repeat(10)}</g>`).join('')}</defs><use href="#g12"/>`,
      ),
      'a blur of the largest size': svg(
        '<filter id="f" x="-1000" y="-1000" width="9999" height="9999"><feGaussianBlur stdDeviation="9999"/><feTurbulence baseFrequency="9" numOctaves="99"/></filter><rect filter="url(#f)" width="99" height="99"/>',
      ),
      'a size of a billion': svg('<rect width="1e9" height="1e9"/>', 'width="1000000000" height="1000000000"'),
      'ten thousand levels': svg(`${'<g>'.repeat(10_000)}${'</g>'.repeat(10_000)}`),
      'a pattern of patterns': svg(
        `${Array.from({ length: 30 }, (_, n) => `<pattern id="p${n}" width="1" height="1" patternUnits="userSpaceOnUse"><rect width="99" height="99" fill="url(#p${n + 1})"/></pattern>`).join('')}<rect width="99" height="99" fill="url(#p0)"/>`,
      ),
      'a path of a megabyte': svg(`<path d="M0 0${'L9 9'.repeat(20_000)}"/>`),
    }),
    ...of('mermaid', {
      'a script in a label': `flowchart TD\n  A["<script>${script}</script>"] --> B`,
      'an image in a label': `flowchart TD\n  A["<img src='${target}/i' onerror='${script}'>"] --> B`,
      'a link of JavaScript': `flowchart TD\n  A --> B\n  click A href "javascript:${script}"`,
      'a call on a click': `flowchart TD\n  A --> B\n  click A call alert(1)`,
      'loose security': `%%{init: {"securityLevel": "loose", "htmlLabels": true}}%%\nflowchart TD\n  A["<img src='${target}/i' onerror='${script}'>"]`,
      'loose security in front matter': `---\nconfig:\n  securityLevel: loose\n  htmlLabels: true\n---\nflowchart TD\n  A["<img src='${target}/i' onerror='${script}'>"]`,
      'a style of its own': `%%{init: {"themeCSS": "* { background: url(${target}/css) } @import '${target}/a.css';"}}%%\nflowchart TD\n  A --> B`,
      'a font of its own': `%%{init: {"fontFamily": "x; } @import '${target}/a.css'; * { "}}%%\nflowchart TD\n  A --> B`,
      'a color of its own': `flowchart TD\n  A --> B\n  style A fill:url(${target}/fill)`,
      'an image as a node': `flowchart TD\n  A@{ img: "${target}/image.png", label: "x" }`,
      'an icon elsewhere': `flowchart TD\n  A@{ icon: "logos:x", label: "x" }`,
      'a class diagram with a link': `classDiagram\n  class A\n  link A "javascript:${script}" "x"`,
      'a sequence with a link': `sequenceDiagram\n  participant A\n  link A: x @ javascript:${script}\n  A->>A: <img src='${target}/i'>`,
      'a prototype': `%%{init: {"__proto__": {"polluted": true}, "constructor": {"prototype": {"polluted": true}}}}%%\nflowchart TD\n  A --> B`,
      'a formula in a label': `flowchart TD\n  A["$$\\href{javascript:${script}}{x}$$"]`,
      'two thousand edges': `flowchart TD\n${Array.from({ length: 2_000 }, (_, n) => `  A${n} --> A${n + 1}`).join('\n')}`,
      'all edges of forty nodes': `flowchart TD\n${Array.from({ length: 40 }, (_, a) => Array.from({ length: 24 }, (_, b) => `  N${a} --> N${(a + b + 1) % 40}`).join('\n')).join('\n')}`,
      'groups in groups': `flowchart TD\n${Array.from({ length: 200 }, (_, n) => `subgraph S${n}`).join('\n')}\nA\n${'end\n'.repeat(200)}`,
      'a gantt of ten thousand years': 'gantt\n dateFormat YYYY-MM-DD\n tickInterval 1day\n A :a, 0001-01-01, 3650000d',
      'a label of fifty thousand characters': `flowchart TD\n  A["${'x '.repeat(25_000)}"]`,
      'brackets that never close': `flowchart TD\n  A${'['.repeat(20_000)}`,
    }),
    ...of('text', {
      'a script': `<script>${script}</script>`,
      'an image': `<img src="${target}/i" onerror="${script}">`,
      'a frame': `<iframe src="${target}/f" srcdoc="<script>${script}</script>"></iframe>`,
      'a style sheet': `<link rel="stylesheet" href="${target}/a.css"><style>@import url(${target}/b.css);</style>`,
      'a form': `<form action="${target}/form"><button autofocus onfocus="${script}">x</button></form>`,
      'an object': `<object data="${target}/o"></object><embed src="${target}/e">`,
      'SVG in the text': `<svg onload="${script}"><image href="${target}/i"/></svg>`,
      'details with a handler': `<details open ontoggle="${script}"><summary>x</summary>${'y'.repeat(10)}</details>`,
      'a base and a redirection': `<base href="${target}/"><meta http-equiv="refresh" content="0;url=${target}/r">`,
      'a picture in Markdown': `![x](${target}/picture.png)`,
      'a link of JavaScript': `[x](javascript:${encodeURIComponent(script)}) <javascript:alert(1)>`,
      'a formula with a link': `$\\href{javascript:${script}}{x}$ $\\url{${target}/u}$`,
      'a formula with an image': `$\\includegraphics{${target}/i.png}$`,
      'a formula with HTML': `$\\htmlData{x=1}{y}\\htmlStyle{background:url(${target}/s)}{z}$`,
      'a formula of macros in macros': `$${String.raw`\def\a{\b\b\b\b\b\b}\def\b{\c\c\c\c\c\c}\def\c{\d\d\d\d\d\d}\def\d{\e\e\e\e\e\e}\def\e{xxxxxx}\a\a\a\a`}$`,
      'a formula without an end': `$${'\\frac{1}{'.repeat(3_000)}$`,
      'a formula of great size': '$\\rule{99999em}{99999em}$ $\\kern{99999em}x$',
      'quotes in quotes': `${'>'.repeat(5_000)} x`,
      'lists in lists': Array.from({ length: 500 }, (_, n) => `${'  '.repeat(n)}- x`).join('\n'),
      'brackets that never close': '['.repeat(50_000),
      'emphasis that never ends': '*a_'.repeat(20_000),
      'a table of ten thousand columns': `|${'a|'.repeat(10_000)}\n|${'-|'.repeat(10_000)}\n|${'b|'.repeat(10_000)}`,
    }),
  ];
}

/** The Markdown of a hostile answer, after which other text stands. */
export const markdownOf = ({ language, source }: HostileAnswer): string =>
  `${language === 'text' ? source : `\`\`\`${language}\n${source}\n\`\`\``}\n\n${END}`;
