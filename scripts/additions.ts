// Adds one tool, codec, provider, host, kind of source, checkpointer and language to a copy of the project, each as a file and an entry in
// a list, and runs the checks there: of the unit tests, those that import what has changed or read sources as text. So
// what docs/ARCHITECTURE.md says about adding one stays true.
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { ROOT } from './lib/run.ts';

interface Addition {
  /** By their places in the project: files in the folder `additions`, or their contents. */
  files: Readonly<Record<string, string | { content: string }>>;
  /** The file with the list, a text in it, and what comes in its place. */
  list?: readonly [file: string, find: string, replace: string];
}

/** The code of “Your first change in fifteen minutes”: a tool, and its test. */
const [FIRST_TOOL = '', FIRST_TEST = ''] = [
  ...readFileSync(join(ROOT, 'CONTRIBUTING.md'), 'utf8').matchAll(/^ {3}```ts\n([\s\S]*?)^ {3}```/gm),
].map(([, code = '']) => code.replaceAll(/^ {3}/gm, ''));

const ADDITIONS: Readonly<Record<string, Addition>> = {
  tool: {
    files: {
      'lib/tools/files/longest-line.ts': { content: FIRST_TOOL },
      'lib/tools/files/longest-line.test.ts': { content: FIRST_TEST },
    },
    list: ['lib/tools/toolsets.ts', '  readFile,\n', '  readFile,\n  longestLine,\n'],
  },
  codec: {
    files: { 'lib/prompts/codecs/hermes.ts': 'codec.ts.txt' },
    list: ['lib/prompts/codecs/codecs.ts', 'delimitedCodec];', 'delimitedCodec, hermesCodec];'],
  },
  provider: {
    files: { 'models/providers/example.ts': 'provider.ts.txt' },
    list: ['models/providers/providers.ts', '...compatibleProviders,', '...compatibleProviders, example,'],
  },
  host: {
    files: {
      'hosts/folder/folder-host.ts': 'host.ts.txt',
      'hosts/folder/folder-host.test.ts': 'host.test.ts.txt',
    },
  },
  source: {
    files: {
      'studio/sources/notebooks.ts': 'source.ts.txt',
      'studio/sources/notebooks.test.ts': 'source.test.ts.txt',
    },
    list: ['studio/sources/source-kinds.ts', 'apis: httpApis }', 'apis: httpApis, notes: notebooks }'],
  },
  checkpointer: {
    files: { 'server/graph/checkpointer/named-saver.ts': 'checkpointer.ts.txt' },
    list: [
      'server/graph/checkpointer/checkpointers.ts',
      "  { form: 'memory:'",
      "  { form: 'named:<name>', accepts: /^named:./, load: () => import('./named-saver.ts') },\n  { form: 'memory:'",
    ],
  },
  language: {
    files: { 'components/i18n/yue.ts': 'language.ts.txt' },
    list: [
      'components/i18n/languages.ts',
      "(await import('./zh-cn.ts')).zhCn },\n",
      "(await import('./zh-cn.ts')).zhCn },\n  { locale: 'yue', name: '粵語', load: async () => (await import('./yue.ts')).yue },\n",
    ],
  },
};

/** The imports that the lists need, before the first import of a file that follows alphabetically. */
const IMPORTS: readonly [file: string, before: string, line: string][] = [
  ['lib/tools/toolsets.ts', 'import { makeDirectory }', "import { longestLine } from './files/longest-line.ts';\n"],
  ['lib/prompts/codecs/codecs.ts', 'import { jsonCodec }', "import { hermesCodec } from './hermes.ts';\n"],
  ['models/providers/providers.ts', 'import { google }', "import { example } from './example.ts';\n"],
  ['studio/sources/source-kinds.ts', 'import type { SourceOptions }', "import { notebooks } from './notebooks.ts';\n"],
];

/** The documents name the variables of every provider. */
const VARIABLES: readonly [find: string, replace: string] = [
  '| xAI | ',
  '| Example | `EXAMPLE_API_KEY` | `EXAMPLE_BASE_URL` | `EXAMPLE_MODEL` |\n| xAI | ',
];

/** Folders that are no part of the sources. */
const IGNORED = new Set(['.cache', '.data', '.git', '.next', '.timings', 'node_modules', 'test-results']);

const folder = mkdtempSync(join(tmpdir(), 'additions-'));
let code = 1;
try {
  cpSync(ROOT, folder, {
    recursive: true,
    filter: (path) => !IGNORED.has(basename(path)),
  });
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  for (const { files, list } of Object.values(ADDITIONS)) {
    for (const [path, source] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      if (typeof source === 'string') cpSync(join(import.meta.dirname, 'additions', source), join(folder, path));
      else writeFileSync(join(folder, path), source.content);
    }
    if (list !== undefined) edit(...list);
  }
  for (const [file, before, line] of IMPORTS) edit(file, before, line + before);
  edit('docs/CONFIGURATION.md', ...VARIABLES);
  const changed = Object.values(ADDITIONS).flatMap(({ files, list }) => [
    ...Object.keys(files),
    ...(list?.slice(0, 1) ?? []),
  ]);
  const check = spawnSync(process.execPath, [join('scripts', 'check.ts'), '--related', ...changed], {
    cwd: folder,
    stdio: 'inherit',
  });
  code = check.status ?? 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
process.stdout.write(`additions: ${code === 0 ? `ok (${Object.keys(ADDITIONS).join(', ')})` : 'failed'}\n`);
process.exit(code);

/** Replaces a text that must be there exactly once. */
function edit(file: string, find: string, replace: string): void {
  const path = join(folder, file);
  const parts = readFileSync(path, 'utf8').split(find);
  if (parts.length !== 2) throw new Error(`${file} has ${JSON.stringify(find)} ${parts.length - 1} times.`);
  writeFileSync(path, parts.join(replace));
}
