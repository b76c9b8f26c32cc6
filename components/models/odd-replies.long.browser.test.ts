import { expect } from 'vitest';
import { test } from '#components/test/studio-test.ts';
import { askForReplies } from './test/odd-replies.ts';

for (const kind of ['envelope', 'transport', 'thoughts', 'text', 'error', 'calls'] as const)
  test(`whatever servers send, the person gets the answer or a plain reason: ${kind}`, async ({ studio }) => {
    expect(await askForReplies(studio, kind)).toEqual({});
  });
