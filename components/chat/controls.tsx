'use client';

import { RefreshCw } from 'lucide-react';
import { useCurrentModelId, useModels, useStudio } from '#components/hooks/studio-provider.tsx';
import { useWorkbench } from '#components/hooks/workbench.ts';
import { useMessages } from '#components/i18n/i18n.tsx';
import { IconButton } from '#components/ui/button.tsx';
import { classNames } from '#components/ui/class-names.ts';
import { COMBOBOX, SelectFace } from '#components/ui/combobox.tsx';
import type { ModelInfo } from '#lib/wire/models.ts';
import { findModel, modelName, nameOfGone } from '#studio/models.ts';

export function useCurrentModel(): ModelInfo | undefined {
  const id = useCurrentModelId();
  return useModels((state) => findModel(state, id));
}

/**
 * A button with the name of the open thread's model, which opens the list of models. If there is no model but the demo, a
 * second button looks for models again.
 */
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
        data-tooltip={t.controls.model}
        data-placeholder={model === undefined ? '' : undefined}
        className={classNames(COMBOBOX, 'max-w-56 border-transparent text-muted hover:text-text @max-md:max-w-36')}
        onClick={open}
        onKeyDown={({ key }) => (key === 'ArrowDown' || key === 'ArrowUp') && open()}
      >
        <SelectFace>
          {model === undefined
            ? (gone ?? (list === undefined ? t.common.loading : t.controls.noModels))
            : modelName(model, t.controls.demoModel)}
        </SelectFace>
      </button>
      {list?.models.every(({ demo }) => demo) ? (
        <IconButton label={t.controls.refreshModels} onClick={() => void models.refresh()} disabled={loading}>
          <RefreshCw aria-hidden size={14} />
        </IconButton>
      ) : null}
    </span>
  );
}
