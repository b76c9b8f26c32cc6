'use client';

import { useSettings, useStudio } from '#components/hooks/studio-provider.tsx';
import { useMessages } from '#components/i18n/i18n.tsx';
import { LANGUAGES } from '#components/i18n/languages.ts';
import { useSettingsTexts } from '#components/i18n/use-settings-texts.ts';
import { Row, Section } from '#components/ui/section.tsx';
import { Select } from '#components/ui/select.tsx';
import { LONG_PASTES, type Settings } from '#studio/settings.ts';

/** The settings for the studio's look, its language, long pastes, and the default system prompt. */
export function GeneralSection() {
  const t = useMessages();
  const texts = useSettingsTexts();
  const { settings } = useStudio();
  const theme = useSettings((state) => state.theme);
  const locale = useSettings((state) => state.locale);
  const systemPrompt = useSettings((state) => state.systemPrompt);
  const longPaste = useSettings((state) => state.longPaste);
  const { format } = new Intl.NumberFormat(t.locale);
  return (
    <Section title={texts.sections.general}>
      <Row label={texts.theme}>
        <Select
          label={texts.theme}
          value={theme}
          options={(['system', 'light', 'dark'] as const).map((value) => ({ value, label: texts.themes[value] }))}
          onValueChange={(value) => void settings.change({ theme: value as Settings['theme'] })}
        />
      </Row>
      <Row label={texts.language}>
        <Select
          label={texts.language}
          value={locale ?? t.locale}
          options={LANGUAGES.map(({ locale: value, name }) => ({ value, label: name }))}
          onValueChange={(value) => void settings.change({ locale: value as Settings['locale'] })}
        />
      </Row>
      <Row label={texts.longPaste}>
        <Select
          label={texts.longPaste}
          value={String(longPaste)}
          options={LONG_PASTES.map((value) => ({
            value: String(value),
            label: texts.longPasteFrom(format(value)),
          }))}
          onValueChange={(value) => void settings.change({ longPaste: Number(value) as Settings['longPaste'] })}
        />
      </Row>
      <label className="text-sm">
        {texts.defaultSystemPrompt}
        <textarea
          defaultValue={systemPrompt}
          rows={5}
          onBlur={(event) => void settings.change({ systemPrompt: event.target.value })}
          className="mt-1 w-full rounded-md border border-line-strong bg-surface p-2 text-sm"
        />
      </label>
    </Section>
  );
}
