'use client';

import { useDeferredValue, useId, useMemo, useState } from 'react';
import { useThreads } from '#components/hooks/studio-provider.tsx';
import { useEgress } from '#components/hooks/use-egress.ts';
import { useAllMessages } from '#components/i18n/use-all-messages.ts';
import { useSettingsTexts } from '#components/i18n/use-settings-texts.ts';
import { Button } from '#components/ui/button.tsx';
import { ConfirmDialog } from '#components/ui/confirm-dialog.tsx';
import { visibleText } from '#components/ui/visible-text.ts';
import { ANSWER_IMAGE, CONSOLE } from '#lib/tools/egress/egress.ts';
import { hostOf } from '#lib/tools/egress/reached-hosts.ts';
import type { EgressEntry } from '#studio/web/egress-ledger.ts';

/** The number of requests that are shown at first, and that are added at a time. */
const PAGE = 50;

/**
 * Lists the recorded network requests of tools, of code that the person runs, and of images in answers, including refused
 * ones. They can be filtered by host, and deleted.
 */
export function NetworkActivity() {
  const texts = useSettingsTexts();
  const activity = useEgress();
  const headingId = useId();
  const [host, setHost] = useState('');
  const [isRefusedOnly, setRefusedOnly] = useState(false);
  const [pages, setPages] = useState(1);
  const [isClearing, setClearing] = useState(false);
  const [fault, setFault] = useState('');
  const wanted = useDeferredValue(host.trim().toLowerCase());
  const entries = activity?.entries;
  const found = useMemo(
    () =>
      (entries ?? []).filter((entry) => entry.host.includes(wanted) && (!isRefusedOnly || entry.refused !== undefined)),
    [entries, wanted, isRefusedOnly],
  );
  if (activity === undefined || entries === undefined) return null;
  const shown = found.slice(0, pages * PAGE);
  const left = found.length - shown.length;
  const clear = () => {
    setClearing(false);
    setFault('');
    activity.clear().catch((error: unknown) => setFault(error instanceof Error ? error.message : String(error)));
  };
  return (
    <section aria-labelledby={headingId} className="min-w-0">
      <h4 id={headingId} className="font-medium text-sm">
        {texts.network.title}
      </h4>
      <p className="text-muted text-sm">{texts.network.help}</p>
      {entries.length === 0 ? (
        <p className="mt-1 text-muted text-sm">{texts.network.none}</p>
      ) : (
        <>
          <div className="mt-2 flex flex-wrap items-center gap-x-3 gap-y-2">
            <input
              type="search"
              aria-label={texts.network.filter}
              placeholder={texts.network.filter}
              value={host}
              onChange={(event) => {
                setHost(event.target.value);
                setPages(1);
              }}
              className="h-8 min-w-0 flex-1 basis-40 rounded-md border border-line-strong bg-surface px-2 text-sm"
            />
            <label className="flex min-h-8 items-center gap-1.5 text-sm">
              <input type="checkbox" checked={isRefusedOnly} onChange={() => setRefusedOnly(!isRefusedOnly)} />
              {texts.network.onlyRefused}
            </label>
            <Button onClick={() => setClearing(true)}>{texts.network.clear}</Button>
          </div>
          <p role="status" className="mt-1 text-muted text-xs">
            {found.length === 0 ? texts.network.noMatch : texts.network.shown(shown.length, found.length)}
          </p>
          {shown.length === 0 ? null : <Requests entries={shown} labelledBy={headingId} />}
          {left === 0 ? null : (
            <Button className="mt-2" onClick={() => setPages(pages + 1)}>
              {texts.network.more(Math.min(PAGE, left))}
            </Button>
          )}
        </>
      )}
      {fault === '' ? null : (
        <p role="alert" className="text-failed text-sm">
          {texts.network.failed(fault)}
        </p>
      )}
      {isClearing ? (
        <ConfirmDialog
          title={texts.network.clearTitle}
          description={texts.network.clearDetail}
          action={texts.network.clear}
          isDangerous
          onConfirm={clear}
          onClose={() => setClearing(false)}
        />
      ) : null}
    </section>
  );
}

/** The host of this studio, through which requests to the operator's tool servers go. */
const ownHost = (): string => hostOf(new URL(location.origin));

const CELL = 'py-1 pr-3 align-top';

/** The class of columns that only a wide table has. A narrow one has their content below the outcome. */
const WIDE = 'hidden @lg:table-cell';
/** The class of content that only a narrow table has. */
const NARROW = '@lg:hidden';

function Requests({ entries, labelledBy }: { entries: readonly EgressEntry[]; labelledBy: string }) {
  const texts = useSettingsTexts();
  const t = useAllMessages();
  const threads = useThreads(({ threads: list }) => list);
  const titles = useMemo(() => new Map(threads.map(({ id, title }) => [id, title])), [threads]);
  const titleOf = (id: string) => {
    const title = titles.get(id);
    return title === undefined ? texts.network.deletedThread : title || t.threads.untitled;
  };
  const callText = ({ toolName, threadId }: EgressEntry) => {
    const title = visibleText(titleOf(threadId));
    if (toolName === CONSOLE) return texts.network.ofConsole(title);
    if (toolName === ANSWER_IMAGE) return texts.network.ofImage(title);
    return texts.network.call(visibleText(toolName), title);
  };
  const columns = [
    { name: texts.network.columns.time, isWide: false },
    { name: texts.network.columns.host, isWide: false },
    { name: texts.network.columns.outcome, isWide: false },
    { name: texts.network.columns.size, isWide: true },
    { name: texts.network.columns.call, isWide: true },
  ];
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, also by the keyboard
    <div className="@container mt-1 max-h-96 overflow-auto" tabIndex={0}>
      <table aria-labelledby={labelledBy} className="w-full text-left text-xs">
        <thead className="sticky top-0 bg-surface text-muted">
          <tr>
            {columns.map(({ name, isWide }) => (
              <th key={name} scope="col" className={`whitespace-nowrap font-medium ${CELL} ${isWide ? WIDE : ''}`}>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {entries.map((entry) => (
            <tr key={entry.id} className="border-line border-t">
              <td className={`whitespace-nowrap tabular-nums ${CELL}`}>
                <span className="block">{new Date(entry.at).toLocaleDateString(t.locale)}</span>
                <span className="block text-muted">{new Date(entry.at).toLocaleTimeString(t.locale)}</span>
              </td>
              <td className={`min-w-24 @lg:min-w-36 font-mono ${CELL}`}>
                {visibleText(entry.host)}
                {entry.host === ownHost() ? (
                  <span className="block font-sans text-muted">{texts.network.thisStudio}</span>
                ) : null}
              </td>
              <td className={`min-w-32 ${CELL}`}>
                <Outcome entry={entry} />
                <div className={`text-muted tabular-nums ${NARROW}`}>
                  <Sizes entry={entry} />
                  {callText(entry)}
                </div>
              </td>
              <td className={`whitespace-nowrap tabular-nums ${CELL} ${WIDE}`}>
                <Sizes entry={entry} />
              </td>
              <td className={`min-w-32 ${CELL} ${WIDE}`}>{callText(entry)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Sizes({ entry: { sent, received } }: { entry: EgressEntry }) {
  const texts = useSettingsTexts();
  const { files } = useAllMessages();
  return (
    <>
      <span className="block">{texts.network.sent(files.size(sent))}</span>
      <span className="block">{texts.network.received(files.size(received))}</span>
    </>
  );
}

/** Shows the outcome of a request, and why it could or could not be sent. */
function Outcome({ entry: { status, decision, refused } }: { entry: EgressEntry }) {
  const texts = useSettingsTexts();
  const isFailed = refused !== undefined;
  return (
    <>
      {decision === 'denied' ? null : (
        <span className="block">{status === undefined ? texts.network.noAnswer : texts.network.status(status)}</span>
      )}
      <span className={`block ${isFailed ? 'text-failed' : 'text-muted'}`}>
        {texts.network.decisions[decision]}
        {isFailed ? ` · ${visibleText(refused)}` : ''}
      </span>
    </>
  );
}
