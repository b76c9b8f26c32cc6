import { type Settings, settingsSchema } from './settings.ts';

/**
 * Returns the settings to take from a backup: those in `restored`, unless the setting in this browser (`here`) differs from its
 * default; then it stays. In a setting with entries by name, such as prices or shortcuts, this holds for each entry.
 */
export const restoredSettings = <Restored extends Partial<Settings>>(here: Settings, restored: Restored): Restored =>
  merged(here, restored, settingsSchema.parse({})) as Restored;

function merged(here: unknown, restored: unknown, usual: unknown): unknown {
  if (!isRecord(here) || !isRecord(restored)) return isSame(here, usual) ? restored : here;
  const usualEntries = new Map(Object.entries(isRecord(usual) ? usual : {}));
  const own = new Map(Object.entries(here));
  const names = new Set(Object.keys(restored));
  const kept = [...own].filter(([name]) => !names.has(name) && !usualEntries.has(name));
  return Object.fromEntries([
    ...kept,
    ...Object.entries(restored).map(
      ([name, value]) => [name, merged(own.get(name), value, usualEntries.get(name))] as const,
    ),
  ]);
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);
