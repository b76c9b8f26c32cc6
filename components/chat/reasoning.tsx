'use client';

import { useKeptState, useReveal } from '#components/hooks/kept-state.ts';
import { useAllMessages } from '#components/i18n/use-all-messages.ts';
import { Disclosure } from '#components/ui/disclosure.tsx';
import type { ReasoningPart } from '#lib/messages/message.ts';
import { Markdown } from '../markdown/markdown.tsx';

interface ReasoningProps {
  /** The name of the reasoning's part of the message, as `partName` gives it. */
  name: string;
  part: ReasoningPart;
  isThinking: boolean;
}

/**
 * The model's reasoning as Markdown, collapsed until the user opens it. `isThinking`: whether the model is still writing it.
 */
export function Reasoning({ name, part, isThinking }: ReasoningProps) {
  const t = useAllMessages();
  const [open, setOpen] = useKeptState(name, false);
  const isOpen = isThinking || part.openId !== undefined;
  // The duration is unknown if the reasoning was taken for the answer at first, or comes from an import.
  const ended = part.durationMs === undefined ? t.messages.thoughts : t.messages.thought(part.durationMs / 1_000);
  const title = isOpen ? t.messages.thinking : ended;
  useReveal(name, [name], () => setOpen(true));
  return (
    <div data-part={name} className="my-block">
      <Disclosure
        open={open}
        onOpenChange={setOpen}
        className="items-center gap-1 rounded-md py-1 pr-2 text-muted text-sm hover:text-text"
      >
        <span data-unsearched="">{title}</span>
      </Disclosure>
      {open ? (
        <div className="reasoning ml-1.5 border-line border-l-2 pl-3 text-muted text-sm">
          <Markdown text={part.text.trimStart()} name={name} streaming={isOpen} />
        </div>
      ) : null}
    </div>
  );
}
