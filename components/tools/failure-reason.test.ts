import { expect, test } from 'vitest';
import { toolTexts } from '#components/i18n/tool-texts.ts';
import { FileSystemError } from '#lib/vfs/errors.ts';
import { failureReason } from './failure-reason.ts';

test.each([
  [new FileSystemError('ENOENT', '/a.txt').message, 'No such file or folder'],
  [new FileSystemError('EISDIR', '/src').message, 'It’s a folder'],
  ['TypeError: x is not a function\n    at eval', 'TypeError: x is not a function'],
  ['EUNHEARDOF: what is this: /a', 'EUNHEARDOF: what is this: /a'],
  ['Not written. /a has changed:\n+ b', 'Not written. /a has changed…'],
  ['', ''],
])('%j', (message, reason) => expect(failureReason(message, toolTexts)).toBe(reason));
