'use client';

import { FolderClosed, Globe, ListChecks, RefreshCw } from 'lucide-react';
import type { ReactNode } from 'react';
import { useCurrentModelId, useCurrentSettings, useModels, useStudio } from '#components/hooks/studio-provider.tsx';
import { useWorkbench } from '#components/hooks/workbench.ts';
import { useMessages } from '#components/i18n/i18n.tsx';
import { IconButton } from '#components/ui/button.tsx';
import { classNames } from '#components/ui/class-names.ts';
import { COMBOBOX, SelectFace } from '#components/ui/combobox.tsx';
import { Select } from '#components/ui/select.tsx';
import type { ModelInfo } from '#lib/api/models.ts';
import { resolveUse } from '#lib/model-use/resolve-use.ts';
import type { ThreadSettings } from '#lib/threads/thread.ts';
import { TOOLSETS } from '#lib/tools/toolset-names.ts';
import { findModel, nameOfGone } from '#studio/models.ts';

export function useCurrentModel(): ModelInfo | undefined {
  const id = useCurrentModelId();
  return useModels((state) => findModel(state, id));
}

/** Shows the model of the open thread; choosing another one opens the list of models. */
export function ModelPicker() {
  const t = useMessages();
  const { models } = useStudio();
  const { openPalette } = useWorkbench();
  const list = useModels((state) => state.list);
  const loading = useModels((state) => state.loading);
  const current = useCurrentModelId();
  const model = useCurrentModel();
  const gone = current === null || list === undefined ? undefined : t.controls.modelGone(nameOfGone(current));
  const open = () => {
    void models.refresh();
    openPalette('models');
  };
  return (
    <span className="inline-flex min-w-0 items-center">
      <button
        type="button"
        role="combobox"
        aria-label={t.controls.model}
        aria-haspopup="dialog"
        aria-expanded={false}
        title={t.controls.model}
        data-placeholder={model === undefined ? '' : undefined}
        className={classNames(COMBOBOX, 'max-w-56')}
        onClick={open}
        onKeyDown={({ key }) => (key === 'ArrowDown' || key === 'ArrowUp') && open()}
      >
        <SelectFace>{model?.name ?? gone ?? (list === undefined ? t.common.loading : t.controls.noModels)}</SelectFace>
      </button>
      {list?.models.every(({ demo }) => demo) ? (
        <IconButton label={t.controls.refreshModels} onClick={() => void models.refresh()} disabled={loading}>
          <RefreshCw aria-hidden size={14} />
        </IconButton>
      ) : null}
    </span>
  );
}

/** Menu items among the modes: try native tools again although they were refused, and everything else. */
const RETRY_NATIVE = 'retry-native';
const MODEL_SETTINGS = 'model-settings';

/** Selects how the model gets its tools. */
export function ToolCallingPicker() {
  const t = useMessages();
  const { threads, models } = useStudio();
  const { openModelSettings } = useWorkbench();
  const { toolCalling } = useCurrentSettings();
  const model = useCurrentModel();
  const modes = t.controls.toolCallingModes;
  const effective = model?.effectiveToolCalling;
  const refused = model?.toolsRefused === true && model.toolCalling === 'auto';
  const source = resolveUse(model?.use ?? {}).toolCalling?.source;
  const helpFor = (mode: keyof typeof modes) => {
    if (mode !== 'auto' || source === undefined) return t.controls.toolCallingHelp[mode];
    return refused && source === 'learned' ? t.controls.toolsRefused : t.controls.toolCallingSources[source];
  };
  const labelFor = (mode: keyof typeof modes) =>
    mode === 'auto' && effective !== undefined
      ? t.controls.toolCallingAuto(modes[effective].toLowerCase())
      : modes[mode];
  return (
    <Select
      label={t.controls.toolCalling}
      value={toolCalling}
      options={[
        ...(['auto', 'native', 'prompted'] as const).map((mode) => ({
          value: mode,
          label: labelFor(mode),
          detail: helpFor(mode),
        })),
        ...(refused
          ? [{ value: RETRY_NATIVE, label: t.controls.retryNative, detail: t.controls.retryNativeHelp }]
          : []),
        ...(model === undefined ? [] : [{ value: MODEL_SETTINGS, label: t.controls.modelSettings }]),
      ]}
      onOpenChange={(open) => {
        if (open) void models.refresh();
      }}
      onValueChange={(mode) => {
        if (mode === MODEL_SETTINGS) return model && openModelSettings(model.id);
        if (mode !== RETRY_NATIVE)
          return void threads.changeSettings({ toolCalling: mode as ThreadSettings['toolCalling'] });
        if (model !== undefined) void models.forgetRefusal(model.id);
        void threads.changeSettings({ toolCalling: 'auto' });
      }}
    />
  );
}

const TOOLSET_ICONS: Record<string, ReactNode> = {
  browser: <Globe aria-hidden size={15} />,
  files: <FolderClosed aria-hidden size={15} />,
};

/** Turns the review of changes in the open thread on and off. */
export function ReviewSwitch() {
  const t = useMessages();
  const { threads } = useStudio();
  const { reviews = false } = useCurrentSettings();
  return (
    <IconButton
      label={t.controls.reviews}
      role="switch"
      aria-checked={reviews}
      onClick={() => void threads.changeSettings({ reviews: !reviews })}
      tone={reviews ? 'accent' : 'muted'}
      className={reviews ? '' : 'opacity-60'}
    >
      <ListChecks aria-hidden size={15} />
    </IconButton>
  );
}

/** Turns the open thread's toolsets on and off. */
export function ToolsetSwitches() {
  const t = useMessages();
  const { threads } = useStudio();
  const { toolsets } = useCurrentSettings();
  return (
    // biome-ignore lint/a11y/useSemanticElements: a row of switches, not a form's field set
    <span role="group" aria-label={t.controls.toolsets} className="inline-flex">
      {TOOLSETS.map((toolset) => {
        const on = toolsets.includes(toolset);
        return (
          <IconButton
            key={toolset}
            label={t.controls.toolsetNames[toolset] ?? toolset}
            role="switch"
            aria-checked={on}
            onClick={() =>
              void threads.changeSettings({
                toolsets: on ? toolsets.filter((name) => name !== toolset) : [...toolsets, toolset],
              })
            }
            tone={on ? 'accent' : 'muted'}
            className={on ? '' : 'opacity-60'}
          >
            {TOOLSET_ICONS[toolset]}
          </IconButton>
        );
      })}
    </span>
  );
}
