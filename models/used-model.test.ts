import { describe, expect, test } from 'vitest';
import { readServerEnv } from '#config/env.ts';
import { resolveModelConfig } from './config.ts';
import { PersonalModels } from './personal.ts';
import { serverUseLayers, usedModel } from './used-model.ts';

const config = (more: object = {}) =>
  resolveModelConfig({ provider: 'local', model: 'm', toolCalling: 'auto', baseURL: 'http://a/v1', ...more });

const used = (model: ReturnType<typeof config>, known = {}, hasRefusedTools = false) =>
  usedModel(model, serverUseLayers(model, hasRefusedTools), known);

describe('a model is used', () => {
  test('natively, with a fallback, if nobody says anything', () => {
    const { model, toolCalling } = used(config());
    expect([model.toolCalling, toolCalling, model.contextSize]).toEqual(['auto', 'native', undefined]);
  });

  test('as the person says, without a fallback', () => {
    const { model, toolCalling } = used(config(), { person: { toolCalling: 'prompted', codec: 'xml' } });
    expect([model.toolCalling, toolCalling, model.protocol?.codec]).toEqual(['prompted', 'prompted', 'xml']);
  });

  test('as its examination says instead of what its endpoint lists', () => {
    const examined = { toolCalling: 'prompted', contextSize: 4_096, singleCalls: true } as const;
    const { model, toolCalling } = used(config({ contextSize: 128_000 }), { examined });
    expect([model.toolCalling, toolCalling, model.contextSize]).toEqual(['auto', 'prompted', 4_096]);
    expect(model.protocol).toMatchObject({ singleCalls: true });
  });

  test('as models.yaml says, whatever the browser knows', () => {
    const model = { ...config({ toolCalling: 'native', contextSize: 32_000 }), isFromFile: true as const };
    const known = { person: { toolCalling: 'prompted', contextSize: 512, compact: true } };
    expect(used(model, known, true)).toMatchObject({
      model: { toolCalling: 'native', contextSize: 32_000, protocol: { compact: true } },
      toolCalling: 'native',
    });
  });

  test('with tools in the prompt once it has refused them', () => {
    expect(used(config({ contextSize: 32_000 }), {}, true)).toMatchObject({
      model: { toolCalling: 'auto', contextSize: 32_000 },
      toolCalling: 'prompted',
    });
  });

  test('as suits its family, which an examination overrides', () => {
    const qwen = config({ model: 'qwen2.5-coder:1.5b' });
    expect(used(qwen)).toMatchObject({ toolCalling: 'prompted', model: { temperature: 0.7, topP: 0.8 } });
    expect(used(qwen, { examined: { toolCalling: 'native' } })).toMatchObject({
      toolCalling: 'native',
      model: { temperature: 0.7 },
    });
  });

  test('as its endpoint says before what suits its family, until that is refused', () => {
    const gemma = config({ model: 'gemma-3-27b', toolCalling: 'native' });
    expect(used(gemma)).toMatchObject({ toolCalling: 'native', model: { toolCalling: 'auto', temperature: 1 } });
    expect(used(gemma, {}, true)).toMatchObject({ toolCalling: 'prompted', model: { toolCalling: 'auto' } });
  });

  test.each([
    ['mistral', 'mistral-small-latest'],
    ['google', 'gemma-3-27b-it'],
    ['deepseek', 'deepseek-r1'],
  ])('as its maker %s serves it, also with a person’s key', (provider, model) => {
    const personal = new PersonalModels(readServerEnv({}));
    const own = personal.resolve('id', { provider, model, toolCalling: 'auto' }, 'k').model;
    expect(own.baseURL).toBeDefined();
    expect(serverUseLayers(own, false).profile).toBeUndefined();
    expect(used(own).model).not.toHaveProperty('temperature');
  });

  test('within a window that was observed, and with what is claimed of it', () => {
    const observed = { contextSize: 4_096, claimed: 32_000 };
    expect(used(config({ contextSize: 32_000 }), { observed }).model).toMatchObject({
      contextSize: 4_096,
      claimedContextSize: 32_000,
    });
    expect(used(config({ contextSize: 64_000 }), { observed }).model).not.toHaveProperty('claimedContextSize');
    expect(used(config(), { observed: { contextSize: 4_096, claimed: null } }).model).toMatchObject({
      contextSize: 4_096,
      claimedContextSize: null,
    });
  });

  test('without a format that this studio does not know', () => {
    const { model } = used(config(), { person: { codec: 'of-another-version', compact: true } });
    expect(model.protocol).toMatchObject({ codec: undefined, compact: true });
  });
});
