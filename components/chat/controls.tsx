'use client';

import { FolderClosed, Globe, RefreshCw } from 'lucide-react';
import type { ReactNode } from 'react';
import { useModels, useSession, useSettings, useStudio, useThreads } from '#components/hooks/studio-provider.tsx';
import { useMessages } from '#components/i18n/i18n.tsx';
import { IconButton } from '#components/ui/button.tsx';
import { Select } from '#components/ui/select.tsx';
import type { ModelInfo } from '#lib/api/models.ts';
import type { ThreadSettings } from '#lib/threads/thread.ts';
import { TOOLSETS } from '#lib/tools/toolset-names.ts';
import { findModel } from '#studio/models.ts';

/** The settings of the open thread, or of the next new one. */
export function useCurrentSettings(): ThreadSettings {
  const session = useThreads((state) => state.session);
  const draft = useThreads((state) => state.draft);
  return useSession(session, (snapshot) => snapshot.thread.settings) ?? draft;
}

/** Id of the model in use: the thread's own, the user's default, or the server's. */
export function useCurrentModelId(): string | null {
  const settings = useCurrentSettings();
  const preferred = useSettings(({ defaultModel }) => defaultModel);
  const fallback = useModels(({ list }) => list?.defaultModel ?? null);
  return settings.model ?? preferred ?? fallback;
}

export function useCurrentModel(): ModelInfo | undefined {
  const id = useCurrentModelId();
  return useModels((state) => findModel(state, id));
}

/** Selects the model of the open thread, and of new threads after that. */
export function ModelPicker() {
  const t = useMessages();
  const { models, threads, settings } = useStudio();
  const list = useModels((state) => state.list);
  const loading = useModels((state) => state.loading);
  const current = useCurrentModelId();
  const options = (list?.models ?? []).map(({ id, name, providerLabel, demo }) => ({
    value: id,
    label: name,
    ...(demo ? {} : { detail: providerLabel }),
  }));
  if (current !== null && list !== undefined && !options.some(({ value }) => value === current)) {
    options.unshift({ value: current, label: t.controls.modelGone(current) });
  }
  return (
    <span className="inline-flex min-w-0 items-center">
      <Select
        label={t.controls.model}
        value={current ?? ''}
        options={options}
        placeholder={list === undefined ? t.common.loading : t.controls.noModels}
        onOpenChange={(open) => {
          if (open) void models.refresh();
        }}
        onValueChange={(model) => {
          void threads.changeSettings({ model });
          void settings.change({ defaultModel: model });
        }}
        className="max-w-56"
      />
      {list?.models.every(({ demo }) => demo) ? (
        <IconButton label={t.controls.refreshModels} onClick={() => void models.refresh()} disabled={loading}>
          <RefreshCw aria-hidden size={14} />
        </IconButton>
      ) : null}
    </span>
  );
}

/** A menu item among the modes: try native tools again although they were refused. */
const RETRY_NATIVE = 'retry-native';

/** Selects how the model gets its tools. */
export function ToolCallingPicker() {
  const t = useMessages();
  const { threads, models } = useStudio();
  const { toolCalling } = useCurrentSettings();
  const model = useCurrentModel();
  const modes = t.controls.toolCallingModes;
  const effective = model?.effectiveToolCalling;
  const refused = model?.toolsRefused === true && model.toolCalling === 'auto';
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
          detail: mode === 'auto' && refused ? t.controls.toolsRefused : t.controls.toolCallingHelp[mode],
        })),
        ...(refused
          ? [{ value: RETRY_NATIVE, label: t.controls.retryNative, detail: t.controls.retryNativeHelp }]
          : []),
      ]}
      onOpenChange={(open) => {
        if (open) void models.refresh();
      }}
      onValueChange={(mode) => {
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
