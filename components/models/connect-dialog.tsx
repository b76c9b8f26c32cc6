'use client';

import { type FormEvent, useEffect, useId, useRef, useState } from 'react';
import { useConnections, useCurrentModelId, useModels, useStudio } from '#components/hooks/studio-provider.tsx';
import { useMessages } from '#components/i18n/i18n.tsx';
import { useModelTexts } from '#components/i18n/use-model-texts.ts';
import { Button } from '#components/ui/button.tsx';
import { Dialog } from '#components/ui/dialog.tsx';
import { Disclosure } from '#components/ui/disclosure.tsx';
import { Field } from '#components/ui/field.tsx';
import { Select } from '#components/ui/select.tsx';
import { type Connection, personalModelId } from '#studio/connections/connection.ts';
import { SHOWN_AT_ONCE } from '#studio/connections/connection-editor.ts';
import {
  CONNECTION_PRESETS,
  type ConnectionPreset,
  isAddress,
  pasted,
  presetOf,
  presetOfKey,
  presetOfLocalPort,
} from '#studio/connections/presets.ts';
import { type ConnectionProblem, describeConnectionProblem } from './connection-problem.ts';
import { ModelChoice } from './model-choice.tsx';
import { useConnectionEditor } from './use-connection-editor.ts';

/** A connection that was made, or existed before, about which there is more to show than that it works. */
interface Made {
  connection: Connection;
  /** Whether the connection did not exist before. */
  isNew: boolean;
  /** The address of the model server, if it differs from the typed one; otherwise undefined. */
  address: string | undefined;
}

/** Adds a connection to a model provider, by its key, or to a model server, by its address. Both are pasted into one field. */
export default function ConnectDialog({ onClose }: { onClose(): void }) {
  const texts = useModelTexts();
  const [made, setMade] = useState<Made>();
  return (
    <Dialog open onOpenChange={onClose} title={texts.connections.connectTitle}>
      {made === undefined ? (
        <ConnectForm onMade={setMade} onClose={onClose} />
      ) : (
        <MadeView {...made} onClose={onClose} />
      )}
    </Dialog>
  );
}

function ConnectForm({ onMade, onClose }: { onMade(made: Made): void; onClose(): void }) {
  const t = useMessages();
  const texts = useModelTexts();
  const editor = useConnectionEditor();
  const offerFirst = useFirstModel();
  const policy = useModels((state) => state.list?.personal);
  const [testing] = useState(() => new AbortController());
  // A person who closes the dialog does not want the connection anymore.
  useEffect(() => () => testing.abort(), [testing]);
  const protection = useConnections((state) => state.protection);
  const [typed, setTyped] = useState('');
  const [chosen, setChosen] = useState<string>();
  const [key, setKey] = useState('');
  const [address, setAddress] = useState<string>();
  const [isTesting, setTesting] = useState(false);
  const [problem, setProblem] = useState<ConnectionProblem>();
  const problemId = useId();

  const chosenPreset = chosen === undefined ? undefined : presetOf(chosen);
  // If the person has chosen a provider that needs no address, the text is its key.
  const meant = pasted(typed);
  const typesAddress = chosenPreset?.hasAddress !== false && isAddress(meant);
  const byShape = typesAddress ? presetOfLocalPort(meant) : presetOfKey(meant);
  const preset = chosenPreset ?? byShape;
  const nameOf = ({ label }: ConnectionPreset) => label ?? texts.connections.compatible;
  const asksAddress = !typesAddress && (preset?.hasAddress === true || address !== undefined);
  const baseURL = typesAddress ? meant : asksAddress ? pasted(address ?? preset?.baseURL ?? '') : undefined;
  const secret = typesAddress ? pasted(key) : meant;
  const keyField = useRef<HTMLInputElement>(null);
  /** Changes what is typed or chosen, and hides the latest problem, which may no longer apply. */
  const change = (act: () => void) => {
    setProblem(undefined);
    act();
  };
  const fail = (code: string, text: string) => setProblem({ code, text, detail: '' });

  // A person who must enter a key next finds the cursor there.
  useEffect(() => {
    if (problem?.code === 'key-required' || problem?.code === 'needs-key') keyField.current?.focus();
  }, [problem]);

  const connect = async () => {
    if (preset === undefined && typed.trim() === '') return fail('needs-key', texts.connections.needsKeyOrAddress);
    if (preset === undefined) return fail('needs-provider', texts.connections.needsProvider);
    if (preset.hasAddress && !baseURL) return fail('needs-address', texts.connections.needsAddress);
    if (preset.needsKey && secret === '') return fail('needs-key', texts.connections.needsKey(nameOf(preset)));
    setProblem(undefined);
    setTesting(true);
    try {
      const request = { provider: preset.provider, ...(baseURL ? { baseURL } : {}) };
      const answer = await editor.test(request, secret || undefined, testing.signal);
      if (answer.models.length === 0) return fail('no-models', texts.connections.noModels);
      const name = preset.label ?? hostOf(answer.baseURL ?? baseURL) ?? texts.connections.compatible;
      const draft = { ...request, preset: preset.id, name, key: secret || undefined };
      const { connection, isNew } = await editor.connect(draft, answer);
      await offerFirst(connection.id);
      const isOther = answer.baseURL !== undefined && answer.baseURL !== withScheme(baseURL ?? '', answer.baseURL);
      if (isNew && !isOther && connection.models.length <= SHOWN_AT_ONCE) return onClose();
      onMade({ connection, isNew, address: isOther ? answer.baseURL : undefined });
    } catch (error) {
      if (testing.signal.aborted) return;
      setProblem(describeConnectionProblem(error, texts));
    } finally {
      setTesting(false);
    }
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!isTesting) void connect();
  };
  // A key that was refused may be for another provider.
  const other = problem?.code === 'key-refused' ? presetOfKey(secret) : undefined;

  return (
    <form onSubmit={submit} className="grid gap-3">
      {policy !== undefined && policy.baseURLs.length > 0 ? (
        <p className="text-muted text-sm">{texts.connections.onlyTo(policy.baseURLs)}</p>
      ) : null}
      <Field
        label={texts.connections.keyOrAddress}
        placeholder={texts.connections.keyOrAddressHint}
        value={typed}
        onChange={(event) => change(() => setTyped(event.target.value))}
        isSecret={!typesAddress && typed.length > 12}
        {...(!typesAddress && { ref: keyField })}
        aria-describedby={problem === undefined ? undefined : problemId}
        data-initial-focus
      />
      <div className="flex items-center justify-between gap-2 text-sm">
        <span>{texts.connections.provider}</span>
        <Select
          label={texts.connections.provider}
          value={preset?.id ?? ''}
          placeholder={texts.connections.chooseProvider}
          options={CONNECTION_PRESETS.map((one) => ({ value: one.id, label: nameOf(one) }))}
          onValueChange={(id) => change(() => setChosen(id))}
          className="max-w-64"
        />
      </div>
      {typesAddress ? (
        <Field
          label={texts.connections.keyIfNeeded}
          value={key}
          onChange={(event) => change(() => setKey(event.target.value))}
          isSecret={key !== ''}
          ref={keyField}
        />
      ) : null}
      {asksAddress ? (
        <Field
          label={texts.connections.address}
          value={address ?? preset?.baseURL ?? ''}
          onChange={(event) => change(() => setAddress(event.target.value))}
        />
      ) : typesAddress || preset === undefined ? null : (
        <Disclosure open={false} onOpenChange={() => setAddress('')} className="text-muted text-sm">
          {texts.connections.otherAddress}
        </Disclosure>
      )}
      {problem === undefined ? null : (
        <div id={problemId} role="alert" className="rounded-md border border-failed/40 bg-failed-soft p-3 text-sm">
          <p>{problem.text}</p>
          {problem.detail === '' ? null : <p className="mt-1 line-clamp-4 font-mono text-xs">{problem.detail}</p>}
          {other === undefined || other === preset ? null : (
            <p className="mt-2 flex flex-wrap items-center gap-2">
              {texts.connections.looksLike(nameOf(other))}
              <Button onClick={() => setChosen(other.id)}>{texts.connections.switchTo(nameOf(other))}</Button>
            </p>
          )}
        </div>
      )}
      <p className="text-muted text-xs">
        {protection === 'page' ? texts.connections.protectionHelpPage : texts.connections.protectionHelp}
      </p>
      <div className="flex justify-end gap-2">
        <Button onClick={onClose}>{t.common.cancel}</Button>
        <Button type="submit" variant="primary" isBusy={isTesting}>
          {isTesting ? texts.connections.testing : texts.connections.submit}
        </Button>
      </div>
    </form>
  );
}

const hostOf = (address: string | undefined): string | undefined =>
  address !== undefined && URL.canParse(address) ? new URL(address).host : undefined;

/** A typed address without slashes at its end. If it has no scheme, it gets that of the address that was `found`. */
const withScheme = (typed: string, found: string): string =>
  (/^https?:/i.test(typed) ? typed : `${new URL(found).protocol}//${typed}`).replace(/\/+$/, '');

/**
 * Returns a function that makes a connection's first offered model the default and the open thread's model. The function
 * does nothing if a model other than the demo is in use, or if the connection offers none.
 */
function useFirstModel() {
  const { connections, settings, threads } = useStudio();
  const models = useModels((state) => state.list?.models);
  const current = useCurrentModelId();
  return async (id: string) => {
    const connection = connections.state.getState().connections.find((one) => one.id === id);
    const first = connection?.models.find(({ isShown }) => isShown);
    if (connection === undefined || first === undefined) return;
    if (models?.some((model) => model.id === current && !model.demo) === true) return;
    const model = personalModelId(connection, first.model);
    await settings.change({ defaultModel: model });
    await threads.changeSettings({ model });
  };
}

function MadeView({ connection: { id }, isNew, address, onClose }: Made & { onClose(): void }) {
  const texts = useModelTexts();
  const offerFirst = useFirstModel();
  const connection = useConnections((state) => state.connections.find((one) => one.id === id));
  const search = useRef<HTMLInputElement>(null);
  const [lacksChoice, setLacksChoice] = useState(false);
  if (connection === undefined) return null;
  const { name, models } = connection;
  const isLong = models.length > SHOWN_AT_ONCE;
  const done = () => {
    if (models.some(({ isShown }) => isShown)) {
      void offerFirst(id);
      return onClose();
    }
    setLacksChoice(true);
    search.current?.focus();
  };
  return (
    <div className="grid gap-3 text-sm">
      <p role="status">
        {isNew ? texts.connections.connected(name, models.length) : texts.connections.known(name, models.length)}
      </p>
      {address === undefined ? null : <p>{texts.connections.addressUsed(address)}</p>}
      {isNew && !isLong ? null : <ModelChoice connection={connection} searchRef={search} />}
      {lacksChoice ? (
        <p role="alert" className="text-failed">
          {texts.connections.needsModel}
        </p>
      ) : null}
      <div className="flex justify-end">
        <Button variant="primary" {...(isLong ? {} : { autoFocus: true })} onClick={done}>
          {texts.connections.done}
        </Button>
      </div>
    </div>
  );
}
