import { describe, expect, test } from 'vitest';
import { readLiveOptions, UsageError } from './options.ts';

const KNOWN = { models: ['demo', 'openai/gpt-4.1'], scenarios: ['button', 'primes'] };

describe('the options of npm run scenarios', () => {
  test('with only a model, everything is played once in both modes', () => {
    expect(readLiveOptions(['--model', 'demo'], KNOWN)).toEqual({
      models: ['demo'],
      modes: ['native', 'prompted'],
      host: 'browser',
      languages: ['en', 'zh'],
      scenarios: ['button', 'primes'],
      repeat: 1,
      output: 'scenario-report',
    });
  });

  test('several models and modes are compared', () => {
    const args = '--model demo --model openai/gpt-4.1 --mode prompted --mode auto';
    expect(readLiveOptions(args.split(' '), KNOWN)).toMatchObject({
      models: ['demo', 'openai/gpt-4.1'],
      modes: ['prompted', 'auto'],
      host: 'browser',
    });
  });

  test('each option narrows what is played', () => {
    const args = '--model openai/gpt-4.1 --mode prompted --repeat 5 --only primes --language zh --output there';
    expect(readLiveOptions(args.split(' '), KNOWN)).toEqual({
      models: ['openai/gpt-4.1'],
      modes: ['prompted'],
      host: 'browser',
      languages: ['zh'],
      scenarios: ['primes'],
      repeat: 5,
      output: 'there',
    });
  });

  test.each([
    ['', 'Which model?'],
    ['--model gpt', '--model gpt: there is only demo, openai/gpt-4.1.'],
    ['--model demo --mode xml', '--mode xml: there is only native, prompted, auto.'],
    ['--model demo --language de', '--language de: there is only en, zh.'],
    ['--model demo --only prime', '--only prime: there is only button, primes.'],
    ['--model demo --repeat 0', '--repeat 0: must be a number from 1 to 999.'],
    ['--model demo --repeat many', '--repeat many: must be a number'],
    ['--model demo --fast', '--fast'],
    ['demo', 'demo'],
  ])('“%s” is rejected with the valid choices', (args, reason) => {
    const read = () => readLiveOptions(args.split(' ').filter(Boolean), KNOWN);
    expect(read).toThrow(UsageError);
    expect(read).toThrow(reason);
    expect(read).toThrow('Models: demo, openai/gpt-4.1\nScenarios: button, primes');
  });
});
