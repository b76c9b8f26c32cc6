import { expect } from '@playwright/test';
import type { TestBench } from './bench.ts';
import { evalCall, prompt } from './prompt.ts';
import type { StudioPage } from './studio-page.ts';

/** Expects that a turn goes on when its server was restarted while the user is asked about a call. Stops that server. */
export async function expectRestartInCall(studio: StudioPage, bench: TestBench): Promise<void> {
  studio.expectedProblems.push('Failed to load resource');
  const question = prompt('Compute');
  bench.model.script(question, [{ calls: evalCall('6*7') }, { text: 'It is 42.' }]);
  await studio.open({ url: bench.url });
  await studio.say(question);
  await expect(studio.allow).toBeVisible();
  await bench.restartStudio();
  await studio.allow.click();
  await studio.settled();
  await expect(studio.answers).toContainText('It is 42.');
  await bench.stopStudio();
}
