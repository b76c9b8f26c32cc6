'use client';

import { useEffect, useState } from 'react';
import type { ApiTexts } from '#components/i18n/api-texts.ts';
import { useMessages } from '#components/i18n/i18n.tsx';
import { useApiTexts } from '#components/i18n/use-api-texts.ts';
import { visibleText } from '#components/ui/visible-text.ts';
import { REST_LIMITS } from '#lib/sources/http-api/limits.ts';
import { HTTP_API, toolsetOf } from '#lib/tools/toolset-names.ts';
import type { RestApis, ShownApi } from '#studio/sources/http-api/rest-apis.ts';
import { SourceRow } from '../source-row.tsx';
import { SourceSection } from '../source-section.tsx';
import { useSources } from '../use-sources.ts';
import { ApiDialog } from './api-dialog.tsx';
import { ImportDocument } from './import-document.tsx';

type OpenDialog = { type: 'add' | 'import' } | { type: 'edit'; name: string };

/** The person's HTTP APIs in the settings, each with its number of tools, their tokens, and its problem. */
export function ApisSection() {
  const texts = useApiTexts();
  const { sources: apis, list } = useSources('apis');
  const [dialog, setDialog] = useState<OpenDialog>();
  const close = () => setDialog(undefined);
  // Secrets can be read again if the vault has been unlocked meanwhile.
  useEffect(() => void apis?.refresh().catch(() => undefined), [apis]);
  if (apis === undefined) return null;
  const edited = dialog?.type === 'edit' ? list.find(({ api }) => api.name === dialog.name) : undefined;
  return (
    <SourceSection
      texts={texts}
      rows={list.map((shown) => (
        <ApiRow
          key={shown.api.name}
          shown={shown}
          apis={apis}
          onEdit={() => setDialog({ type: 'edit', name: shown.api.name })}
        />
      ))}
      max={REST_LIMITS.apis}
      isFull={list.length >= REST_LIMITS.apis}
      onAdd={() => setDialog({ type: 'add' })}
      onImport={() => setDialog({ type: 'import' })}
    >
      {dialog?.type === 'add' || edited !== undefined ? (
        <ApiDialog apis={apis} list={list} api={edited} onClose={close} />
      ) : null}
      {dialog?.type === 'import' ? <ImportDocument apis={apis} list={list} onClose={close} /> : null}
    </SourceSection>
  );
}

interface ApiRowProps {
  shown: ShownApi;
  apis: RestApis;
  onEdit(): void;
}

function ApiRow({ shown, apis, onEdit }: ApiRowProps) {
  const t = useMessages();
  const texts = useApiTexts();
  const { api, isOn, refused, tokens, problem } = shown;
  const { name } = api;
  const offers = isOn
    ? [
        texts.summary(api.tools.length - refused.length, tokens.toLocaleString(t.locale)),
        ...(refused.length > 0 ? [texts.notOffered(refused.length)] : []),
      ]
    : [texts.off];
  return (
    <SourceRow
      {...{ name, isOn, onEdit }}
      toolset={toolsetOf(HTTP_API, name)}
      sources={apis}
      label={texts.isOn(name)}
      about={[new URL(api.baseUrl).host, ...offers]}
      editLabel={texts.edit(name)}
    >
      {problem === undefined || !isOn ? null : (
        <p role="alert" className="break-words px-2 pb-1 text-failed">
          {problemWords(problem, texts, t.controls.listed)}
        </p>
      )}
    </SourceRow>
  );
}

function problemWords(
  problem: NonNullable<ShownApi['problem']>,
  texts: ApiTexts,
  listed: (names: readonly string[]) => string,
): string {
  if (problem.code === 'not-offered') return texts.problems.notOffered(visibleText(problem.detail));
  return problem.code === 'locked' ? texts.problems.locked : texts.problems.secretGone(listed(problem.missing));
}
