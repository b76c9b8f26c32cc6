'use client';

import { useModelRecord, useModels, useStudio } from '#components/hooks/studio-provider.tsx';
import { useMessages } from '#components/i18n/i18n.tsx';
import { useModelTexts } from '#components/i18n/use-model-texts.ts';
import { Row } from '#components/ui/section.tsx';
import { Select } from '#components/ui/select.tsx';
import { resolveUse } from '#lib/model-use/resolve-use.ts';
import { type ModelUse, modelUseSchema } from '#lib/wire/model-config.ts';
import type { ModelInfo } from '#lib/wire/models.ts';
import { describeUseValue } from './describe-use.ts';
import { NumberField } from './number-field.tsx';

type Setting = keyof ModelUse;

/** The settings of a model in all threads, and where the value of each comes from. */
export function ModelUseSettings({ model }: { model: ModelInfo }) {
  const codecs = useModels((state) => state.list?.codecs) ?? [];
  const yesOrNo = ['true', 'false'];
  return (
    <>
      <Choice model={model} setting="toolCalling" options={['native', 'prompted']} />
      <Choice model={model} setting="codec" options={codecs} />
      <Choice model={model} setting="compact" options={yesOrNo} />
      <Choice model={model} setting="examples" options={yesOrNo} />
      <Choice model={model} setting="singleCalls" options={yesOrNo} />
      <NumberChoice model={model} setting="contextSize" />
      <NumberChoice model={model} setting="temperature" />
      <NumberChoice model={model} setting="topP" />
    </>
  );
}

/** The studio's defaults for settings that nothing else decides. Others depend on the prompt and have no fixed default. */
const DEFAULTS: { readonly [Name in Setting]?: { value: NonNullable<ModelUse[Name]>; source: 'none' } } = {
  toolCalling: { value: 'native', source: 'none' },
  singleCalls: { value: false, source: 'none' },
};

/** Returns the value that applies without the person's choice, in words. `isFixed`: whether `models.yaml` sets it. */
function useAutomatic(model: ModelInfo, setting: Setting) {
  const t = useMessages();
  const texts = useModelTexts();
  const { person: _, ...others } = model.use;
  const resolved = resolveUse(others)[setting] ?? DEFAULTS[setting];
  const value = resolved === undefined ? undefined : describeUseValue(texts, t.locale, setting, resolved.value);
  const isFixed = resolved?.source === 'file';
  const words =
    resolved === undefined || value === undefined
      ? texts.use.automatic
      : isFixed
        ? texts.use.fixed(value)
        : texts.use.automaticAs(value, texts.use.sources[resolved.source]);
  return { words, isFixed };
}

/** Returns a function that stores the person's choice of a setting; `undefined` removes the choice. */
function useChange(model: ModelInfo) {
  const { modelRecords } = useStudio();
  return (setting: Setting, value: unknown) => void modelRecords.choose(model.endpoint, setting, value);
}

const AUTOMATIC = 'automatic';

/** The settings that apply only to prompted tools. */
const ONLY_PROMPTED: ReadonlySet<Setting> = new Set(['codec', 'examples']);

interface ChoiceProps {
  model: ModelInfo;
  setting: Exclude<Setting, 'contextSize' | 'temperature' | 'topP'>;
  options: readonly string[];
}

function Choice({ model, setting, options }: ChoiceProps) {
  const t = useMessages();
  const texts = useModelTexts();
  const chosen = useModelRecord(model.endpoint)?.choices?.[setting];
  const { words, isFixed } = useAutomatic(model, setting);
  const change = useChange(model);
  const isIdle = ONLY_PROMPTED.has(setting) && model.effectiveToolCalling === 'native';
  const toValue = (option: string) => (option === 'true' || option === 'false' ? option === 'true' : option);
  return (
    <Row label={texts.use.names[setting]} help={isIdle ? texts.use.onlyPrompted : undefined}>
      {isFixed ? (
        <span className="text-muted">{words}</span>
      ) : (
        <Select
          label={texts.use.names[setting]}
          value={chosen === undefined ? AUTOMATIC : String(chosen)}
          options={[
            { value: AUTOMATIC, label: words },
            ...options.map((option) => ({
              value: option,
              label: describeUseValue(texts, t.locale, setting, toValue(option) as ModelUse[typeof setting]),
            })),
          ]}
          onValueChange={(option) => change(setting, option === AUTOMATIC ? undefined : toValue(option))}
        />
      )}
    </Row>
  );
}

type NumberSetting = 'contextSize' | 'temperature' | 'topP';

/** The number in a text, with or without separators; undefined if the text is empty, NaN if it is not a number. */
function numberIn(text: string, setting: NumberSetting): number | undefined {
  const typed = text.trim();
  if (typed === '') return undefined;
  if (setting !== 'contextSize') return Number(typed.replace(',', '.'));
  return /^\d+$|^\d{1,3}(?:[,.\s’_]\d{3})+$/.test(typed) ? Number(typed.replace(/\D/g, '')) : Number.NaN;
}

/** Checks whether a number may be too small only because the person has not typed all digits yet. */
const isBeginning = (text: string, setting: NumberSetting): boolean =>
  setting === 'contextSize' && /^\d{1,3}$/.test(text.trim());

/** The field for a setting of the model that is a number. */
function NumberChoice({ model, setting }: { model: ModelInfo; setting: NumberSetting }) {
  const texts = useModelTexts();
  const chosen = useModelRecord(model.endpoint)?.choices?.[setting];
  const { words, isFixed } = useAutomatic(model, setting);
  const change = useChange(model);
  return (
    <Row label={texts.use.names[setting]}>
      {isFixed ? (
        <span className="text-muted">{words}</span>
      ) : (
        <NumberField
          label={texts.use.names[setting]}
          placeholder={words}
          stored={chosen}
          read={(text) => numberIn(text, setting)}
          isValid={(number) => modelUseSchema.shape[setting].safeParse(number).success}
          isBeginning={(text) => isBeginning(text, setting)}
          problem={texts.use.invalid[setting]}
          onChange={(number) => change(setting, number)}
        />
      )}
    </Row>
  );
}
