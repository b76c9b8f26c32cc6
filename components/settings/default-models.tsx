'use client';

import { useModels, useSettings, useStudio } from '#components/hooks/studio-provider.tsx';
import { useMessages } from '#components/i18n/i18n.tsx';
import { useSettingsTexts } from '#components/i18n/use-settings-texts.ts';
import type { SelectOption } from '#components/ui/combobox.tsx';
import { Row, Section } from '#components/ui/section.tsx';
import { Select } from '#components/ui/select.tsx';
import { nameOfGone } from '#studio/models.ts';

/** The value of the option that chooses no model (null). */
const NONE = 'none';
/** The value of the option that turns off what the model is for. */
const OFF = 'off';

/** The settings for the default models: the model of new threads, the one for titles, and the one for summaries. */
export function DefaultModels() {
  const texts = useSettingsTexts();
  const { settings } = useStudio();
  const model = useSettings((state) => state.defaultModel);
  const titleModel = useSettings((state) => state.titleModel);
  const namesThreads = useSettings((state) => state.namesThreads);
  const summaryModel = useSettings((state) => state.summaryModel);
  return (
    <Section title={texts.defaultModels}>
      <ModelRow
        label={texts.defaultModel}
        none={texts.serverDefault}
        value={model}
        withDemo
        onChange={(defaultModel) => void settings.change({ defaultModel })}
      />
      <ModelRow
        label={texts.titleModel}
        none={texts.ownTitleModel}
        off={{
          label: texts.noTitleModel,
          isOff: !namesThreads,
          turnOff: () => void settings.change({ namesThreads: false }),
        }}
        value={titleModel}
        onChange={(next) => void settings.change({ titleModel: next, namesThreads: true })}
      />
      <ModelRow
        label={texts.summaryModel}
        none={texts.noSummaryModel}
        value={summaryModel}
        onChange={(next) => void settings.change({ summaryModel: next })}
      />
    </Section>
  );
}

interface ModelRowProps {
  label: string;
  /** The label of the option that chooses no model (null). */
  none: string;
  value: string | null;
  withDemo?: boolean;
  /** The option that turns off what the model is for, if there is one. */
  off?: { label: string; isOff: boolean; turnOff(): void };
  onChange(model: string | null): void;
}

function ModelRow({ label, none, value, withDemo = false, off, onChange }: ModelRowProps) {
  const t = useMessages();
  const list = useModels((state) => state.list?.models);
  const offered = (list ?? []).filter(({ demo }) => withDemo || !demo);
  const options: SelectOption[] = [
    { value: NONE, label: none },
    ...(off === undefined ? [] : [{ value: OFF, label: off.label }]),
    ...offered.map(({ id, name }) => ({ value: id, label: name })),
  ];
  if (value !== null && list !== undefined && !offered.some(({ id }) => id === value))
    options.push({ value, label: t.controls.modelGone(nameOfGone(value)) });
  return (
    <Row label={label}>
      <Select
        label={label}
        value={off?.isOff ? OFF : (value ?? NONE)}
        options={options}
        onValueChange={(next) => (next === OFF ? off?.turnOff() : onChange(next === NONE ? null : next))}
        className="max-w-64"
      />
    </Row>
  );
}
