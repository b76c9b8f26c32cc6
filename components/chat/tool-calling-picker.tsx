'use client';

import { useCurrentSettings, useStudio } from '#components/hooks/studio-provider.tsx';
import { useWorkbench } from '#components/hooks/workbench.ts';
import { useAllMessages } from '#components/i18n/use-all-messages.ts';
import { Select } from '#components/ui/select.tsx';
import { resolveUse } from '#lib/model-use/resolve-use.ts';
import type { ThreadSettings } from '#lib/threads/thread.ts';
import { useCurrentModel } from './controls.tsx';

/** The value of the option that tries native tools again after the model's endpoint has refused them. */
const RETRY_NATIVE = 'retry-native';
/** The value of the option that opens the model's settings. */
const MODEL_SETTINGS = 'model-settings';

/**
 * Selects how the model gets its tools in the open thread: natively, described in its prompt, or automatically one of the
 * two. If the model's server has refused native tools, they can be tried again here. `onLeave`: called when the person opens
 * the model's settings from here.
 */
export function ToolCallingPicker({ onLeave }: { onLeave(): void }) {
  const t = useAllMessages();
  const { threads, models } = useStudio();
  const { openModelSettings } = useWorkbench();
  const { toolCalling } = useCurrentSettings();
  const model = useCurrentModel();
  const modes = t.toolCalling.modes;
  const effective = model?.effectiveToolCalling;
  const refused = model?.toolsRefused === true && model.toolCalling === 'auto';
  const source = resolveUse(model?.use ?? {}).toolCalling?.source;
  const helpFor = (mode: keyof typeof modes) => {
    if (mode !== 'auto' || source === undefined) return t.toolCalling.help[mode];
    return refused && source === 'learned' ? t.toolCalling.refused : t.toolCalling.sources[source];
  };
  const labelFor = (mode: keyof typeof modes) =>
    mode === 'auto' && effective !== undefined ? t.toolCalling.auto(modes[effective].toLowerCase()) : modes[mode];
  return (
    <Select
      label={t.toolCalling.label}
      value={toolCalling}
      options={[
        ...(['auto', 'native', 'prompted'] as const).map((mode) => ({
          value: mode,
          label: labelFor(mode),
          detail: helpFor(mode),
        })),
        ...(refused
          ? [{ value: RETRY_NATIVE, label: t.toolCalling.retryNative, detail: t.toolCalling.retryNativeHelp }]
          : []),
        ...(model === undefined ? [] : [{ value: MODEL_SETTINGS, label: t.controls.modelSettings }]),
      ]}
      onOpenChange={(open) => {
        if (open) void models.refresh();
      }}
      onValueChange={(mode) => {
        if (mode === MODEL_SETTINGS) {
          onLeave();
          return model && openModelSettings(model.id);
        }
        if (mode !== RETRY_NATIVE)
          return void threads.changeSettings({ toolCalling: mode as ThreadSettings['toolCalling'] });
        if (model !== undefined) void models.forgetRefusal(model.id);
        void threads.changeSettings({ toolCalling: 'auto' });
      }}
    />
  );
}
