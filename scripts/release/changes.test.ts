import { expect, test } from 'vitest';
import { changesOf } from './changes.ts';

const LOG =
  '# Changelog\n\n## [Unreleased]\n\n## [1.1.0] - 2026-12-01\n\n### Added\n\n- One.\n\n## [1.0.0]\n\n- Two.\n';

test.each([
  ['1.1.0', '### Added\n\n- One.\n'],
  ['1.0.0', '- Two.\n'],
  ['1.1', undefined],
  ['Unreleased', undefined],
  ['2.0.0', undefined],
])('the changes of %s are its section', (version, expected) => {
  expect(changesOf(LOG, version)).toBe(expected);
});
