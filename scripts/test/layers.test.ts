import { execFile } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import * as z from 'zod';
import { BINARIES, ROOT, SOURCE_FOLDERS } from '#scripts/lib/run.ts';

/** Imports, each in a separate file, with the rule that each violates; without a rule, it is allowed. */
const CASES: readonly { file: string; imports: string; breaks?: string }[] = [
  { file: 'components/chat/view.ts', imports: '#server/services.ts', breaks: 'layer:components/chat' },
  { file: 'components/chat/sdk.ts', imports: '@ai-sdk/openai', breaks: 'layer:components/chat' },
  { file: 'components/chat/fine.ts', imports: '#lib/messages/message.ts' },
  { file: 'components/files/editor.ts', imports: '#components/editor/target.ts', breaks: 'layer:components/files' },
  { file: 'hosts/terminal/view.ts', imports: '#components/chat/target.ts', breaks: 'layer:hosts' },
  { file: 'hosts/terminal/other.ts', imports: '#hosts/memory/host.ts', breaks: 'hosts-know-no-other-host' },
  { file: 'hosts/terminal/fine.ts', imports: '#lib/prompts/codec.ts' },
  { file: 'hosts/local/main.ts', imports: 'react', breaks: 'the-command-line-is-light' },
  { file: 'hosts/local/routes.ts', imports: '#server/services.ts', breaks: 'layer:hosts/local' },
  { file: 'hosts/local/fine.ts', imports: '#models/registry.ts' },
  { file: 'studio/server.ts', imports: '#server/services.ts', breaks: 'layer:studio' },
  { file: 'studio/react.ts', imports: 'react', breaks: 'layer:studio' },
  { file: 'studio/fine.ts', imports: '#lib/threads/session.ts' },
  { file: 'components/i18n/view.ts', imports: '#components/chat/target.ts', breaks: 'layer:components/i18n' },
  { file: 'lib/tools/prompts.ts', imports: '#lib/prompts/codec.ts', breaks: 'layer:lib/tools' },
  { file: 'lib/tools/react.ts', imports: 'react', breaks: 'layer:lib/tools' },
  { file: 'lib/tools/fine.ts', imports: 'zod' },
  { file: 'lib/tools/fine.test.ts', imports: '#lib/prompts/codec.ts' },
  { file: 'lib/tools/disk.ts', imports: '#lib/vfs/disk/storage.ts', breaks: 'layer:lib/tools' },
  { file: 'hosts/local/disk.ts', imports: '#lib/vfs/disk/storage.ts' },
  { file: 'lib/vfs/node.ts', imports: 'node:fs', breaks: 'layer:lib/vfs' },
  { file: 'lib/threads/view.ts', imports: '#components/chat/target.ts', breaks: 'layer:lib/threads' },
  { file: 'log/fine.ts', imports: 'node:util' },
  { file: 'models/graph.ts', imports: '#server/graph/graph.ts', breaks: 'layer:models' },
  { file: 'server/graph/runs.ts', imports: '#server/runs/run.ts', breaks: 'layer:server/graph' },
  { file: 'server/graph/fine.ts', imports: '#models/registry.ts' },
  { file: 'app/page.ts', imports: '#server/services.ts', breaks: 'layer:app' },
  { file: 'app/api/chat/route.ts', imports: '#server/services.ts' },
  { file: 'lib/wire/edge.ts', imports: '#e2e/lib/page.ts', breaks: 'nothing-imports-the-edges' },
  { file: 'lib/wire/nowhere.ts', imports: './no-such-file.ts', breaks: 'no-unresolvable' },
  { file: 'lib/messages/one.ts', imports: './other.ts', breaks: 'no-circular' },
];

/** The files that the cases import. */
const TARGETS = [
  'components/chat/target.ts',
  'components/editor/target.ts',
  'e2e/lib/page.ts',
  'hosts/memory/host.ts',
  'lib/messages/message.ts',
  'lib/prompts/codec.ts',
  'lib/threads/session.ts',
  'lib/vfs/disk/storage.ts',
  'server/graph/graph.ts',
  'models/registry.ts',
  'server/runs/run.ts',
  'server/services.ts',
];

const answerSchema = z.object({
  summary: z.object({
    violations: z.array(z.object({ from: z.string(), rule: z.object({ name: z.string() }) })),
  }),
});

let folder: string;
let broken: Map<string, string[]>;

/** A small tree laid out like the project, checked against the project's own rules. */
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'layers-'));
  const write = (file: string, text: string) => {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), text);
  };
  for (const file of TARGETS) write(file, 'export const value = 1;\n');
  for (const { file, imports } of CASES)
    write(file, `import * as target from '${imports}';\nexport const seen = target;\n`);
  write('lib/messages/other.ts', "export * from './one.ts';\n");
  for (const file of ['.dependency-cruiser.mjs', 'package.json', 'tsconfig.json'])
    copyFileSync(join(ROOT, file), join(folder, file));
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  // The small tree has no scripts and no benchmarks.
  const folders = SOURCE_FOLDERS.filter((name) => existsSync(join(folder, name)));
  const args = ['--config', '.dependency-cruiser.mjs', '--output-type', 'json', ...folders];
  const output = await new Promise<string>((resolve) => {
    execFile(process.execPath, [join(ROOT, BINARIES.depcruise), ...args], { cwd: folder }, (_, stdout) =>
      resolve(stdout),
    );
  });
  broken = new Map(CASES.map(({ file }) => [file, []]));
  for (const { from, rule } of answerSchema.parse(JSON.parse(output)).summary.violations)
    broken.get(from)?.push(rule.name);
}, 60_000);

afterAll(() => rmSync(folder, { recursive: true, force: true }));

test.each(CASES.filter(({ breaks }) => breaks !== undefined))(
  'a forbidden import fails: $imports from $file',
  ({ file, breaks }) => {
    expect(broken.get(file)).toContain(breaks);
  },
);

test.each(CASES.filter(({ breaks }) => breaks === undefined))(
  'an allowed import passes: $imports from $file',
  ({ file }) => {
    expect(broken.get(file)).toEqual([]);
  },
);
