'use client';

import { type FormEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';
import { useMessages } from '#components/i18n/i18n.tsx';
import { useServerTexts } from '#components/i18n/use-server-texts.ts';
import { Button } from '#components/ui/button.tsx';
import { Dialog } from '#components/ui/dialog.tsx';
import { Field } from '#components/ui/field.tsx';
import { visibleText } from '#components/ui/visible-text.ts';
import { LOGIN_LIMITS } from '#lib/sources/mcp/login/limits.ts';
import { type AttemptProblem, type AttemptStep, LoginAttempt } from '#studio/sources/mcp/login-attempt.ts';
import type { McpServer } from '#studio/sources/mcp/mcp-server.ts';
import type { McpServers } from '#studio/sources/mcp/mcp-servers.ts';
import { hostOf } from './host-of.ts';

interface ServerLoginProps {
  servers: McpServers;
  /** The tool server; undefined if it was deleted, possibly in another tab. */
  server: McpServer | undefined;
  onClose(): void;
}

const FINDING = createStore<AttemptStep>(() => ({ type: 'finding' }));

/** The features of the window for the authorization server, with its size in CSS pixels. */
const WINDOW = 'popup,width=560,height=760';

/** A dialog that logs the person in at a tool server, in a window of the server's authorization server. */
export function ServerLogin({ servers, server, onClose }: ServerLoginProps) {
  const texts = useServerTexts();
  if (server === undefined) return null;
  return (
    <Dialog open onOpenChange={onClose} title={texts.login.title(server.config.name)}>
      <Login servers={servers} server={server} onClose={onClose} />
    </Dialog>
  );
}

function Login({ servers, server, onClose }: ServerLoginProps & { server: McpServer }) {
  const t = useMessages();
  const [attempt, setAttempt] = useState<LoginAttempt>();
  const [round, setRound] = useState(0);
  // Kept as the server asked for the login. Another connection that is tried meanwhile does not change it.
  const [{ config, challenge }] = useState({ config: server.config, challenge: server.problem?.challenge ?? {} });
  // biome-ignore lint/correctness/useExhaustiveDependencies: another round is another attempt
  useEffect(() => {
    const connection = servers.logins.connect();
    const begun = new LoginAttempt({ servers, config, challenge, connection, origin: location.origin });
    setAttempt(begun);
    void begun.begin();
    return () => begun.end();
  }, [servers, config, challenge, round]);
  const step = useStore(attempt?.state ?? FINDING);
  useEffect(() => {
    if (step.type === 'done') onClose();
  }, [step, onClose]);
  return (
    <div className="grid gap-3 text-sm">
      {attempt === undefined ? null : (
        <Step
          attempt={attempt}
          step={step}
          cancel={<Button onClick={onClose}>{t.common.cancel}</Button>}
          onRepeat={() => setRound(round + 1)}
        />
      )}
    </div>
  );
}

interface StepProps {
  attempt: LoginAttempt;
  step: AttemptStep;
  /** The Cancel button, which each step shows among its buttons. */
  cancel: ReactNode;
  onRepeat(): void;
}

function Step({ attempt, step, cancel, onRepeat }: StepProps) {
  const texts = useServerTexts();
  switch (step.type) {
    case 'finding':
      return <Busy text={texts.login.finding} cancel={cancel} />;
    case 'needs-client':
      return <ClientForm attempt={attempt} step={step} cancel={cancel} />;
    case 'ready':
    case 'waiting':
      return <GoThere attempt={attempt} step={step} cancel={cancel} />;
    case 'finishing':
    case 'done':
      return <Busy text={texts.login.finishing} cancel={cancel} />;
    case 'failed':
      return <Failure problem={step.problem} cancel={cancel} onRepeat={onRepeat} />;
  }
}

function Buttons({ children }: { children: ReactNode }) {
  return <div className="flex flex-wrap justify-end gap-2">{children}</div>;
}

function Busy({ text, cancel }: Pick<StepProps, 'cancel'> & { text: string }) {
  return (
    <>
      <p role="status">{text}</p>
      <Buttons>{cancel}</Buttons>
    </>
  );
}

interface GoThereProps extends Pick<StepProps, 'attempt' | 'cancel'> {
  step: Extract<AttemptStep, { url: string }>;
}

function GoThere({ attempt, step, cancel }: GoThereProps) {
  const texts = useServerTexts();
  const button = useRef<HTMLButtonElement>(null);
  // The dialog cannot give the button the focus at first, because it was not there yet.
  useEffect(() => button.current?.focus(), []);
  const [isBlocked, setBlocked] = useState(false);
  const host = hostOf(step.url);
  const go = () => {
    const opened = window.open('about:blank', '_blank', WINDOW);
    setBlocked(opened === null);
    if (opened === null) return;
    // The page in that window must not get access to this one.
    opened.opener = null;
    opened.location.replace(step.url);
    attempt.opened();
  };
  return (
    <>
      <p role="status" className="break-words">
        {step.type === 'ready' ? texts.login.ready(host) : texts.login.waiting(host)}
      </p>
      {step.type === 'ready' && step.scopes.length > 0 ? (
        <div>
          <p className="text-muted">{texts.login.scopes}</p>
          <ul className="mt-1 flex max-h-40 flex-wrap gap-1 overflow-y-auto">
            {step.scopes.map((scope) => (
              <li key={scope} className="break-all rounded-sm bg-raised px-1.5 font-mono text-[13px]">
                {visibleText(scope)}
              </li>
            ))}
          </ul>
        </div>
      ) : null}
      {isBlocked ? (
        <p role="alert" className="break-words text-failed">
          {texts.login.blocked}{' '}
          <a
            href={step.url}
            target="_blank"
            rel="noopener noreferrer"
            className="text-accent underline"
            onClick={() => attempt.opened()}
          >
            {host}
          </a>
        </p>
      ) : null}
      <Buttons>
        {step.type === 'ready' ? (
          <Button variant="ghost" className="mr-auto" onClick={() => attempt.askForClient()}>
            {texts.login.otherClient}
          </Button>
        ) : null}
        {cancel}
        <Button ref={button} variant={step.type === 'ready' ? 'primary' : 'secondary'} onClick={go}>
          {step.type === 'ready' ? texts.login.open(host) : texts.login.openAgain}
        </Button>
      </Buttons>
    </>
  );
}

interface ClientFormProps extends Pick<StepProps, 'attempt' | 'cancel'> {
  step: Extract<AttemptStep, { redirectUri: string }>;
}

function ClientForm({ attempt, step, cancel }: ClientFormProps) {
  const texts = useServerTexts();
  const [id, setId] = useState('');
  const [secret, setSecret] = useState('');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (id.trim() !== '') void attempt.identify(id.trim(), secret.trim());
  };
  return (
    <form onSubmit={submit} className="grid gap-3">
      <p role="status" className="break-words">
        {texts.login.client(hostOf(step.issuer))}
      </p>
      <Field label={texts.login.redirect} readOnly value={step.redirectUri} />
      <Field
        label={texts.login.clientId}
        value={id}
        maxLength={LOGIN_LIMITS.clientLength}
        onChange={(event) => setId(event.target.value)}
      />
      <Field
        label={texts.login.clientSecret}
        isSecret={secret !== ''}
        value={secret}
        maxLength={LOGIN_LIMITS.clientLength}
        onChange={(event) => setSecret(event.target.value)}
      />
      <Buttons>
        {cancel}
        <Button type="submit" variant="primary">
          {texts.login.useClient}
        </Button>
      </Buttons>
    </form>
  );
}

interface FailureProps extends Pick<StepProps, 'cancel' | 'onRepeat'> {
  problem: AttemptProblem;
}

function Failure({ problem: { code, detail }, cancel, onRepeat }: FailureProps) {
  const texts = useServerTexts();
  return (
    <>
      <div role="alert" className="grid gap-1">
        <p className="text-failed">{texts.login.problems[code]}</p>
        {detail === '' ? null : <p className="break-words text-muted text-xs">{visibleText(detail)}</p>}
      </div>
      <Buttons>
        {cancel}
        <Button variant="primary" onClick={onRepeat}>
          {texts.login.tryAgain}
        </Button>
      </Buttons>
    </>
  );
}
