import { describe, expect, test } from 'vitest';
import { USE_SOURCES } from '#lib/api/model-config.ts';
import { describeUse, resolveUse } from './resolve-use.ts';

describe('the order of precedence', () => {
  test('is models.yaml, the person, the examination, what was learned, the family’s profile', () => {
    const layers = Object.fromEntries(USE_SOURCES.map((source, index) => [source, { contextSize: 1_000 + index }]));
    for (const [index, source] of USE_SOURCES.entries()) {
      expect(resolveUse(layers).contextSize).toEqual({ value: 1_000 + index, source });
      delete layers[source];
    }
    expect(resolveUse(layers)).toEqual({});
  });

  test('holds for each setting by itself', () => {
    expect(
      resolveUse({
        file: { codec: 'json' },
        examined: { codec: 'object', toolCalling: 'prompted', compact: false },
        profile: { compact: true, temperature: 0.6 },
      }),
    ).toEqual({
      codec: { value: 'json', source: 'file' },
      toolCalling: { value: 'prompted', source: 'examined' },
      compact: { value: false, source: 'examined' },
      temperature: { value: 0.6, source: 'profile' },
    });
  });
});

describe('describeUse', () => {
  test.each([
    ['file', 'native', 'native'],
    ['person', 'native', 'native'],
    ['examined', 'auto', 'native'],
    ['learned', 'auto', 'native'],
    ['profile', 'auto', 'native'],
  ] as const)('what %s says is “%s” with a fallback', (source, toolCalling, effectiveToolCalling) => {
    expect(describeUse({ [source]: { toolCalling: 'native' } })).toMatchObject({ toolCalling, effectiveToolCalling });
  });

  test('is native, with an unknown window, if nobody says anything', () => {
    expect(describeUse({})).toEqual({
      use: {},
      toolCalling: 'auto',
      effectiveToolCalling: 'native',
      contextSize: null,
    });
  });
});
