import { useMessages } from './i18n.tsx';
import { type SettingsTexts, settingsTexts } from './settings-texts.ts';

/** The texts of the settings in the person's language. */
export const useSettingsTexts = (): SettingsTexts => useMessages().settingsDialog ?? settingsTexts;
