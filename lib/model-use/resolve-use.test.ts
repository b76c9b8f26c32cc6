import { describe, expect, test } from 'vitest';
import { USE_SOURCES } from '#lib/wire/model-config.ts';
import { describeUse, resolveUse, withObserved } from './resolve-use.ts';

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

describe('a window that was observed', () => {
  const resolved = (claims: Parameters<typeof withObserved>[0], claimed: number | null) =>
    resolveUse(withObserved(claims, { contextSize: 4_096, claimed })).contextSize;

  test('comes first as long as the same is claimed', () => {
    expect(resolved({ file: { contextSize: 32_000 } }, 32_000)).toEqual({ value: 4_096, source: 'observed' });
    expect(resolved({}, null)).toEqual({ value: 4_096, source: 'observed' });
  });

  test('does not count after somebody has said something else', () => {
    const layers = { person: { contextSize: 8_192 }, served: { contextSize: 32_000 } };
    expect(resolved(layers, 32_000)).toEqual({ value: 8_192, source: 'person' });
    expect(resolved({ ...layers, observed: { contextSize: 1_000 } }, null)).toEqual({ value: 8_192, source: 'person' });
  });
});
