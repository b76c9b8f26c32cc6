'use client';

import { Command, defaultFilter } from 'cmdk';
import { Brain, Check, Image, Wrench } from 'lucide-react';
import { useMemo } from 'react';
import { useModels, useSettings } from '#components/hooks/studio-provider.tsx';
import { useMessages } from '#components/i18n/i18n.tsx';
import type { ModelInfo } from '#lib/api/models.ts';

/** Most models that are listed at once. Typing finds the others. */
const MAX_MODELS = 200;

interface ModelItemsProps {
  search: string;
  /** The id of the model in use. */
  current: string | null;
  /** Whether the models are listed alone, in groups. */
  areGrouped: boolean;
  groupClass: string;
  itemClass: string;
  onChoose(id: string): void;
}

/** The models on offer, by connection, with what they can do. */
export function ModelItems({ search, current, areGrouped, groupClass, itemClass, onChoose }: ModelItemsProps) {
  const t = useMessages();
  const models = useModels((state) => state.list?.models) ?? [];
  const recentIds = useSettings((state) => state.recentModels);
  const found = useMemo(() => bestMatches(models, search), [models, search]);
  const item = (model: ModelInfo, group: string) => (
    <Command.Item
      key={model.id}
      value={`${model.name} ${model.id} ${group}`}
      onSelect={() => onChoose(model.id)}
      className={itemClass}
    >
      <ModelLine model={model} isCurrent={model.id === current} />
    </Command.Item>
  );
  if (!areGrouped)
    return (
      <Command.Group heading={t.palette.models} className={groupClass}>
        {found.map((model) => item(model, ''))}
      </Command.Group>
    );
  const recent = recentIds.flatMap((id) => found.find((model) => model.id === id) ?? []);
  const labels = [...new Set(found.map(({ providerLabel }) => providerLabel))];
  return (
    <>
      {recent.length > 1 ? (
        <Command.Group heading={t.palette.recentModels} className={groupClass}>
          {recent.map((model) => item(model, 'recent'))}
        </Command.Group>
      ) : null}
      {labels.map((label) => {
        const rest = found.filter(
          (model) => model.providerLabel === label && (recent.length < 2 || !recent.includes(model)),
        );
        return rest.length === 0 ? null : (
          <Command.Group key={label} heading={label} className={groupClass}>
            {rest.map((model) => item(model, label))}
          </Command.Group>
        );
      })}
    </>
  );
}

/** A model's name, and its abilities as small icons with text for those who cannot see them. */
function ModelLine({
  model: { name, contextSize, vision, effectiveToolCalling },
  isCurrent,
}: {
  model: ModelInfo;
  isCurrent: boolean;
}) {
  const t = useMessages();
  const tools = effectiveToolCalling === 'native' ? t.palette.nativeTools : t.palette.promptedTools;
  const ToolIcon = effectiveToolCalling === 'native' ? Wrench : Brain;
  return (
    <>
      <span className="min-w-0 flex-1 truncate">{name}</span>
      <span className="flex shrink-0 items-center gap-2 text-muted text-xs">
        {vision === true ? (
          <span title={t.palette.vision}>
            <Image aria-label={t.palette.vision} size={13} />
          </span>
        ) : null}
        <span title={tools}>
          <ToolIcon aria-label={tools} size={13} />
        </span>
        {contextSize === null ? null : <span title={t.palette.context}>{t.palette.contextSize(contextSize)}</span>}
        {isCurrent ? <Check aria-label={t.palette.current} size={14} className="text-accent" /> : null}
      </span>
    </>
  );
}

/** The models that match best, in the order of the list. */
function bestMatches(models: readonly ModelInfo[], search: string): readonly ModelInfo[] {
  if (models.length <= MAX_MODELS) return models;
  if (search === '') return models.slice(0, MAX_MODELS);
  return models.filter(({ name, id }) => (defaultFilter?.(`${name} ${id}`, search) ?? 1) > 0).slice(0, MAX_MODELS);
}
