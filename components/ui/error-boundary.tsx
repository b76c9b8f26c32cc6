'use client';

import { Component, type ErrorInfo, type ReactNode, useEffect, useState } from 'react';
import { useMessages } from '#components/i18n/i18n.tsx';
import { Button } from './button.tsx';
import { CopyButton } from './copy-button.tsx';
import { forgetFailedLoads } from './lazy-view.tsx';

interface Props {
  children: ReactNode;
  /** A new value resets the error and renders the children again. */
  resetKey?: unknown;
}

interface State {
  error: Error | undefined;
  resetKey: unknown;
}

/**
 * Prevents a broken view from taking down the rest of the studio: shows the error in its place, with a button to try again.
 * If the view's code could not be loaded, tries again by itself once it can be. Also tries again if `resetKey` changes.
 */
export class ErrorBoundary extends Component<Props, State> {
  override state: State = { error: undefined, resetKey: this.props.resetKey };

  static getDerivedStateFromError(error: unknown): Partial<State> {
    return { error: error instanceof Error ? error : new Error(String(error)) };
  }

  static getDerivedStateFromProps({ resetKey }: Props, state: State): Partial<State> | null {
    return resetKey === state.resetKey ? null : { error: undefined, resetKey };
  }

  override componentDidCatch(error: Error, info: ErrorInfo): void {
    console.error(error, info.componentStack);
    forgetFailedLoads();
  }

  readonly #retry = (): void => this.setState({ error: undefined });

  override render(): ReactNode {
    const { error } = this.state;
    if (error === undefined) return this.props.children;
    return <BrokenView error={error} onRetry={this.#retry} />;
  }
}

/** Matches the address of code, or of styles, that could not be loaded. */
const CODE = /\/_next\/static\/\S+?\.(?:js|css)/;

/** The time before code is loaded again, in milliseconds. */
const RETRY_MS = 3_000;

/**
 * If an error is about code that could not be loaded, calls `onRetry` once it can be. Returns true if the server no longer has
 * that code, because it was updated since the page was opened.
 */
function useMissingCode({ message }: Error, onRetry: () => void): boolean {
  const [isOutdated, setOutdated] = useState(false);
  const code = CODE.exec(message)?.[0];
  useEffect(() => {
    if (code === undefined) return;
    let isShown = true;
    const look = async (): Promise<void> => {
      while (isShown) {
        // While the server does not answer, nobody can tell.
        const answer = await fetch(code, { method: 'HEAD', cache: 'no-store' }).catch(() => undefined);
        if (answer?.status === 404) return setOutdated(true);
        await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
        if (isShown && answer?.ok) return onRetry();
      }
    };
    void look();
    return () => {
      isShown = false;
    };
  }, [code, onRetry]);
  return isOutdated;
}

function BrokenView({ error, onRetry }: { error: Error; onRetry(): void }) {
  const t = useMessages();
  if (useMissingCode(error, onRetry))
    return (
      <div role="alert" className="m-3 rounded-md border border-failed/40 bg-failed-soft p-3 text-sm">
        <p className="mt-1">{t.start.isOutdated}</p>
        <Button onClick={() => location.reload()}>{t.common.reload}</Button>
      </div>
    );
  return (
    <div role="alert" className="m-3 rounded-md border border-failed/40 bg-failed-soft p-3 text-sm">
      <p className="font-medium">{t.start.crashTitle}</p>
      <p className="mt-1">{t.start.crashHere}</p>
      <p className="mt-1 break-words font-mono text-xs">{error.message}</p>
      <div className="mt-2 flex gap-2">
        <Button onClick={onRetry}>{t.start.tryAgain}</Button>
        <CopyButton label={t.common.copyDetails} text={() => `${error.stack ?? error.message}`} withText />
      </div>
    </div>
  );
}
