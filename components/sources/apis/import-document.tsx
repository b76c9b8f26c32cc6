'use client';

import { type FormEvent, useState } from 'react';
import type { ApiTexts } from '#components/i18n/api-texts.ts';
import { useMessages } from '#components/i18n/i18n.tsx';
import { useApiTexts } from '#components/i18n/use-api-texts.ts';
import { useServerTexts } from '#components/i18n/use-server-texts.ts';
import {
  filledIn,
  HeadersEditor,
  headersFault,
  type TypedHeader,
} from '#components/sources/servers/headers-editor.tsx';
import { Button } from '#components/ui/button.tsx';
import { Dialog } from '#components/ui/dialog.tsx';
import { Field } from '#components/ui/field.tsx';
import { REST_LIMITS } from '#lib/sources/http-api/limits.ts';
import type { OpenedDocument } from '#lib/sources/http-api/rest-host.ts';
import { nameFor, SOURCE_NAME, sourceUrlSchema, toolNameOf } from '#lib/sources/mcp/server-config.ts';
import { HTTP_API, toolsetOf } from '#lib/tools/toolset-names.ts';
import type { RestApis, ShownApi } from '#studio/sources/http-api/rest-apis.ts';
import { storingFault } from '../storing-fault.ts';
import { usePutToUse } from '../use-put-to-use.ts';
import { FaultText, faultWords } from './fault-text.tsx';
import { OperationList } from './operation-list.tsx';
import { TextSource } from './text-source.tsx';
import { useReader } from './use-reader.ts';

interface ImportDocumentProps {
  apis: RestApis;
  list: readonly ShownApi[];
  onClose(): void;
}

type Reader = ReturnType<RestApis['reader']>;

/** A dialog that reads an OpenAPI document, and adds an HTTP API with the operations that the person chooses. */
export function ImportDocument({ apis, list, onClose }: ImportDocumentProps) {
  const texts = useApiTexts();
  const reader = useReader(apis);
  const [opened, setOpened] = useState<OpenedDocument>();
  return (
    <Dialog open onOpenChange={onClose} title={texts.importTitle} description={texts.importHelp} wide>
      {opened === undefined ? (
        <DocumentForm reader={reader} onOpened={setOpened} onClose={onClose} />
      ) : (
        <OperationsForm apis={apis} list={list} reader={reader} opened={opened} onClose={onClose} />
      )}
    </Dialog>
  );
}

interface DocumentFormProps {
  reader: Reader;
  onOpened(opened: OpenedDocument): void;
  onClose(): void;
}

function DocumentForm({ reader, onOpened, onClose }: DocumentFormProps) {
  const t = useMessages();
  const texts = useApiTexts();
  const [source, setSource] = useState('');
  const [fault, setFault] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const read = async (text: string) => {
    setFault(undefined);
    setBusy(true);
    const opened = await reader.openDocument(text);
    setBusy(false);
    if ('fault' in opened) setFault(faultWords(opened.fault, texts));
    else onOpened(opened);
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void read(source);
  };
  return (
    <form onSubmit={submit} className="grid gap-3 text-sm">
      <TextSource onText={(text) => void read(text)} onFault={setFault} />
      <label className="block">
        <span className="text-muted">{texts.document}</span>
        <textarea
          value={source}
          onChange={(event) => setSource(event.target.value)}
          spellCheck={false}
          autoCapitalize="off"
          rows={10}
          className="mt-1 w-full rounded-md border border-line-strong bg-surface p-2 font-mono text-[13px]"
          data-initial-focus
        />
      </label>
      <FaultText fault={fault} />
      <div className="flex justify-end gap-2">
        <Button onClick={onClose}>{t.common.cancel}</Button>
        <Button type="submit" variant="primary" isBusy={isBusy} disabled={source.trim() === ''}>
          {isBusy ? texts.reading : texts.read}
        </Button>
      </div>
    </form>
  );
}

interface OperationsFormProps extends ImportDocumentProps {
  reader: Reader;
  opened: OpenedDocument;
}

function OperationsForm({ apis, list, reader, opened, onClose }: OperationsFormProps) {
  const t = useMessages();
  const texts = useApiTexts();
  const serverTexts = useServerTexts();
  const putToUse = usePutToUse();
  const known = new Set(list.map(({ api }) => api.name));
  const [name, setName] = useState(() => nameFor(opened.title || 'api', known));
  const [baseUrl, setBaseUrl] = useState(opened.baseUrls[0] ?? '');
  const [headers, setHeaders] = useState<readonly TypedHeader[]>(() =>
    opened.secretHeaders.map((header, id) => ({ id, name: header.name, value: '' })),
  );
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const [fault, setFault] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const add = async (): Promise<string | undefined> => {
    const wrong =
      faultOf({ name, baseUrl: baseUrl.trim(), known, chosen }, texts) ?? headersFault(headers, serverTexts);
    if (wrong !== undefined) return wrong;
    const { templates, secrets } = secretsIn(filledIn(headers));
    const described = await reader.describe({
      name,
      baseUrl: baseUrl.trim(),
      headers: templates,
      ...(opened.title !== '' && { title: opened.title }),
      operations: opened.operations.flatMap((operation) => (chosen.has(operation.name) ? [operation.name] : [])),
    });
    if ('fault' in described) return faultWords(described.fault, texts);
    await apis.add(described.source, described.api, secrets);
    putToUse(toolsetOf(HTTP_API, name));
    onClose();
    return undefined;
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setBusy(true);
    add()
      .then(setFault, (error: unknown) => setFault(storingFault(error, serverTexts)))
      .finally(() => setBusy(false));
  };
  return (
    <form onSubmit={submit} className="grid gap-3 text-sm">
      <div>
        <Field
          label={texts.name}
          value={name}
          maxLength={24}
          onChange={(event) => setName(event.target.value)}
          data-initial-focus
        />
        <p className="mt-1 text-muted text-xs">{texts.nameHelp(toolNameOf(name || 'name', '…'))}</p>
      </div>
      <Field
        label={texts.baseUrl}
        placeholder={texts.baseUrlHint}
        value={baseUrl}
        inputMode="url"
        onChange={(event) => setBaseUrl(event.target.value)}
      />
      <HeadersEditor headers={headers} onChange={setHeaders} />
      <OperationList operations={opened.operations} chosen={chosen} onChange={setChosen} />
      {opened.left > 0 ? <p className="text-muted">{texts.left(opened.left)}</p> : null}
      <FaultText fault={fault} />
      <div className="flex justify-end gap-2">
        <Button onClick={onClose}>{t.common.cancel}</Button>
        <Button type="submit" variant="primary" isBusy={isBusy}>
          {isBusy ? texts.reading : texts.submit}
        </Button>
      </div>
    </form>
  );
}

interface Typed {
  name: string;
  baseUrl: string;
  known: ReadonlySet<string>;
  chosen: ReadonlySet<string>;
}

function faultOf({ name, baseUrl, known, chosen }: Typed, texts: ApiTexts): string | undefined {
  if (!SOURCE_NAME.test(name)) return texts.faults.name;
  if (known.has(name)) return texts.faults.taken(name);
  if (!sourceUrlSchema.safeParse(baseUrl).success || /[?#]/.test(baseUrl)) return texts.faults.address;
  if (chosen.size === 0) return texts.faults.nothingChosen;
  return chosen.size > REST_LIMITS.tools ? texts.tooMany(REST_LIMITS.tools) : undefined;
}

/** Splits headers into templates with placeholders, and secrets named after the headers. A scheme such as Bearer stays. */
function secretsIn(headers: Readonly<Record<string, string>>) {
  const templates: Record<string, string> = {};
  const secrets: Record<string, string> = {};
  for (const [index, [header, value]] of Object.entries(headers).entries()) {
    const plain = header
      .toLowerCase()
      .replaceAll(/[^a-z0-9]+/g, '_')
      .replace(/^[^a-z]+|_+$/g, '');
    const secret = plain === '' || Object.hasOwn(secrets, plain) ? `header_${index + 1}` : plain;
    const [, scheme = '', proper = value] = /^([A-Za-z][A-Za-z-]{1,19} +)(\S+)$/.exec(value) ?? [];
    templates[header] = `${scheme}{{${secret}}}`;
    secrets[secret] = proper;
  }
  return { templates, secrets };
}
