'use client';

import { type FormEvent, useId, useState } from 'react';
import type { ApiTexts } from '#components/i18n/api-texts.ts';
import { useMessages } from '#components/i18n/i18n.tsx';
import { useApiTexts } from '#components/i18n/use-api-texts.ts';
import { useServerTexts } from '#components/i18n/use-server-texts.ts';
import { Button } from '#components/ui/button.tsx';
import { visibleText } from '#components/ui/visible-text.ts';
import { type RestApi, secretsOf } from '#lib/sources/http-api/api.ts';
import { headerProblem } from '#lib/sources/mcp/server-config.ts';
import { HTTP_API, toolsetOf } from '#lib/tools/toolset-names.ts';
import type { RestApis, ShownApi } from '#studio/sources/http-api/rest-apis.ts';
import { SourceDialog } from '../source-dialog.tsx';
import { storingFault } from '../storing-fault.ts';
import { usePutToUse } from '../use-put-to-use.ts';
import { EXAMPLE_API } from './example.ts';
import { DESCRIPTION_FILE, FaultText, faultWords } from './fault-text.tsx';
import { SecretFields } from './secret-fields.tsx';
import { TextSource } from './text-source.tsx';
import { useReader } from './use-reader.ts';

interface ApiDialogProps {
  apis: RestApis;
  list: readonly ShownApi[];
  /** The API to change; undefined to add a new one. */
  api: ShownApi | undefined;
  onClose(): void;
}

/**
 * A dialog to add an HTTP API by its description, or to change or delete one. `api`: the one to change; undefined to add
 * one. The secrets of an API are entered here, too.
 */
export function ApiDialog({ apis, list, api, onClose }: ApiDialogProps) {
  const texts = useApiTexts();
  const name = api?.api.name ?? '';
  return (
    <SourceDialog
      title={api === undefined ? texts.addTitle : texts.editTitle(name)}
      {...{ name, texts, onClose }}
      toolset={toolsetOf(HTTP_API, name)}
      sources={apis}
      wide
    >
      {(onDelete) => <ApiForm apis={apis} list={list} api={api} onClose={onClose} onDelete={onDelete} />}
    </SourceDialog>
  );
}

function ApiForm({ apis, list, api: before, onClose, onDelete }: ApiDialogProps & { onDelete(): void }) {
  const t = useMessages();
  const texts = useApiTexts();
  const serverTexts = useServerTexts();
  const putToUse = usePutToUse();
  const reader = useReader(apis);
  const [sourceId, helpId] = [useId(), useId()];
  const [source, setSource] = useState(before?.source ?? '');
  const [secretNames, setSecretNames] = useState(() => (before === undefined ? [] : secretsOf(before.api)));
  const [secrets, setSecrets] = useState<Readonly<Record<string, string>>>({});
  const [fault, setFault] = useState<string>();
  const [isAsked, setAsked] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const write = (text: string) => {
    setSource(text);
    setFault(undefined);
  };
  const save = async (): Promise<string | undefined> => {
    const read = await reader.readApi(source, DESCRIPTION_FILE);
    if ('fault' in read) return faultWords(read.fault, texts);
    const { api } = read;
    const given = Object.fromEntries(
      Object.entries(secrets).flatMap(([key, value]) => (value.trim() === '' ? [] : [[key, value.trim()]])),
    );
    const wrong = nameFault(api, before, list, texts) ?? secretFault(given, texts);
    if (wrong !== undefined) return wrong;
    const names = secretsOf(api);
    setSecretNames(names);
    // The description names secrets that had no field yet. The person can enter them now, and save again.
    if (names.some((one) => !secretNames.includes(one))) {
      setAsked(true);
      return undefined;
    }
    const hasMoved = before !== undefined && new URL(before.api.baseUrl).origin !== new URL(api.baseUrl).origin;
    if (hasMoved && names.some((one) => !Object.hasOwn(given, one))) return texts.faults.secretsAgain;
    await (before === undefined ? apis.add(source, api, given) : apis.change(source, api, given));
    if (before === undefined) putToUse(toolsetOf(HTTP_API, api.name));
    onClose();
    return undefined;
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setBusy(true);
    save()
      .then(setFault, (error: unknown) => setFault(storingFault(error, serverTexts)))
      .finally(() => setBusy(false));
  };
  const refused = before?.refused ?? [];
  return (
    <form onSubmit={submit} className="grid gap-3 text-sm">
      <div className="flex flex-wrap items-center gap-2">
        <TextSource onText={write} onFault={setFault} />
        {source === '' ? <Button onClick={() => write(EXAMPLE_API)}>{texts.example}</Button> : null}
      </div>
      <div>
        <label htmlFor={sourceId} className="text-muted">
          {texts.yaml}
        </label>
        <textarea
          id={sourceId}
          aria-describedby={helpId}
          value={source}
          onChange={(event) => write(event.target.value)}
          spellCheck={false}
          autoCapitalize="off"
          rows={14}
          className="mt-1 w-full rounded-md border border-line-strong bg-surface p-2 font-mono text-[13px]"
          data-initial-focus
        />
        <p id={helpId} className="text-muted text-xs">
          {texts.yamlHelp}
        </p>
      </div>
      <SecretFields
        names={secretNames}
        values={secrets}
        placeholder={before === undefined || before.problem !== undefined ? undefined : texts.keptValue}
        onChange={setSecrets}
      />
      {isAsked && fault === undefined ? <p role="status">{texts.enterSecrets}</p> : null}
      {refused.length === 0 ? null : (
        <section aria-label={texts.refused}>
          <h3 className="font-medium">{texts.refused}</h3>
          <ul className="max-h-40 overflow-y-auto">
            {refused.map(({ name, reason }) => (
              <li key={name} className="break-words py-1 text-muted">
                <span className="font-mono text-[13px] text-text">{name}</span> {visibleText(reason)}
              </li>
            ))}
          </ul>
        </section>
      )}
      <FaultText fault={fault} />
      <div className="flex flex-wrap justify-end gap-2">
        {before === undefined ? null : (
          <Button variant="danger" className="mr-auto" onClick={onDelete}>
            {texts.delete}
          </Button>
        )}
        <Button onClick={onClose}>{t.common.cancel}</Button>
        <Button type="submit" variant="primary" isBusy={isBusy} disabled={source.trim() === ''}>
          {isBusy ? texts.reading : before === undefined ? texts.submit : t.common.save}
        </Button>
      </div>
    </form>
  );
}

function nameFault(
  { name }: RestApi,
  before: ShownApi | undefined,
  list: readonly ShownApi[],
  texts: ApiTexts,
): string | undefined {
  if (before !== undefined) return before.api.name === name ? undefined : texts.faults.renamed(before.api.name);
  return list.some(({ api }) => api.name === name) ? texts.faults.taken(name) : undefined;
}

function secretFault(given: Readonly<Record<string, string>>, texts: ApiTexts): string | undefined {
  const wrong = Object.entries(given).find(([, value]) => headerProblem('x-secret', value) !== undefined);
  return wrong === undefined ? undefined : texts.faults.secretValue(wrong[0]);
}
