/** Code in an answer as a page: the path and the text of its only file. */
export interface CodePage {
  entry: string;
  text: string;
}

/**
 * Makes a page from a code block in an answer. `language`: the language that the block names, such as `tsx`; one that is not
 * known counts as JavaScript. To JSX, adds what renders the component that the code is about, unless the code renders it
 * itself. To JSX without any imports, adds those of React, too.
 */
export function codePage(code: string, language: string): CodePage {
  const name = language.toLowerCase();
  if (name === 'html' || name === 'htm') return { entry: '/code.html', text: code };
  if (name === 'svg' || name === 'xml') return { entry: '/code.svg', text: code };
  if (name !== 'jsx' && name !== 'tsx')
    return { entry: /^(?:ts|mts|cts|typescript)$/.test(name) ? '/code.ts' : '/code.js', text: code };
  return { entry: `/code.${name}`, text: withMount(code) };
}

/** Matches code that renders itself. */
const MOUNTS = /\b(?:createRoot|hydrateRoot|ReactDOM\.render)\b/;

/** The name that a component without a name gets. Nobody's code should use it. */
const UNNAMED = 'ComponentOfAnswer';

/** Matches the declarations of components at the top of a module: functions and classes, not other values. */
const COMPONENT = new RegExp(
  [
    String.raw`^(?:export\s+)?(?:default\s+)?(?:(?:async\s+)?function|class)\s+([A-Z]\w*)`,
    String.raw`^(?:export\s+)?(?:const|let|var)\s+([A-Z]\w*)\s*(?::[^=\n]{1,200})?=\s*(?:\(|async\b|function\b|\w+\s*=>|(?:React\.)?(?:memo|forwardRef|lazy)\b)`,
  ].join('|'),
  'gm',
);

/** The names of React that answers use without importing them. */
const NAMES =
  /\b(?:createContext|forwardRef|memo|lazy|Fragment|Suspense)\b|\buse(?:State|Effect|LayoutEffect|Memo|Callback|Ref|Reducer|Context|Id|Transition|DeferredValue|SyncExternalStore|ActionState|Optimistic)\b/g;

/** Adds what renders a component, and imports of React that are missing. The lines of the code keep their numbers. */
function withMount(code: string): string {
  const missing = missingImports(code);
  if (MOUNTS.test(code)) return missing + code;
  const trimmed = code.trim();
  const { text, component } = trimmed.startsWith('<')
    ? { text: `const ${UNNAMED} = () => <>${trimmed.replace(/;$/, '')}</>;`, component: UNNAMED }
    : withNamed(code);
  if (component === undefined) return missing + text;
  const mount = `__mount(document.getElementById('root')).render(<${component} />);`;
  return `import { createRoot as __mount } from 'react-dom/client'; ${missing}${text}\n${mount}\n`;
}

/** The component that code is about: its default export, or else `App`, or the last one that it declares. */
function withNamed(code: string): { text: string; component: string | undefined } {
  const named = /^export\s+default\s+(?:(?:async\s+)?function\s+|class\s+)?([A-Z]\w*)\s*(?:[;({<]|extends\b|$)/m.exec(
    code,
  )?.[1];
  if (named !== undefined) return { text: code, component: named };
  if (/^export\s+default\s/m.test(code))
    return { text: code.replace(/^export\s+default\s/m, `const ${UNNAMED} = `), component: UNNAMED };
  const names = [...code.matchAll(COMPONENT)].map(([, first, second]) => first ?? second);
  return { text: code, component: names.includes('App') ? 'App' : names.at(-1) };
}

/** Imports of what code without imports uses of React; empty for code with imports. */
function missingImports(code: string): string {
  if (/^[ \t]*import\b/m.test(code)) return '';
  const used = [...new Set(code.match(NAMES) ?? [])].filter(
    (name) =>
      !new RegExp(`[{,]\\s*${name}\\s*[,}]|(?:const|let|var|function|class)\\s+${name}\\b|\\.${name}\\b`).test(code),
  );
  return [
    "import * as React from 'react';",
    ...(used.length > 0 ? [`import { ${used.join(', ')} } from 'react';`] : []),
    ...(/\bReactDOM\b/.test(code) ? ["import * as ReactDOM from 'react-dom/client';"] : []),
    '',
  ].join(' ');
}
