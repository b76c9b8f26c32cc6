'use client';

import { Pencil } from 'lucide-react';
import { useEffect, useState } from 'react';
import type { ApiTexts } from '#components/i18n/api-texts.ts';
import { useMessages } from '#components/i18n/i18n.tsx';
import { useApiTexts } from '#components/i18n/use-api-texts.ts';
import { usePutToUse } from '#components/servers/use-put-to-use.ts';
import { Button, IconButton } from '#components/ui/button.tsx';
import { Section } from '#components/ui/section.tsx';
import { Switch } from '#components/ui/switch.tsx';
import { visibleText } from '#components/ui/visible-text.ts';
import { REST_LIMITS } from '#lib/sources/http-api/limits.ts';
import { toolsetOfApi } from '#lib/tools/toolset-names.ts';
import type { RestApis, ShownApi } from '#studio/sources/http-api/rest-apis.ts';
import { ApiDialog } from './api-dialog.tsx';
import { ImportDocument } from './import-document.tsx';
import { useApis } from './use-apis.ts';

type OpenDialog = { type: 'add' | 'import' } | { type: 'edit'; name: string };

/** The person's HTTP APIs: what each offers, costs, and lacks. */
export function ApisSection() {
  const texts = useApiTexts();
  const { apis, list } = useApis();
  const [dialog, setDialog] = useState<OpenDialog>();
  const close = () => setDialog(undefined);
  // The vault may have been unlocked meanwhile.
  useEffect(() => void apis?.refresh().catch(() => undefined), [apis]);
  if (apis === undefined) return null;
  const edited = dialog?.type === 'edit' ? list.find(({ api }) => api.name === dialog.name) : undefined;
  return (
    <Section title={texts.title} help={texts.help}>
      {list.length === 0 ? (
        <p className="text-muted text-sm">{texts.none}</p>
      ) : (
        <ul aria-label={texts.list} className="grid gap-1">
          {list.map((shown) => (
            <ApiRow
              key={shown.api.name}
              shown={shown}
              apis={apis}
              onEdit={() => setDialog({ type: 'edit', name: shown.api.name })}
            />
          ))}
        </ul>
      )}
      {list.length >= REST_LIMITS.apis ? (
        <p className="text-muted text-sm">{texts.full(REST_LIMITS.apis)}</p>
      ) : (
        <div className="flex flex-wrap gap-2">
          <Button onClick={() => setDialog({ type: 'add' })}>{texts.add}</Button>
          <Button onClick={() => setDialog({ type: 'import' })}>{texts.import}</Button>
        </div>
      )}
      {dialog?.type === 'add' || edited !== undefined ? (
        <ApiDialog apis={apis} list={list} api={edited} onClose={close} />
      ) : null}
      {dialog?.type === 'import' ? <ImportDocument apis={apis} list={list} onClose={close} /> : null}
    </Section>
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
  const putToUse = usePutToUse();
  const { api, isOn, refused, tokens, problem } = shown;
  const { name } = api;
  const about = isOn
    ? [
        texts.summary(api.tools.length - refused.length, tokens.toLocaleString(t.locale)),
        ...(refused.length > 0 ? [texts.notOffered(refused.length)] : []),
      ]
    : [texts.off];
  return (
    <li className="rounded-md border border-line p-1 text-sm">
      <div className="flex items-center gap-1">
        <div className="min-w-0 flex-1">
          <Switch
            label={texts.isOn(name)}
            shown={name}
            help={`${new URL(api.baseUrl).host} · ${about.join(' · ')}`}
            isOn={isOn}
            onChange={() => {
              void apis.turn(name, !isOn);
              if (!isOn) putToUse(toolsetOfApi(name));
            }}
          />
        </div>
        <IconButton label={texts.edit(name)} size="small" onClick={onEdit}>
          <Pencil aria-hidden size={14} />
        </IconButton>
      </div>
      {problem === undefined || !isOn ? null : (
        <p role="alert" className="break-words px-2 pb-1 text-failed">
          {problemWords(problem, texts, t.controls.listed)}
        </p>
      )}
    </li>
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
