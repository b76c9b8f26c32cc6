'use client';

import { type FormEvent, Suspense, use, useMemo, useState } from 'react';
import { useModels, useSession, useSettings, useStudio, useThreads } from '#components/hooks/studio-provider.tsx';
import { useMessages } from '#components/i18n/i18n.tsx';
import type { ModelTexts } from '#components/i18n/model-texts.ts';
import { useModelTexts } from '#components/i18n/use-model-texts.ts';
import { Button } from '#components/ui/button.tsx';
import { Dialog } from '#components/ui/dialog.tsx';
import type { Price } from '#lib/model-use/prices/prices.ts';
import { type Cost, costOfRequests, loadPrices, type PricedRequest, priceOf, requestsOf } from '#studio/prices.ts';
import { formatDollars } from './format-dollars.ts';

/** Calculates the cost of steps at today's prices. Suspends until the list of prices is loaded. */
function useCost(steps: readonly PricedRequest[]): { cost: Cost; priceOfStep(step: PricedRequest): Price | undefined } {
  const prices = use(loadPrices());
  const own = useSettings((state) => state.prices);
  const models = useModels((state) => state.list?.models);
  const priceOfStep = ({ model: id, provider }: PricedRequest) => {
    const model = models?.find((one) => one.id === id);
    if (model !== undefined) return priceOf(prices, own, model);
    // The model is gone, or not offered any more. Its id ends with the provider's name for it.
    return priceOf(prices, own, { id, provider, model: id.slice(id.indexOf('/') + 1) });
  };
  return { cost: costOfRequests(steps, priceOfStep), priceOfStep };
}

/** Shows the cost of a turn. `steps`: the turn's requests to models; if absent, shows the cost of the open thread. */
export default function CostView({ steps }: { steps?: readonly PricedRequest[] }) {
  return steps === undefined ? <ThreadCost /> : <TurnCost steps={steps} />;
}

/** Shows the tokens of a turn and their cost. A click opens the details. */
function TurnCost({ steps }: { steps: readonly PricedRequest[] }) {
  const texts = useModelTexts();
  if (!steps.some(({ usage }) => usage?.inputTokens !== undefined))
    return (
      <span title={texts.cost.notReportedDetail} className="px-1.5 text-muted text-xs">
        {texts.cost.notReported}
      </span>
    );
  return (
    <Suspense>
      <CostButton steps={steps} />
    </Suspense>
  );
}

function CostButton({ steps }: { steps: readonly PricedRequest[] }) {
  const t = useMessages();
  const texts = useModelTexts();
  const { cost } = useCost(steps);
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <button
        type="button"
        title={texts.cost.show}
        onClick={() => setOpen(true)}
        className="rounded-md px-1.5 py-1 text-muted text-xs tabular-nums hover:bg-hover hover:text-text"
      >
        {costText(cost, t.locale, texts)}
      </button>
      {isOpen ? <CostDialog steps={steps} onClose={() => setOpen(false)} /> : null}
    </>
  );
}

function costText(cost: Cost, locale: string, texts: ModelTexts): string {
  const compact = new Intl.NumberFormat(locale, { notation: 'compact', maximumFractionDigits: 1 });
  const tokens = texts.cost.tokens(compact.format(cost.inputTokens + cost.outputTokens));
  if (cost.isComplete) return `${tokens} · ${formatDollars(cost.dollars, locale)}`;
  return cost.dollars > 0 ? `${tokens} · ${texts.cost.atLeast(formatDollars(cost.dollars, locale))}` : tokens;
}

/** Shows the cost of the whole thread, with all versions of its answers. */
function ThreadCost() {
  const session = useThreads((state) => state.session);
  // While an answer is written, the tree changes all the time, and what it costs is not known yet.
  const settled = useSession(session, ({ thread, tree }) => (thread.activity === 'settled' ? tree : undefined));
  const [shown, setShown] = useState({ session, tree: settled });
  if (shown.session !== session || (settled !== undefined && shown.tree !== settled))
    setShown({ session, tree: settled });
  const nodes = useMemo(() => shown.tree?.nodes() ?? [], [shown.tree]);
  const steps = useMemo(() => requestsOf(nodes.map(({ message }) => message)), [nodes]);
  if (!steps.some(({ usage }) => usage?.inputTokens !== undefined)) return null;
  return (
    <Suspense>
      <ThreadCostText steps={steps} />
    </Suspense>
  );
}

function ThreadCostText({ steps }: { steps: readonly PricedRequest[] }) {
  const t = useMessages();
  const texts = useModelTexts();
  const { cost } = useCost(steps);
  if (cost.dollars === 0) return null;
  const dollars = formatDollars(cost.dollars, t.locale);
  return (
    <span title={texts.cost.thread} className="hidden text-muted text-xs tabular-nums sm:inline">
      {cost.isComplete ? dollars : texts.cost.atLeast(dollars)}
    </span>
  );
}

/** Explains a cost: the tokens, and the prices of the models, which can be corrected. */
function CostDialog({ steps, onClose }: { steps: readonly PricedRequest[]; onClose(): void }) {
  const t = useMessages();
  const texts = useModelTexts();
  const { cost, priceOfStep } = useCost(steps);
  const { date } = use(loadPrices());
  const format = (n: number) => n.toLocaleString(t.locale);
  const rows: [string, number][] = [
    [texts.cost.input, cost.inputTokens - cost.cachedInputTokens - cost.cacheWriteTokens],
    [texts.cost.cached, cost.cachedInputTokens],
    [texts.cost.written, cost.cacheWriteTokens],
    [texts.cost.output, cost.outputTokens],
  ];
  const models = [...new Map(steps.map((step) => [step.model, priceOfStep(step)]))];
  return (
    <Dialog open onOpenChange={onClose} title={texts.cost.title} description={texts.cost.help}>
      <dl className="grid grid-cols-[1fr_auto] gap-x-4 gap-y-1 text-sm tabular-nums">
        {rows.map(([name, tokens], index) =>
          tokens === 0 && (index === 1 || index === 2) ? null : (
            <div key={name} className="contents">
              <dt className="text-muted">{name}</dt>
              <dd className="text-right">{format(tokens)}</dd>
            </div>
          ),
        )}
        <dt className="font-medium">{texts.cost.total}</dt>
        <dd className="text-right font-medium">
          {cost.isComplete || cost.dollars > 0 ? formatDollars(cost.dollars, t.locale) : texts.cost.unknown}
        </dd>
      </dl>
      {models.map(([model, price]) => (
        <PriceForm key={`${model} ${JSON.stringify(price)}`} id={model} price={price} date={date} />
      ))}
    </Dialog>
  );
}

const FIELDS = ['input', 'cacheRead', 'cacheWrite', 'output'] as const;

type PriceTexts = Record<(typeof FIELDS)[number], string>;

const textsOf = (price: Price | undefined): PriceTexts => ({
  input: String(price?.input ?? ''),
  cacheRead: String(price?.cacheRead ?? ''),
  cacheWrite: String(price?.cacheWrite ?? ''),
  output: String(price?.output ?? ''),
});

/** The amount in a text such as `$2.50` or `2,5`; 0 if the text is blank, undefined if it is negative or not a number. */
function amountIn(text: string): number | undefined {
  const value = Number(
    text
      .trim()
      .replace(/^\$\s*/, '')
      .replace(',', '.'),
  );
  return value >= 0 && Number.isFinite(value) ? value : undefined;
}

/**
 * A form that edits the price of a model. `id`: the model's id. `price`: the price that applies now; undefined if it is
 * unknown. `date`: the date of the list of prices.
 */
function PriceForm({ id, price, date }: { id: string; price: Price | undefined; date: string }) {
  const texts = useModelTexts();
  const { settings } = useStudio();
  const own = useSettings((state) => state.prices);
  const name = useModels((state) => state.list?.models.find((model) => model.id === id)?.name) ?? id;
  const isOwn = Object.hasOwn(own, id);
  const [typed, setTyped] = useState(textsOf(price));
  const [isWrong, setWrong] = useState(false);
  const save = (event: FormEvent) => {
    event.preventDefault();
    const [input, cacheRead, cacheWrite, output] = FIELDS.map((field) => amountIn(typed[field]));
    // The prices of caches may be left empty. Those of input and output must be known: unknown is not free.
    const isKnown =
      input !== undefined && output !== undefined && typed.input.trim() !== '' && typed.output.trim() !== '';
    const isValid = isKnown && cacheRead !== undefined && cacheWrite !== undefined;
    setWrong(!isValid);
    if (!isValid) return;
    const changed = { input, output, cacheRead, cacheWrite };
    // An unchanged price is not stored, because the list also has further prices, such as for long prompts.
    if (FIELDS.every((field) => changed[field] === price?.[field])) return;
    void settings.change({ prices: { ...own, [id]: changed } });
  };
  const reset = () => {
    const { [id]: _, ...others } = own;
    void settings.change({ prices: others });
  };
  return (
    <form onSubmit={save} className="mt-4 border-line border-t pt-3 text-sm" aria-label={texts.cost.priceOf(name)}>
      <p className="mb-2">
        <span className="font-medium">{texts.cost.priceOf(name)}</span>{' '}
        <span className="text-muted text-xs">
          {isOwn ? texts.cost.yours : price === undefined ? texts.cost.unknown : texts.cost.fromList(date)}
        </span>
      </p>
      <div className="grid grid-cols-2 gap-2">
        {FIELDS.map((field) => (
          <label key={field} className="text-muted text-xs">
            {texts.cost.fields[field]}
            <input
              value={typed[field]}
              inputMode="decimal"
              onChange={(event) => setTyped({ ...typed, [field]: event.target.value })}
              className="mt-1 h-8 w-full rounded-md border border-line-strong bg-surface px-2 text-sm text-text"
            />
          </label>
        ))}
      </div>
      {isWrong ? (
        <p role="alert" className="mt-2 text-failed">
          {texts.cost.notANumber}
        </p>
      ) : null}
      <div className="mt-2 flex justify-end gap-2">
        {isOwn ? <Button onClick={reset}>{texts.cost.useList}</Button> : null}
        <Button type="submit" variant="primary">
          {texts.cost.save}
        </Button>
      </div>
    </form>
  );
}
