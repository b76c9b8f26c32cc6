import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { ROOT } from '#scripts/lib/run.ts';

/** The last commit before subjects were checked. */
const SINCE = '9da96cb3';

const SUBJECT_MAX = 72;

/** The subjects of the commits since then; none where the history is not there. */
function subjects(): string[] {
  try {
    const log = execFileSync('git', ['log', '--no-merges', '--format=%s', `${SINCE}..HEAD`], {
      cwd: ROOT,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    return log.split('\n').filter(Boolean);
  } catch {
    return [];
  }
}

const faultsOf = (subject: string): boolean =>
  [...subject].length > SUBJECT_MAX || !/^[A-Z][a-z]+ \S/.test(subject) || subject.endsWith('.');

test(`the subjects of commits begin with a verb and have at most ${SUBJECT_MAX} characters`, () => {
  expect(subjects().filter(faultsOf), 'change them with git commit --amend or git rebase').toEqual([]);
});

test('the check finds those that are too long, have a prefix, or end with a full stop', () => {
  const wrong = [`Fix ${'x'.repeat(SUBJECT_MAX)}`, 'fix: lost contents', 'fix lost contents', 'Fix lost contents.'];
  expect(wrong.every(faultsOf)).toBe(true);
  expect(faultsOf('Fix lost contents after deleting history')).toBe(false);
});
