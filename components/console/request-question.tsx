'use client';

import { useEffect, useRef, useState } from 'react';
import { useAllMessages } from '#components/i18n/use-all-messages.ts';
import { Button } from '#components/ui/button.tsx';
import { escapeInvisible } from '#lib/tools/capabilities/rendered-value.ts';
import type { RequestQuestion } from '#studio/web/person-web.ts';

/** A question that is shown, and the function to call with the person's answer. */
interface Asked {
  question: RequestQuestion;
  answer(isYes: boolean): void;
}

/**
 * Returns `ask`, which asks the person whether their code may send a request and resolves with the answer, and `asked`, the
 * open question for a `RequestQuestionBar`; undefined if there is none. Only one question can be open at a time. Stopping
 * the code or closing the view answers No.
 */
export function useRequestQuestion(): {
  asked: Asked | undefined;
  ask(question: RequestQuestion, abortSignal: AbortSignal): Promise<boolean>;
} {
  const [asked, setAsked] = useState<Asked>();
  const open = useRef<Asked>(undefined);
  useEffect(() => () => open.current?.answer(false), []);
  const ask = (question: RequestQuestion, abortSignal: AbortSignal): Promise<boolean> => {
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const answer = (isYes: boolean) => {
      open.current = undefined;
      setAsked(undefined);
      resolve(isYes);
    };
    const shown = { question, answer };
    open.current = shown;
    setAsked(shown);
    abortSignal.addEventListener('abort', () => open.current === shown && answer(false), { once: true });
    return promise;
  };
  return { asked, ask };
}

/** Asks whether the person's code may send a request. `hasModelCode`: whether code of the model may be the sender. */
export function RequestQuestionBar({ asked, hasModelCode }: { asked: Asked; hasModelCode: boolean }) {
  const t = useAllMessages();
  const { host, url } = asked.question;
  return (
    <div role="alert" className="shrink-0 border-line border-t bg-waiting-soft p-3 text-sm">
      <p className="break-words font-medium">{t.console.request(escapeInvisible(host))}</p>
      <p className="mt-1 max-h-20 overflow-y-auto break-all font-mono text-[13px]">{escapeInvisible(url)}</p>
      {hasModelCode ? <p className="mt-1 text-muted text-xs">{t.console.requestOfModel}</p> : null}
      <div className="mt-2 flex flex-wrap gap-2">
        <Button variant="primary" onClick={() => asked.answer(true)}>
          {t.console.allowRequest}
        </Button>
        <Button onClick={() => asked.answer(false)}>{t.console.denyRequest}</Button>
      </div>
    </div>
  );
}
