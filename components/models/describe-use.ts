import type { ModelTexts } from '#components/i18n/model-texts.ts';
import type { ModelUse } from '#lib/wire/model-config.ts';

/** Returns the value of a model's setting in words. A number, or a value without words, is formatted as it is. */
export function describeUseValue<Setting extends keyof ModelUse>(
  texts: ModelTexts,
  locale: string,
  setting: Setting,
  value: ModelUse[Setting],
): string {
  const values: Readonly<Record<string, Readonly<Record<string, string>>>> = texts.use.values;
  const named = values[setting] ?? {};
  const text = Object.hasOwn(named, String(value)) ? named[String(value)] : undefined;
  return text ?? (typeof value === 'number' ? value.toLocaleString(locale) : String(value));
}
