/** The files of a page of React that counts clicks, with a CSS module and JSON. */
export const REACT = {
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
