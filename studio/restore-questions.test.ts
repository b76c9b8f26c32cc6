import { expect, test } from 'vitest';
import { RestoreQuestions } from './restore-questions.ts';

test('what is asked when the studio is closed, or after that, is answered as if the user had cancelled', async () => {
  const questions = new RestoreQuestions();
  const open = questions.ask({ type: 'forgotten', action: 'restore' });
  questions.close();
  expect(await open).toBe('cancel');
  expect(questions.state.getState().asked).toBeUndefined();
  expect(await questions.ask({ type: 'forgotten', action: 'restore' })).toBe('cancel');
});
