'use client';

import { useSettings, useStudio } from '#components/hooks/studio-provider.tsx';
import { useSettingsTexts } from '#components/i18n/use-settings-texts.ts';
import { Row, Section } from '#components/ui/section.tsx';
import { Select } from '#components/ui/select.tsx';
import { Switch } from '#components/ui/switch.tsx';
import { type EditorSettings, FONT_SIZES, TAB_WIDTHS } from '#studio/settings.ts';

const SIZES = Array.from({ length: FONT_SIZES.max - FONT_SIZES.min + 1 }, (_, index) => FONT_SIZES.min + index);

/** The settings of the editor: how files are shown, and what saving does. */
export function EditorSection() {
  const texts = useSettingsTexts();
  const { settings } = useStudio();
  const { fontSize, wraps, tabWidth, formatsOnSave } = useSettings((state) => state.editor);
  const change = (changed: Partial<EditorSettings>) =>
    void settings.change({ editor: { ...settings.getState().editor, ...changed } });
  return (
    <Section title={texts.sections.editor}>
      <Row label={texts.fontSize}>
        <Select
          label={texts.fontSize}
          value={String(fontSize)}
          options={SIZES.map((size) => ({ value: String(size), label: texts.pixels(size) }))}
          onValueChange={(value) => change({ fontSize: Number(value) })}
        />
      </Row>
      <Row label={texts.tabWidth} help={texts.tabWidthHelp}>
        <Select
          label={texts.tabWidth}
          value={String(tabWidth)}
          options={TAB_WIDTHS.map((width) => ({ value: String(width), label: texts.columns(width) }))}
          onValueChange={(value) => {
            const chosen = TAB_WIDTHS.find((width) => String(width) === value);
            if (chosen !== undefined) change({ tabWidth: chosen });
          }}
        />
      </Row>
      <Switch label={texts.wraps} isOn={wraps} onChange={() => change({ wraps: !wraps })} />
      <Switch
        label={texts.formatsOnSave}
        help={texts.formatsOnSaveHelp}
        isOn={formatsOnSave}
        onChange={() => change({ formatsOnSave: !formatsOnSave })}
      />
    </Section>
  );
}
