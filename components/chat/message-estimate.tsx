'use client';

import { useAuiState } from '@assistant-ui/react';
import { Suspense, use, useDeferredValue, useEffect, useState } from 'react';
import { useSettings } from '#components/hooks/studio-provider.tsx';
import { useMessages } from '#components/i18n/i18n.tsx';
import { useCommandTexts } from '#components/i18n/use-command-texts.ts';
import { ASCII_CHARACTERS_PER_TOKEN, estimateTokens, UNKNOWN_CONTEXT_TOKENS } from '#lib/base/estimate-tokens.ts';
import { costOf } from '#lib/model-use/prices/prices.ts';
import type { ModelInfo } from '#lib/wire/models.ts';
import { loadPrices, priceOf } from '#studio/prices.ts';
import { useCurrentModel } from './controls.tsx';
import { formatDollars } from './format-dollars.ts';

/** The size of a shorter message, in tokens, is shown only if it exceeds the model's context. */
const SHOWN_FROM_TOKENS = 10_000;

/** Says, before a long message is sent, how many tokens it has, what they cost, and whether they exceed the model's context. */
export function MessageEstimate() {
  const text = useDeferredValue(useAuiState(({ composer }) => composer.text));
  const attached = useAttachedLength();
  const model = useCurrentModel();
  const window = model?.contextSize ?? UNKNOWN_CONTEXT_TOKENS;
  // Most texts are too short to be worth counting.
  const isLong = text.length + attached > Math.min(SHOWN_FROM_TOKENS, window);
  const tokens = isLong ? estimateTokens(text) + Math.ceil(attached / ASCII_CHARACTERS_PER_TOKEN) : 0;
  if (model === undefined || (tokens < SHOWN_FROM_TOKENS && tokens <= window)) return null;
  return (
    <Suspense>
      <Estimate tokens={tokens} window={window} model={model} />
    </Suspense>
  );
}

/** The length of the attached texts, about in characters; that of a document once it has been read. */
function useAttachedLength(): number {
  const attachments = useAuiState(({ composer }) => composer.attachments);
  const [known, setKnown] = useState<ReadonlyMap<File, number>>(new Map());
  useEffect(() => {
    const files = attachments.flatMap(({ type, file }) => (type === 'document' && file !== undefined ? [file] : []));
    if (files.length === 0) return;
    let isCurrent = true;
    void import('./attached-text.ts').then(({ attachedSize }) => {
      for (const file of files)
        void attachedSize(file).then((length) => {
          if (isCurrent) setKnown((before) => new Map([...before, [file, length]]));
        });
    });
    return () => {
      isCurrent = false;
    };
  }, [attachments]);
  return attachments.reduce((sum, { file }) => sum + ((file && known.get(file)) ?? 0), 0);
}

function Estimate({ tokens, window, model }: { tokens: number; window: number; model: ModelInfo }) {
  const { locale } = useMessages();
  const texts = useCommandTexts().estimate;
  const price = priceOf(
    use(loadPrices()),
    useSettings((state) => state.prices),
    model,
  );
  const cost = price && costOf({ inputTokens: tokens, outputTokens: 0 }, price);
  const compact = new Intl.NumberFormat(locale, { notation: 'compact' });
  const isTooLong = tokens > window;
  return (
    <p role="status" className={`mb-1 px-1 text-sm ${isTooLong ? 'text-failed' : 'text-muted'}`}>
      {texts.size(compact.format(tokens))}
      {cost === undefined || cost === 0 ? null : ` ${texts.cost(formatDollars(cost, locale))}`}
      {isTooLong ? ` ${texts.tooLong(model.name, compact.format(window))}` : null}
    </p>
  );
}
