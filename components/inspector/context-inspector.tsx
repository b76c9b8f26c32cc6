'use client';

import { useEffect, useState } from 'react';
import { useStudio, useThreads } from '#components/hooks/studio-provider.tsx';
import { inspectorTexts } from '#components/i18n/inspector-texts.ts';
import { useAllMessages } from '#components/i18n/use-all-messages.ts';
import { useCompactionTexts } from '#components/i18n/use-compaction-texts.ts';
import { Dialog } from '#components/ui/dialog.tsx';
import { Select } from '#components/ui/select.tsx';
import { Spinner } from '#components/ui/spinner.tsx';
import type { AssistantMessage, CompactionPart, Message, PromptSections, StepPart } from '#lib/messages/message.ts';
import { sendWithCatalogue } from '#lib/threads/http-transport.ts';
import { type PromptAnswer, type PromptRequest, promptAnswerSchema } from '#lib/wire/prompt.ts';
import type { Studio } from '#studio/studio.ts';
import { SectionBar } from './section-bar.tsx';

interface Props {
  message: AssistantMessage;
  onClose(): void;
}

/**
 * Shows the prompt of each step of a turn, as the server rebuilds it, says whether it is exactly what the model received,
 * and shows details about the step.
 */
export default function ContextInspector({ message, onClose }: Props) {
  const t = useAllMessages();
  const texts = t.inspector ?? inspectorTexts;
  const [index, setIndex] = useState(0);
  const steps = message.parts.flatMap((part, at) =>
    part.type === 'step' && part.promptHash !== '' ? [{ step: part, at }] : [],
  );
  const chosen = steps[index];
  return (
    <Dialog open onOpenChange={onClose} title={texts.title} wide>
      {steps.length > 1 ? (
        <Select
          label={texts.step(index + 1)}
          value={String(index)}
          options={steps.map((_, at) => ({ value: String(at), label: texts.step(at + 1) }))}
          onValueChange={(value) => setIndex(Number(value))}
          className="mb-3"
        />
      ) : null}
      {chosen === undefined ? (
        <p className="text-muted text-sm">{texts.failed}</p>
      ) : (
        <StepView key={index} message={message} {...chosen} />
      )}
    </Dialog>
  );
}

type Loaded = { type: 'loading' } | { type: 'failed'; detail: string } | { type: 'loaded'; answer: PromptAnswer };

function StepView({ message, step, at }: { message: AssistantMessage; step: StepPart; at: number }) {
  const t = useAllMessages();
  const texts = t.inspector ?? inspectorTexts;
  const { tools, connections } = useStudio();
  const session = useThreads((state) => state.session);
  const [loaded, setLoaded] = useState<Loaded>({ type: 'loading' });
  useEffect(() => {
    const branch = session?.getSnapshot().tree.branch(message.id) ?? [];
    let current = true;
    loadPrompt(branch, message, step, at, { tools, connections }).then(
      (answer) => current && setLoaded({ type: 'loaded', answer }),
      (error: unknown) =>
        current && setLoaded({ type: 'failed', detail: error instanceof Error ? error.message : String(error) }),
    );
    return () => {
      current = false;
    };
  }, [session, message, step, at, tools, connections]);
  return (
    <>
      <StepFacts step={step} protocolTokens={loaded.type === 'loaded' ? loaded.answer.protocolTokens : undefined} />
      {loaded.type === 'loading' ? (
        <p role="status" className="mt-4 flex items-center gap-2 text-muted text-sm">
          <Spinner /> {t.common.loading}
        </p>
      ) : loaded.type === 'failed' ? (
        <p role="alert" className="mt-4 text-failed text-sm">
          {texts.failed} {loaded.detail}
        </p>
      ) : (
        <>
          <ContextBar step={step} sections={loaded.answer.sections} compaction={compactionBefore(message, at)} />
          <PromptView answer={loaded.answer} isVerified={loaded.answer.hash === step.promptHash} />
        </>
      )}
    </>
  );
}

/** The compaction just before the step at position `at` in the message; undefined if there was none. */
function compactionBefore({ parts }: AssistantMessage, at: number): CompactionPart | undefined {
  const part = parts[at - 1];
  return part?.type === 'compaction' ? part : undefined;
}

/** Shows how many tokens each section of a step's prompt has, by estimate, and how many the provider has counted. */
function ContextBar({
  step,
  sections,
  compaction,
}: {
  step: StepPart;
  sections: PromptSections;
  compaction: CompactionPart | undefined;
}) {
  const t = useAllMessages();
  const texts = useCompactionTexts();
  const { budgetTokens, contextSize, tokenScale = 1 } = step.settings;
  const format = (n: number) => Math.round(n).toLocaleString(t.locale);
  const reported = step.usage?.inputTokens;
  const estimated = format(
    step.estimatedTokens === undefined
      ? Object.values(sections).reduce((sum, tokens) => sum + tokens, 0)
      : step.estimatedTokens * tokenScale,
  );
  return (
    <section aria-label={texts.context} className="mt-4 text-sm">
      <h3 className="text-muted">{texts.context}</h3>
      {compaction === undefined ? null : (
        <>
          <p className="mt-2 text-muted text-xs">{texts.before}</p>
          <SectionBar label={texts.before} sections={compaction.before} roomTokens={compaction.roomTokens} />
          <p className="mt-2 text-muted text-xs">{texts.after}</p>
        </>
      )}
      <SectionBar label={texts.context} sections={sections} roomTokens={budgetTokens} />
      <p className="text-muted text-xs">
        {reported === undefined ? texts.onlyEstimate(estimated) : texts.estimate(estimated, format(reported))}{' '}
        {contextSize === undefined
          ? texts.unknownRoom(format(budgetTokens))
          : texts.room(format(budgetTokens), format(contextSize))}
      </p>
    </section>
  );
}

function StepFacts({ step, protocolTokens }: { step: StepPart; protocolTokens: number | undefined }) {
  const t = useAllMessages();
  const texts = t.inspector ?? inspectorTexts;
  const format = (n: number | undefined) => (n === undefined ? '–' : n.toLocaleString(t.locale));
  const { toolCalling, protocol } = step.settings;
  // The form in which prompted tools were described, by its name in models.yaml.
  const forms = [
    toolCalling === 'prompted' ? protocol?.codec : undefined,
    protocol?.compact ? 'compact' : undefined,
  ].filter((form) => form !== undefined);
  const facts: [string, string][] = [
    [texts.model, step.model],
    [texts.toolCalling, t.controls.listed([t.toolCalling.modes[toolCalling], ...forms])],
    [texts.tokens, t.messages.tokens(format(step.usage?.inputTokens), format(step.usage?.outputTokens))],
    [texts.protocolTokens, protocolTokens === undefined ? '…' : format(protocolTokens)],
    [texts.duration, step.durationMs === undefined ? '–' : t.time.seconds(step.durationMs / 1_000)],
    [texts.finishReason, texts.finishReasons[step.finishReason ?? ''] ?? step.finishReason ?? '–'],
  ];
  return (
    <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-1 text-sm">
      {facts.map(([name, value]) => (
        <div key={name} className="contents">
          <dt className="text-muted">{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

function PromptView({ answer, isVerified }: { answer: PromptAnswer; isVerified: boolean }) {
  const t = useAllMessages();
  const texts = t.inspector ?? inspectorTexts;
  return (
    <>
      <p className={`mt-3 text-sm ${isVerified ? 'text-done' : 'text-denied'}`}>
        {isVerified ? texts.verified : texts.differs}
      </p>
      <ol aria-label={texts.prompt} className="mt-3 grid grid-cols-1 gap-2">
        {answer.messages.map(({ role, content }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a prompt that was sent never changes
          <li key={index} className="min-w-0 rounded-md border border-line">
            <p className="border-line border-b px-3 py-1 text-muted text-xs">{texts.roles[role] ?? role}</p>
            <pre
              // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard
              tabIndex={0}
              className="max-h-72 overflow-auto whitespace-pre-wrap break-words p-3 font-mono text-[13px]"
            >
              {content}
            </pre>
          </li>
        ))}
      </ol>
      {answer.tools.length > 0 ? (
        <details className="mt-3 text-sm">
          <summary>{texts.tools(answer.tools.length)}</summary>
          <pre className="mt-2 max-h-72 overflow-auto rounded-md border border-line bg-sunken p-3 font-mono text-[13px]">
            {JSON.stringify(answer.tools, null, 2)}
          </pre>
        </details>
      ) : null}
    </>
  );
}

/** Asks the server for the prompt of the step at position `at` in the message. Rejects if the server cannot make it. */
async function loadPrompt(
  branch: readonly Message[],
  message: AssistantMessage,
  step: StepPart,
  at: number,
  { tools, connections }: Pick<Studio, 'tools' | 'connections'>,
): Promise<PromptAnswer> {
  // The state that the server had: the turn was running, and this step had not started.
  const turn: AssistantMessage = {
    ...message,
    parts: message.parts.slice(0, at),
    status: { type: 'running', runId: 'inspector' },
  };
  const personal = connections.configOf(step.model);
  const request: PromptRequest = {
    model: step.model,
    messages: [...branch.slice(0, -1), turn],
    settings: step.settings,
    // Old steps have no catalogue. They had the studio's own tools.
    catalogue: step.settings.catalogue ?? (await tools.catalogue()).name,
    ...(personal !== undefined && { personal }),
  };
  const { signal } = new AbortController();
  const response = await sendWithCatalogue('/api/prompt', request, {
    textOf: (name) => tools.catalogueText(name),
    signal,
  });
  return promptAnswerSchema.parse(await response.json());
}
