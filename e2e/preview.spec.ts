import { expect, test } from './lib/fixtures.ts';

const REACT = {
  '/index.html':
    '<!doctype html>\n<html><head><title>Counter</title></head><body><div id="root"></div><script type="module" src="/src/main.tsx"></script></body></html>',
  '/src/main.tsx':
    "import { createRoot } from 'react-dom/client';\nimport { App } from './App';\nimport './style.css';\n\ncreateRoot(document.getElementById('root')!).render(<App start={3} />);\n",
  '/src/App.tsx':
    "import { useState } from 'react';\nimport styles from './app.module.css';\nimport texts from './texts.json';\n\nexport function App({ start }: { start: number }) {\n  const [count, setCount] = useState<number>(start);\n  return (\n    <main className={styles.app}>\n      <h1>{texts.title}</h1>\n      <button type=\"button\" onClick={() => setCount(count + 1)}>\n        Count is {count}\n      </button>\n    </main>\n  );\n}\n",
  '/src/app.module.css': '.app { color: rgb(1, 2, 3); }\n',
  '/src/style.css': 'body { background: rgb(4, 5, 6); }\n',
  '/src/texts.json': '{ "title": "Hello from JSON" }\n',
};

test('a React project of the workspace runs', async ({ studio, page }) => {
  await studio.open({ files: REACT });
  await page.getByRole('tab', { name: 'Preview' }).click();
  const preview = page.getByRole('region', { name: 'Preview' }).frameLocator('iframe');
  await expect(preview.getByRole('heading', { name: 'Hello from JSON' })).toBeVisible();
  await preview.getByRole('button', { name: 'Count is 3' }).click();
  await expect(preview.getByRole('button', { name: 'Count is 4' })).toBeVisible();
});
