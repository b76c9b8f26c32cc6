'use client';

import { type FormEvent, useEffect, useState } from 'react';
import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';
import { useMessages } from '#components/i18n/i18n.tsx';
import { useServerTexts } from '#components/i18n/use-server-texts.ts';
import { Button } from '#components/ui/button.tsx';
import { Dialog } from '#components/ui/dialog.tsx';
import { Field } from '#components/ui/field.tsx';
import { visibleText } from '#components/ui/visible-text.ts';
import { OAUTH_CALLBACK_PATH } from '#lib/api/oauth.ts';
import { LOGIN_LIMITS } from '#lib/mcp/login/limits.ts';
import { type AttemptProblem, type AttemptStep, LoginAttempt } from '#studio/mcp/login-attempt.ts';
import type { McpServer } from '#studio/mcp/mcp-server.ts';
import type { McpServers } from '#studio/mcp/mcp-servers.ts';
import { hostOf } from './host-of.ts';

interface ServerLoginProps {
  servers: McpServers;
  /** Undefined if it was deleted, possibly in another tab. */
  server: McpServer | undefined;
  onClose(): void;
}

const FINDING = createStore<AttemptStep>(() => ({ type: 'finding' }));

/** The window of the authorization server, in pixels. */
const WINDOW = 'popup,width=560,height=760';

/** Logs the person in at a server, in a window of its authorization server. */
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
  const texts = useServerTexts();
  const [attempt, setAttempt] = useState<LoginAttempt>();
  const [round, setRound] = useState(0);
  // What the server asked for; a connection that is tried meanwhile changes nothing of it.
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
      {attempt === undefined ? null : <Step attempt={attempt} step={step} />}
      <div className="flex flex-wrap justify-end gap-2">
        {step.type === 'failed' ? (
          <Button variant="primary" onClick={() => setRound(round + 1)}>
            {texts.login.tryAgain}
          </Button>
        ) : null}
        <Button onClick={onClose}>{t.common.cancel}</Button>
      </div>
    </div>
  );
}

interface StepProps {
  attempt: LoginAttempt;
  step: AttemptStep;
}

function Step({ attempt, step }: StepProps) {
  const texts = useServerTexts().login;
  switch (step.type) {
    case 'finding':
      return <p role="status">{texts.finding}</p>;
    case 'needs-client':
      return <ClientForm attempt={attempt} issuer={step.issuer} />;
    case 'ready':
    case 'waiting':
      return <GoThere attempt={attempt} step={step} />;
    case 'finishing':
    case 'done':
      return <p role="status">{texts.finishing}</p>;
    case 'failed':
      return <Failure problem={step.problem} />;
  }
}

function GoThere({ attempt, step }: { attempt: LoginAttempt; step: Extract<AttemptStep, { url: string }> }) {
  const texts = useServerTexts().login;
  const [isBlocked, setBlocked] = useState(false);
  const host = hostOf(step.url);
  const go = () => {
    const opened = window.open('about:blank', '_blank', WINDOW);
    setBlocked(opened === null);
    if (opened === null) return;
    // Whoever is in that window has no way to this one.
    opened.opener = null;
    opened.location.replace(step.url);
    attempt.opened();
  };
  return (
    <>
      <p role="status" className="break-words">
        {step.type === 'ready' ? texts.ready(host) : texts.waiting(host)}
      </p>
      {step.type === 'ready' && step.scopes.length > 0 ? (
        <div>
          <p className="text-muted">{texts.scopes}</p>
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
          {texts.blocked}{' '}
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
      <div className="flex flex-wrap gap-2">
        <Button variant={step.type === 'ready' ? 'primary' : 'secondary'} data-initial-focus onClick={go}>
          {step.type === 'ready' ? texts.open(host) : texts.openAgain}
        </Button>
        {step.type === 'ready' ? (
          <Button variant="ghost" onClick={() => attempt.askForClient()}>
            {texts.otherClient}
          </Button>
        ) : null}
      </div>
    </>
  );
}

function ClientForm({ attempt, issuer }: { attempt: LoginAttempt; issuer: string }) {
  const texts = useServerTexts().login;
  const [id, setId] = useState('');
  const [secret, setSecret] = useState('');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (id.trim() !== '') void attempt.identify(id.trim(), secret.trim());
  };
  return (
    <form onSubmit={submit} className="grid gap-3">
      <p role="status" className="break-words">
        {texts.client(hostOf(issuer))}
      </p>
      <Field label={texts.redirect} readOnly value={location.origin + OAUTH_CALLBACK_PATH} />
      <Field
        label={texts.clientId}
        value={id}
        maxLength={LOGIN_LIMITS.clientLength}
        onChange={(event) => setId(event.target.value)}
      />
      <Field
        label={texts.clientSecret}
        isSecret={secret !== ''}
        value={secret}
        maxLength={LOGIN_LIMITS.clientLength}
        onChange={(event) => setSecret(event.target.value)}
      />
      <Button type="submit" variant="primary" className="justify-self-start">
        {texts.useClient}
      </Button>
    </form>
  );
}

function Failure({ problem: { code, detail } }: { problem: AttemptProblem }) {
  const texts = useServerTexts().login;
  return (
    <div role="alert" className="grid gap-1">
      <p className="text-failed">{texts.problems[code]}</p>
      {detail === '' ? null : <p className="break-words text-muted text-xs">{visibleText(detail)}</p>}
    </div>
  );
}
