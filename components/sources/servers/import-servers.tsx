'use client';

import { type FormEvent, useState } from 'react';
import { useMessages } from '#components/i18n/i18n.tsx';
import { useServerTexts } from '#components/i18n/use-server-texts.ts';
import { Button } from '#components/ui/button.tsx';
import { Dialog } from '#components/ui/dialog.tsx';
import { visibleText } from '#components/ui/visible-text.ts';
import { MCP_LIMITS } from '#lib/sources/mcp/limits.ts';
import { readServerImport, ServerImportError } from '#lib/sources/mcp/server-config.ts';
import { TOOL_SERVER, toolsetOf } from '#lib/tools/toolset-names.ts';
import type { McpServer } from '#studio/sources/mcp/mcp-server.ts';
import type { McpServers } from '#studio/sources/mcp/mcp-servers.ts';
import { storingFault } from '../storing-fault.ts';
import { usePutToUse } from '../use-put-to-use.ts';

interface ImportServersProps {
  servers: McpServers;
  list: readonly McpServer[];
  onClose(): void;
}

interface Outcome {
  added: readonly string[];
  /** For each server that was not added, its name and the reason. */
  skipped: readonly string[];
  ignored: readonly string[];
}

/** A dialog that adds the tool servers in another program's JSON settings, and says which could not be added. */
export function ImportServers({ servers, list, onClose }: ImportServersProps) {
  const t = useMessages();
  const texts = useServerTexts();
  const putToUse = usePutToUse();
  const [json, setJson] = useState('');
  const [fault, setFault] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const [outcome, setOutcome] = useState<Outcome>();
  const add = async (): Promise<Outcome> => {
    const read = readServerImport(
      json,
      list.map(({ config }) => config),
    );
    const fitting = read.servers.slice(0, Math.max(0, MCP_LIMITS.servers - list.length));
    for (const { name, url, isOn, headers } of fitting) {
      await servers.add({ name, url, isOn }, headers);
      putToUse(toolsetOf(TOOL_SERVER, name));
    }
    servers.connectAll();
    const tooMany = read.servers.slice(fitting.length).map(({ name }) => `${name} ${texts.skippedReasons.full()}`);
    const skipped = read.skipped.map(
      ({ name, reason, detail }) => `${visibleText(name)} ${texts.skippedReasons[reason](visibleText(detail))}`,
    );
    return {
      added: fitting.map(({ name }) => name),
      skipped: [...skipped, ...tooMany],
      ignored: read.ignored.map(visibleText),
    };
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setFault(undefined);
    setBusy(true);
    add()
      .then(setOutcome, (error: unknown) => {
        if (!(error instanceof ServerImportError)) return setFault(storingFault(error, texts));
        const { 'not-json': notJson, 'no-servers': noServers } = texts.importFaults;
        setFault(error.code === 'not-json' ? notJson(error.detail) : noServers);
      })
      .finally(() => setBusy(false));
  };
  return (
    <Dialog open onOpenChange={onClose} title={texts.importTitle} description={texts.importHelp}>
      {outcome === undefined ? (
        <form onSubmit={submit} className="grid gap-3">
          <textarea
            aria-label={texts.json}
            value={json}
            onChange={(event) => setJson(event.target.value)}
            spellCheck={false}
            rows={10}
            className="w-full rounded-md border border-line-strong bg-surface p-2 font-mono text-[13px]"
            data-initial-focus
          />
          {fault === undefined ? null : (
            <p role="alert" className="break-words text-failed text-sm">
              {fault}
            </p>
          )}
          <div className="flex justify-end gap-2">
            <Button onClick={onClose}>{t.common.cancel}</Button>
            <Button type="submit" variant="primary" isBusy={isBusy}>
              {texts.importSubmit}
            </Button>
          </div>
        </form>
      ) : (
        <div className="grid gap-3 text-sm">
          <p role="status">{texts.imported(outcome.added.length, t.controls.listed(outcome.added))}</p>
          {outcome.skipped.length === 0 ? null : (
            <div>
              <p>{texts.skipped}</p>
              <ul className="max-h-60 list-disc overflow-y-auto break-words pl-5">
                {outcome.skipped.map((line) => (
                  <li key={line}>{line}</li>
                ))}
              </ul>
            </div>
          )}
          {outcome.ignored.length === 0 ? null : (
            <p className="max-h-40 overflow-y-auto break-words text-muted">
              {texts.ignored(t.controls.listed(outcome.ignored))}
            </p>
          )}
          <div className="flex justify-end gap-2">
            {outcome.skipped.length === 0 ? null : (
              <Button onClick={() => setOutcome(undefined)}>{texts.importAgain}</Button>
            )}
            <Button variant="primary" autoFocus onClick={onClose}>
              {texts.done}
            </Button>
          </div>
        </div>
      )}
    </Dialog>
  );
}
