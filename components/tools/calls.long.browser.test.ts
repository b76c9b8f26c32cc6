import { test } from '#components/test/studio-test.ts';
import { expectShownWhileWritten } from './test/long-argument.ts';

test('a 12 KB argument is shown at 50 lengths or more while it is written in the text of a reply', ({ studio }) =>
  expectShownWhileWritten(studio, 'prompted'));

test('a 12 KB argument is shown at 50 lengths or more while it is written', ({ studio }) =>
  expectShownWhileWritten(studio, 'native'));
