'use client';

import { useCurrentSettings, useStudio } from '#components/hooks/studio-provider.tsx';
import { useModelTexts } from '#components/i18n/use-model-texts.ts';
import { Row } from '#components/ui/section.tsx';
import { Select } from '#components/ui/select.tsx';
import { type ModelParameters, modelParametersSchema } from '#lib/api/model-config.ts';
import type { ModelInfo } from '#lib/api/models.ts';
import { resolveUse } from '#lib/model-use/resolve-use.ts';
import { NumberField } from './number-field.tsx';

const EFFORTS = ['minimal', 'low', 'medium', 'high'] as const;
const DEFAULT = 'default';

/** What the open thread asks of its model. */
export function ThreadParameters({ model }: { model: ModelInfo }) {
  const texts = useModelTexts().parameters;
  const { threads } = useStudio();
  const own = useCurrentSettings().parameters ?? {};
  const defaults = model.parameters ?? {};
  const byDefault = (value: string | number | undefined) => texts.byDefault(String(value ?? texts.providerDefault));
  const change = <Name extends keyof ModelParameters>(name: Name, value: ModelParameters[Name] | undefined) => {
    // What was just typed in another field may not be stored yet.
    void threads.changeSettings((settings) => {
      const { [name]: _, ...others } = settings.parameters ?? {};
      const parameters = value === undefined ? others : { ...others, [name]: value };
      return { parameters: Object.keys(parameters).length === 0 ? undefined : parameters };
    });
  };
  const isValid = (name: 'temperature' | 'maxOutputTokens') => (value: number | undefined) =>
    modelParametersSchema.shape[name].safeParse(value).success;
  const read = (text: string) => (text.trim() === '' ? undefined : Number(text.trim().replace(',', '.')));
  return (
    <>
      <Row label={texts.temperature}>
        <NumberField
          label={texts.temperature}
          placeholder={byDefault(resolveUse(model.use).temperature?.value)}
          stored={own.temperature}
          {...{ read, isValid: isValid('temperature') }}
          problem={texts.invalidTemperature}
          onChange={(value) => change('temperature', value)}
        />
      </Row>
      <Row label={texts.maxOutputTokens}>
        <NumberField
          label={texts.maxOutputTokens}
          placeholder={byDefault(defaults.maxOutputTokens)}
          stored={own.maxOutputTokens}
          {...{ read, isValid: isValid('maxOutputTokens') }}
          problem={texts.invalidTokens}
          onChange={(value) => change('maxOutputTokens', value)}
        />
      </Row>
      <Row label={texts.effort} help={texts.effortHelp}>
        <Select
          label={texts.effort}
          value={own.effort ?? DEFAULT}
          options={[
            {
              value: DEFAULT,
              label: byDefault(defaults.effort === undefined ? undefined : texts.efforts[defaults.effort]),
            },
            ...EFFORTS.map((one) => ({ value: one, label: texts.efforts[one] })),
          ]}
          onValueChange={(chosen) =>
            change(
              'effort',
              EFFORTS.find((one) => one === chosen),
            )
          }
        />
      </Row>
    </>
  );
}
