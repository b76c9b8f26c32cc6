'use client';

import { type MouseEvent, type ReactNode, useContext, useEffect, useState } from 'react';
import { useKeptState } from '#components/hooks/kept-state.ts';
import { useSession, useSettings, useStudio, useThreads } from '#components/hooks/studio-provider.tsx';
import { useBlobUrl } from '#components/hooks/use-file-blob.ts';
import { useMessages } from '#components/i18n/i18n.tsx';
import { useMarkdownTexts } from '#components/i18n/use-markdown-texts.ts';
import { LinkAround } from '#components/markdown/file-link.tsx';
import { ImageLink } from '#components/markdown/image-link.tsx';
import type { RemoteImageProps } from '#components/markdown/remote-image-view.ts';
import { hasNothingFocus } from '#components/ui/focus.ts';
import { OpeningPicture } from '#components/ui/opening-picture.tsx';
import { Spinner } from '#components/ui/spinner.tsx';
import { visibleText } from '#components/ui/visible-text.ts';
import { saysOwnNetwork } from '#lib/base/own-network.ts';
import type { ThreadSession } from '#lib/threads/thread-session.ts';
import type { EgressDecision } from '#lib/tools/egress/egress.ts';
import { hostOf } from '#lib/tools/egress/reached-hosts.ts';
import { addressProblem } from '#lib/tools/web/address.ts';
import type { AnswerImage } from '#lib/tools/web/answer-image.ts';
import { WEB_LIMITS } from '#lib/tools/web/limits.ts';
import { ANSWER_IMAGES, imageDecision, withImageHost } from '#studio/answer-image-hosts.ts';
import { withHosts } from '#studio/settings.ts';

/** An image of another site in an answer: a link with its host, which becomes the image once the person allows that host. */
export default function OfferedImage(props: RemoteImageProps) {
  const around = useContext(LinkAround);
  // A button cannot contain another one.
  if (around === 'button' || addressProblem(props.url) !== undefined) return <ImageLink {...props} />;
  return <Offer {...props} />;
}

/** Shows the image if its host is allowed; otherwise a link, and a button that asks about the host. */
function Offer(props: RemoteImageProps) {
  const texts = useMarkdownTexts();
  const session = useThreads(({ session: open }) => open);
  const thread = useSession(session, (snapshot) => snapshot.thread);
  const allowedHosts = useSettings((settings) => settings.allowedHosts);
  // Changes when a server redirects to another address.
  const [{ url, moves }, setPlace] = useState({ url: props.url, moves: 0 });
  const [once, setOnce] = useKeptState(`image/${props.url}`, '');
  const [isAsking, setAsking] = useState(false);
  /** Whether the person has pressed the button that asks, so that the focus goes to what replaces the question. */
  const [wasAsked, setAsked] = useState(false);
  const link = <ImageLink {...props} url={url} />;
  if (session === undefined || thread === undefined) return link;
  const host = hostOf(new URL(url));
  const decision = once === host ? 'asked' : imageDecision(thread, { allowedHosts }, host);
  if (decision !== undefined)
    return (
      <Loaded
        key={url}
        {...{ url, alt: props.alt, session, decision, wasAsked }}
        mayMove={moves < WEB_LIMITS.redirects}
        onMoved={(to) => {
          setPlace({ url: to, moves: moves + 1 });
          setAsking(false);
        }}
      >
        {link}
      </Loaded>
    );
  return (
    <>
      {link}{' '}
      {isAsking ? (
        <Question host={host} session={session} onOnce={() => setOnce(host)} onCancel={() => setAsking(false)} />
      ) : (
        <Choice
          label={`${texts.loadImage}: ${props.alt === '' ? visibleText(host) : props.alt}`}
          hasFocus={wasAsked}
          onChoose={() => {
            setAsking(true);
            setAsked(true);
          }}
        >
          {texts.loadImage}
        </Choice>
      )}
    </>
  );
}

interface QuestionProps {
  host: string;
  session: ThreadSession;
  onOnce(): void;
  onCancel(): void;
}

function Question({ host, session, onOnce, onCancel }: QuestionProps) {
  const texts = useMarkdownTexts();
  const t = useMessages();
  const { settings, threads } = useStudio();
  const { id } = session.getSnapshot().thread;
  const question = texts.askImages(visibleText(host), saysOwnNetwork(host));
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset cannot be within a paragraph
    <span
      role="group"
      aria-label={question}
      className="my-1 flex flex-wrap gap-1.5 rounded-md bg-waiting-soft p-2 text-sm"
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return;
        event.stopPropagation();
        onCancel();
      }}
    >
      <span className="w-full break-words font-medium">{question}</span>
      <span className="w-full text-muted">{texts.askImagesHelp}</span>
      <Choice hasFocus onChoose={onOnce}>
        {texts.loadOnce}
      </Choice>
      <Choice onChoose={() => void threads.update(id, (stored) => withImageHost(stored, host))}>
        {texts.loadInThread}
      </Choice>
      <Choice onChoose={() => void settings.change(withHosts(settings.getState(), { toolset: ANSWER_IMAGES }, [host]))}>
        {texts.alwaysLoad}
      </Choice>
      <Choice onChoose={onCancel}>{t.common.cancel}</Choice>
    </span>
  );
}

interface LoadedProps {
  url: string;
  alt: string;
  session: ThreadSession;
  decision: EgressDecision;
  /** Whether the person was asked about the host, so that the image takes the focus if nothing else has it. */
  wasAsked: boolean;
  /** Whether another redirect may be followed. Their number is limited, because some lead in a circle. */
  mayMove: boolean;
  onMoved(url: string): void;
  /** Shown while the image is loading, and if it cannot be loaded. */
  children: ReactNode;
}

function Loaded({ url, alt, session, decision, wasAsked, mayMove, onMoved, children }: LoadedProps) {
  const texts = useMarkdownTexts();
  const t = useMessages();
  const { tools } = useStudio();
  const inLink = useContext(LinkAround) !== undefined;
  const [attempt, setAttempt] = useState(0);
  const [result, setResult] = useState<AnswerImage>();
  const shown = useBlobUrl(result?.type === 'image' ? result.blob : undefined);
  const { id: threadId } = session.getSnapshot().thread;
  // biome-ignore lint/correctness/useExhaustiveDependencies: an attempt loads again; why it may be loaded and who is told do not
  useEffect(() => {
    const ended = new AbortController();
    setResult(undefined);
    void tools
      .answerImages()
      .then((images) => images.load({ url, threadId, decision, abortSignal: ended.signal }))
      .catch((error: unknown): AnswerImage => ({ type: 'failed', reason: { message: String(error) } }))
      .then((loaded) => {
        if (ended.signal.aborted) return;
        if (loaded.type !== 'moved') setResult(loaded);
        else if (mayMove) onMoved(loaded.url);
        else setResult({ type: 'failed', reason: 'redirects' });
      });
    return () => ended.abort();
  }, [tools, url, threadId, attempt]);
  if (result?.type === 'failed')
    return (
      <>
        {children} <span className="text-muted text-sm">{texts.imageFailed(result.reason)}</span>{' '}
        <Choice onChoose={() => setAttempt(attempt + 1)}>{t.common.retry}</Choice>
      </>
    );
  if (shown === undefined)
    return (
      <>
        {children} <Spinner />
      </>
    );
  const picture = (
    // biome-ignore lint/performance/noImgElement: loaded by the page itself; there is nothing to optimize
    <img
      src={shown}
      alt={alt}
      tabIndex={-1}
      ref={(image) => {
        if (wasAsked && hasNothingFocus()) image?.focus();
      }}
      onError={() => setResult({ type: 'failed', reason: 'no-image' })}
      className="my-1 inline-block max-h-[60dvh] max-w-full rounded-sm"
    />
  );
  return inLink ? (
    picture
  ) : (
    <OpeningPicture url={shown} name={alt}>
      {picture}
    </OpeningPicture>
  );
}

interface ChoiceProps {
  /** The button's accessible name, if it says more than the visible text. */
  label?: string;
  /** Whether the button takes the focus, because it replaces the one that was pressed. */
  hasFocus?: boolean;
  onChoose(): void;
  children: ReactNode;
}

/** A button in the line of a text. A click on it does not follow the link that may be around it. */
function Choice({ label, hasFocus = false, onChoose, children }: ChoiceProps) {
  const choose = (event: MouseEvent) => {
    event.preventDefault();
    event.stopPropagation();
    onChoose();
  };
  return (
    <button
      type="button"
      aria-label={label}
      // biome-ignore lint/a11y/noAutofocus: the person has just pressed the button that was here
      autoFocus={hasFocus}
      onClick={choose}
      className="inline-flex min-h-6 items-center rounded-md border border-line-strong/50 bg-raised px-2 text-sm hover:bg-hover"
    >
      {children}
    </button>
  );
}
