'use client';

import { useCurrentSettings, useStudio } from '#components/hooks/studio-provider.tsx';
import { useModelTexts } from '#components/i18n/use-model-texts.ts';
import { Row } from '#components/ui/section.tsx';
import { Select } from '#components/ui/select.tsx';
import { resolveUse } from '#lib/model-use/resolve-use.ts';
import { type ModelParameters, modelParametersSchema } from '#lib/wire/model-config.ts';
import type { ModelInfo } from '#lib/wire/models.ts';
import { NumberField } from './number-field.tsx';

const EFFORTS = ['minimal', 'low', 'medium', 'high'] as const;
const DEFAULT = 'default';

/** The parameters that the open thread sends to the model: temperature, maximum length, and effort. */
export function ThreadParameters({ model }: { model: ModelInfo }) {
  const texts = useModelTexts();
  const { threads } = useStudio();
  const own = useCurrentSettings().parameters ?? {};
  const defaults = model.parameters ?? {};
  const byDefault = (value: string | number | undefined) =>
    texts.parameters.byDefault(String(value ?? texts.parameters.providerDefault));
  const change = <Name extends keyof ModelParameters>(name: Name, value: ModelParameters[Name] | undefined) => {
    // Based on the latest settings, as a change of another field may not be stored yet.
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
      <Row label={texts.parameters.temperature}>
        <NumberField
          label={texts.parameters.temperature}
          placeholder={byDefault(resolveUse(model.use).temperature?.value)}
          stored={own.temperature}
          {...{ read, isValid: isValid('temperature') }}
          problem={texts.parameters.invalidTemperature}
          onChange={(value) => change('temperature', value)}
        />
      </Row>
      <Row label={texts.parameters.maxOutputTokens}>
        <NumberField
          label={texts.parameters.maxOutputTokens}
          placeholder={byDefault(defaults.maxOutputTokens)}
          stored={own.maxOutputTokens}
          {...{ read, isValid: isValid('maxOutputTokens') }}
          problem={texts.parameters.invalidTokens}
          onChange={(value) => change('maxOutputTokens', value)}
        />
      </Row>
      <Row label={texts.parameters.effort} help={texts.parameters.effortHelp}>
        <Select
          label={texts.parameters.effort}
          value={own.effort ?? DEFAULT}
          options={[
            {
              value: DEFAULT,
              label: byDefault(defaults.effort === undefined ? undefined : texts.parameters.efforts[defaults.effort]),
            },
            ...EFFORTS.map((one) => ({ value: one, label: texts.parameters.efforts[one] })),
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
