import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { ROOT } from '#scripts/lib/run.ts';
import { WorkspaceToolAnswers } from '../workspace-tools/workspace-tool-answers.ts';

test('answers that several processes keep at once are all kept', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'kept-list-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const place = join(folder, 'answers.json');
  const keep = (name: string) =>
    promisify(execFile)(
      process.execPath,
      [
        ...['--input-type=module', '--eval'],
        `import { WorkspaceToolAnswers } from '#hosts/local/workspace-tools/workspace-tool-answers.ts';
         const answers = new WorkspaceToolAnswers(${JSON.stringify(place)});
         for (let i = 0; i < 25; i++)
           answers.put({ folder: '/', path: '/x', hash: '${name}' + i, isAllowed: true, text: '' });`,
      ],
      { cwd: ROOT },
    );
  await Promise.all([keep('one'), keep('two'), keep('three')]);
  const answers = new WorkspaceToolAnswers(place);
  const lost = ['one', 'two', 'three'].flatMap((name) =>
    Array.from({ length: 25 }, (_, index) => `${name}${index}`).filter((hash) => answers.of(hash) !== true),
  );
  expect(lost).toEqual([]);
});
