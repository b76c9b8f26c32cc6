'use client';

import { useSettings, useStudio } from '#components/hooks/studio-provider.tsx';
import { useAllMessages } from '#components/i18n/use-all-messages.ts';
import { useSettingsTexts } from '#components/i18n/use-settings-texts.ts';
import { useToolTexts } from '#components/i18n/use-tool-texts.ts';
import { Row, Section } from '#components/ui/section.tsx';
import { Select } from '#components/ui/select.tsx';
import { Switch } from '#components/ui/switch.tsx';
import { TOOLSETS } from '#lib/tools/toolset-names.ts';
import type { Settings } from '#studio/settings.ts';

/**
 * The section of the settings for the toolsets (groups of tools) that are on in new threads, and for the way in which models
 * get their tools there: natively, or described in the prompt.
 */
export function ToolSection() {
  const t = useAllMessages();
  const texts = useSettingsTexts();
  const toolTexts = useToolTexts();
  const { settings } = useStudio();
  const toolsets = useSettings((state) => state.toolsets);
  const toolCalling = useSettings((state) => state.toolCalling);
  return (
    <Section title={texts.sections.tools} help={texts.toolsHelp}>
      {TOOLSETS.map((toolset) => {
        const isOn = toolsets.includes(toolset);
        return (
          <Switch
            key={toolset}
            label={t.controls.toolsetNames[toolset] ?? toolset}
            help={toolTexts.toolsets[toolset]}
            isOn={isOn}
            onChange={() =>
              void settings.change({
                toolsets: isOn ? toolsets.filter((name) => name !== toolset) : [...toolsets, toolset],
              })
            }
          />
        );
      })}
      <Row label={t.toolCalling.label} help={t.toolCalling.help[toolCalling]}>
        <Select
          label={t.toolCalling.label}
          value={toolCalling}
          options={(['auto', 'native', 'prompted'] as const).map((value) => ({
            value,
            label: t.toolCalling.modes[value],
            detail: t.toolCalling.help[value],
          }))}
          onValueChange={(value) => void settings.change({ toolCalling: value as Settings['toolCalling'] })}
        />
      </Row>
    </Section>
  );
}
