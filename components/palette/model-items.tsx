'use client';

import { Command } from 'cmdk';
import { Brain, Check, Image, type LucideIcon, ScrollText, Wrench } from 'lucide-react';
import { Suspense, use, useMemo } from 'react';
import { useModels, useSettings } from '#components/hooks/studio-provider.tsx';
import { useAllMessages } from '#components/i18n/use-all-messages.ts';
import { useModelTexts } from '#components/i18n/use-model-texts.ts';
import { entryIn } from '#lib/model-use/prices/prices.ts';
import { resolveUse, type UseSource } from '#lib/model-use/resolve-use.ts';
import type { ModelInfo } from '#lib/wire/models.ts';
import { modelName } from '#studio/models.ts';
import { loadPrices, priceOf } from '#studio/prices.ts';

/** The maximum number of models that are listed at once. Typing finds the others. */
const MAX_MODELS = 200;

interface ModelItemsProps {
  search: string;
  /** The id of the model in use. */
  current: string | null;
  /** Whether the palette lists only models, which are then grouped by connection unless something is searched for. */
  areGrouped: boolean;
  groupClass: string;
  itemClass: string;
  onChoose(id: string): void;
}

/**
 * Lists the models on offer that fit the search, with their abilities and prices. `current`: the id of the model in use.
 * `areGrouped`: whether they are grouped by connection while nothing is searched for.
 */
export function ModelItems({ search, current, areGrouped, groupClass, itemClass, onChoose }: ModelItemsProps) {
  const t = useAllMessages();
  const models = useModels((state) => state.list?.models) ?? [];
  const recentIds = useSettings((state) => state.recentModels);
  const found = useMemo(() => bestMatches(models, search), [models, search]);
  const item = (model: ModelInfo) => (
    <Command.Item
      key={model.id}
      value={model.id}
      keywords={[modelName(model, t.controls.demoModel), model.providerLabel]}
      onSelect={() => onChoose(model.id)}
      className={itemClass}
    >
      <ModelLine model={model} isCurrent={model.id === current} />
    </Command.Item>
  );
  if (!areGrouped || search.trim() !== '')
    return found.length === 0 ? (
      areGrouped && <p className="p-4 text-muted text-sm">{t.palette.nothing}</p>
    ) : (
      <Command.Group heading={t.palette.models} className={groupClass}>
        {found.map(item)}
      </Command.Group>
    );
  const recent = recentIds.flatMap((id) => found.find((model) => model.id === id) ?? []);
  const labels = [...new Set(found.map(({ providerLabel }) => providerLabel))];
  return (
    <>
      {recent.length > 1 ? (
        <Command.Group heading={t.palette.recentModels} className={groupClass}>
          {recent.map(item)}
        </Command.Group>
      ) : null}
      {labels.map((label) => {
        const rest = found.filter(
          (model) => model.providerLabel === label && (recent.length < 2 || !recent.includes(model)),
        );
        return rest.length === 0 ? null : (
          <Command.Group key={label} heading={label} className={groupClass}>
            {rest.map(item)}
          </Command.Group>
        );
      })}
    </>
  );
}

/** A model's name, and its abilities as small icons with text for those who cannot see them. */
function ModelLine({ model, isCurrent }: { model: ModelInfo; isCurrent: boolean }) {
  const t = useAllMessages();
  return (
    <>
      <span className="min-w-0 flex-1 truncate">{modelName(model, t.controls.demoModel)}</span>
      <span className="flex shrink-0 items-center gap-2 text-muted text-xs tabular-nums">
        <Suspense>
          <Abilities model={model} />
        </Suspense>
        {isCurrent ? <Check aria-label={t.palette.current} size={14} className="text-accent" /> : null}
      </span>
    </>
  );
}

/** Shows the abilities and the price of a model. Suspends until the list of prices is loaded. */
function Abilities({ model }: { model: ModelInfo }) {
  const t = useAllMessages();
  const texts = useModelTexts();
  const table = use(loadPrices());
  const own = useSettings((state) => state.prices);
  const { vision, effectiveToolCalling, contextSize } = model;
  const price = priceOf(table, own, model);
  const resolved = resolveUse(model.use);
  const said = (text: string, source: UseSource | undefined) =>
    source === undefined ? text : texts.use.said(text, texts.use.sources[source]);
  const isNative = effectiveToolCalling === 'native';
  const tools = said(isNative ? t.palette.nativeTools : t.palette.promptedTools, resolved.toolCalling?.source);
  return (
    <>
      {vision === true ? <Ability icon={Image} text={t.palette.vision} /> : null}
      {entryIn(table, model.provider, model.model)?.hasReasoning === true ? (
        <Ability icon={Brain} text={texts.use.reasoning} />
      ) : null}
      <Ability icon={isNative ? Wrench : ScrollText} text={tools} />
      {contextSize === null ? null : (
        <span title={said(t.palette.context, resolved.contextSize?.source)}>{t.palette.contextSize(contextSize)}</span>
      )}
      {price === undefined ? null : (
        <span title={texts.use.price} className="hidden sm:inline">
          ${price.input}/${price.output}
        </span>
      )}
    </>
  );
}

function Ability({ icon: Icon, text }: { icon: LucideIcon; text: string }) {
  return (
    <span title={text}>
      <Icon aria-label={text} size={13} />
    </span>
  );
}

/** The models whose name and connection contain each word that is searched for, best matches first. */
function bestMatches(models: readonly ModelInfo[], search: string): readonly ModelInfo[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  const found = models.filter(({ name, providerLabel }) => {
    const text = `${name} ${providerLabel}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
  const ranked = words.length === 0 ? found : found.toSorted((a, b) => rankOf(a, words) - rankOf(b, words));
  return ranked.slice(0, MAX_MODELS);
}

/** Ranks how a model's name matches: 0 as a whole, 1 at its beginning, 2 anywhere, 3 only with its connection's name. */
function rankOf({ name }: ModelInfo, words: readonly string[]): number {
  const text = name.toLowerCase();
  const [first = ''] = words;
  if (text === words.join(' ')) return 0;
  if (text.startsWith(first)) return 1;
  return words.every((word) => text.includes(word)) ? 2 : 3;
}
