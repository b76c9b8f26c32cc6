import { expect, test } from 'vitest';
import { codePage } from './code-page.ts';

/** The component that the page of this code renders; undefined if the code renders itself, or declares none. */
const rendered = (code: string): string | undefined => /render\(<(\w+) \/>\);\n$/.exec(codePage(code, 'tsx').text)?.[1];

test.each([
  ['export default function App() {\n  return null;\n}', 'App'],
  ['const App = () => null;\n\nexport default App;', 'App'],
  ['export default () => <p />', 'ComponentOfAnswer'],
  ['export default memo(App)', 'ComponentOfAnswer'],
  ['function Row() {}\nfunction Table() { return <Row /> }', 'Table'],
  ['export const Card: FC = () => null', 'Card'],
  ['<p>bare</p>;', 'ComponentOfAnswer'],
  ["createRoot(document.getElementById('root')!).render(<App />)", undefined],
  ['const n = 1', undefined],
])('what %j renders', (code, component) => {
  expect(rendered(code)).toBe(component);
});

test('lines keep their numbers, because errors name them', () => {
  const code = 'function App() {\n  const [n] = useState(0);\n  return n;\n}';
  const { text } = codePage(code, 'jsx');
  expect(text.split('\n').findIndex((line) => line.includes('useState(0)'))).toBe(1);
});

test('what React has is imported if the code imports nothing', () => {
  expect(codePage('function App() { useState(0); useRef(); }', 'jsx').text).toContain(
    "import { useState, useRef } from 'react';",
  );
  expect(codePage('const { useState } = React; function App() { useState(0) }', 'jsx').text).not.toContain(
    'import { useState }',
  );
  expect(codePage("import { useState } from 'react';\nfunction App() { useState(0) }", 'jsx').text).not.toContain(
    'import * as React',
  );
});

test('each language has a page that the preview can show', () => {
  const entries = ['HTML', 'svg', 'xml', 'ts', 'js', 'jsx'].map((language) => codePage('x', language).entry);
  expect(entries).toEqual(['/code.html', '/code.svg', '/code.svg', '/code.ts', '/code.js', '/code.jsx']);
});

test('a value is no component, and the one called App comes first', () => {
  expect(rendered("function Chart() {}\nconst COLORS = ['red'];\nexport const Title = 'My app';")).toBe('Chart');
  expect(rendered('function App() {}\nfunction Row() {}')).toBe('App');
  expect(codePage('const Theme = createContext(null);\nconst App = memo(() => <Fragment />);', 'jsx').text).toContain(
    "import { createContext, memo, Fragment } from 'react';",
  );
});

test('what renders a component is valid in JSX, too', () => {
  expect(codePage('const App = () => <p />;', 'jsx').text).not.toContain('!)');
});
