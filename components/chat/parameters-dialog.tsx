'use client';

import { type FormEvent, useState } from 'react';
import { useCurrentSettings, useStudio } from '#components/hooks/studio-provider.tsx';
import { useMessages } from '#components/i18n/i18n.tsx';
import { useModelTexts } from '#components/i18n/use-model-texts.ts';
import { Button } from '#components/ui/button.tsx';
import { Dialog } from '#components/ui/dialog.tsx';
import { Field } from '#components/ui/field.tsx';
import { Select } from '#components/ui/select.tsx';
import type { ModelParameters } from '#lib/api/model-config.ts';
import { resolveUse } from '#lib/model-use/resolve-use.ts';
import { useCurrentModel } from './controls.tsx';

const EFFORTS = ['minimal', 'low', 'medium', 'high'] as const;
const DEFAULT = 'default';

/** What the open thread asks of its model. */
export default function ParametersDialog({ onClose }: { onClose(): void }) {
  const t = useMessages();
  const texts = useModelTexts();
  const { threads } = useStudio();
  const model = useCurrentModel();
  const own = useCurrentSettings().parameters ?? {};
  const [temperature, setTemperature] = useState(String(own.temperature ?? ''));
  const [maxOutput, setMaxOutput] = useState(String(own.maxOutputTokens ?? ''));
  const [effort, setEffort] = useState<string>(own.effort ?? DEFAULT);
  const [problem, setProblem] = useState<string>();
  const defaults = model?.parameters ?? {};
  const usualTemperature = resolveUse(model?.use ?? {}).temperature?.value;
  const byDefault = (value: string | number | undefined) =>
    texts.parameters.byDefault(String(value ?? texts.parameters.providerDefault));
  const change = (parameters: ModelParameters | undefined) => {
    void threads.changeSettings({ parameters });
    onClose();
  };
  const save = (event: FormEvent) => {
    event.preventDefault();
    const degrees = Number(temperature.trim().replace(',', '.'));
    const tokens = Number(maxOutput.trim());
    if (!(degrees >= 0 && degrees <= 2)) return setProblem(texts.parameters.invalidTemperature);
    if (maxOutput.trim() !== '' && !(Number.isInteger(tokens) && tokens >= 1))
      return setProblem(texts.parameters.invalidTokens);
    const chosen = EFFORTS.find((one) => one === effort);
    return change({
      ...(temperature.trim() !== '' && { temperature: degrees }),
      ...(maxOutput.trim() !== '' && { maxOutputTokens: tokens }),
      ...(chosen !== undefined && { effort: chosen }),
    });
  };
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={texts.parameters.title}
      description={texts.parameters.help(model?.name ?? t.controls.noModels)}
    >
      <form onSubmit={save} className="grid gap-3">
        <Field
          label={texts.parameters.temperature}
          placeholder={byDefault(usualTemperature)}
          inputMode="decimal"
          value={temperature}
          onChange={(event) => setTemperature(event.target.value)}
          data-initial-focus
        />
        <Field
          label={texts.parameters.maxOutputTokens}
          placeholder={byDefault(defaults.maxOutputTokens)}
          inputMode="numeric"
          value={maxOutput}
          onChange={(event) => setMaxOutput(event.target.value)}
        />
        <div className="flex items-center justify-between gap-2 text-sm">
          <span>
            {texts.parameters.effort} <span className="text-muted text-xs">{texts.parameters.effortHelp}</span>
          </span>
          <Select
            label={texts.parameters.effort}
            value={effort}
            options={[
              {
                value: DEFAULT,
                label: byDefault(defaults.effort === undefined ? undefined : texts.parameters.efforts[defaults.effort]),
              },
              ...EFFORTS.map((one) => ({ value: one, label: texts.parameters.efforts[one] })),
            ]}
            onValueChange={setEffort}
          />
        </div>
        {problem === undefined ? null : (
          <p role="alert" className="text-failed text-sm">
            {problem}
          </p>
        )}
        <div className="flex justify-end gap-2">
          <Button onClick={() => change(undefined)}>{texts.parameters.reset}</Button>
          <Button type="submit" variant="primary">
            {t.common.save}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
