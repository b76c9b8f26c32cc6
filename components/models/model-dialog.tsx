'use client';

import { useCurrentModelId, useModels } from '#components/hooks/studio-provider.tsx';
import { useModelTexts } from '#components/i18n/use-model-texts.ts';
import { Dialog } from '#components/ui/dialog.tsx';
import { Section } from '#components/ui/section.tsx';
import { findModel } from '#studio/models.ts';
import { Examination } from './examination.tsx';
import { ThreadParameters } from './thread-parameters.tsx';
import { ModelUseSettings } from './use-settings.tsx';

/**
 * A dialog with the settings of a model in all threads, its parameters in the open thread if that uses it, and its
 * `Examination`. Renders nothing if the model is not offered.
 */
export default function ModelDialog({ id, onClose }: { id: string; onClose(): void }) {
  const texts = useModelTexts();
  const model = useModels((state) => findModel(state, id));
  const isCurrent = useCurrentModelId() === id;
  // The model is no longer offered, possibly because another tab has removed it.
  if (model === undefined) return null;
  return (
    <Dialog open onOpenChange={onClose} title={texts.use.title(model.name)} wide>
      <div className="grid gap-6">
        {isCurrent ? (
          <Section title={texts.parameters.title} help={texts.parameters.help}>
            <ThreadParameters key={model.id} model={model} />
          </Section>
        ) : null}
        <Section title={texts.use.examination} help={texts.use.help}>
          <Examination key={model.id} model={model} />
        </Section>
        <Section title={texts.use.settings} help={texts.use.order}>
          <ol className="-mt-2 mb-1 list-inside list-decimal text-muted text-sm">
            {texts.use.deciders.map((decider) => (
              <li key={decider}>{decider}</li>
            ))}
          </ol>
          <ModelUseSettings key={model.id} model={model} />
        </Section>
      </div>
    </Dialog>
  );
}
