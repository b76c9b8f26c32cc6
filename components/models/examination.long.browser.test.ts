import { test } from '#components/test/studio-test.ts';
import { expectRecognized, LONG } from './test/examined.ts';

for (const defect of LONG) {
  test(`a server that ${defect === 'none' ? 'makes no mistake' : defect} is recognized, and then works`, ({ studio }) =>
    expectRecognized(studio, defect));
}
