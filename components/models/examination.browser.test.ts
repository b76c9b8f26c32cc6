import { test } from '#components/test/studio-test.ts';
import { DAILY, expectRecognized } from './test/examined.ts';

for (const defect of DAILY) {
  test(`a server that ${defect === 'none' ? 'makes no mistake' : defect} is recognized, and then works`, ({ studio }) =>
    expectRecognized(studio, defect));
}
