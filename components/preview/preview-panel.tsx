'use client';

import { Maximize2, RotateCw, Square, SquareTerminal, Wrench, X } from 'lucide-react';
import { type ReactNode, useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { SessionConsole } from '#components/console/console-view.tsx';
import { useIsDark } from '#components/hooks/theme.ts';
import { useMessages } from '#components/i18n/i18n.tsx';
import { Button, IconButton } from '#components/ui/button.tsx';
import { Disclosure } from '#components/ui/disclosure.tsx';
import { Select } from '#components/ui/select.tsx';
import { Spinner } from '#components/ui/spinner.tsx';
import { visibleText } from '#components/ui/visible-text.ts';
import { type PreviewProblem, problemText, type SourcePlace } from '#lib/tools/capabilities/preview.ts';
import type { FileSystem } from '#lib/vfs/file-system.ts';
import type { Preview, PreviewState } from '#studio/previews.ts';
import type { Settings } from '#studio/settings.ts';
import { usePreviewTexts } from './use-preview-texts.ts';

/** Widths of common devices in CSS pixels; 0 stands for the pane's own width. */
const WIDTHS = { pane: 0, phone: 390, tablet: 820, laptop: 1280 } as const;

type Device = keyof typeof WIDTHS;

interface PreviewPanelProps {
  preview: Preview;
  fileSystem: FileSystem;
  /** The user's choice of theme, by which the preview's color scheme is set. */
  theme: Settings['theme'];
  /** Whether the panel is visible. */
  shown: boolean;
  /** Opens the editor at the position of a problem. If absent, positions are shown but not linked. */
  onOpenPlace?: (place: SourcePlace) => void;
  /** Sends errors of the page to the model to fix. Absent in a window that has no model. */
  onFix?: (problems: string) => void;
  /** Returns the URL that shows the page in a window of its own. Absent if there can be none. */
  windowAddress?: (entry: string) => string;
  children?: ReactNode;
}

/** A previewed page as it runs, its problems, and its console. `children`: shown below its controls. */
export function PreviewPanel({ preview, fileSystem, theme, shown, children, ...props }: PreviewPanelProps) {
  const texts = usePreviewTexts();
  const state = useSyncExternalStore(preview.subscribe, preview.getState, preview.getState);
  const [device, setDevice] = useState<Device>('pane');
  const [hasConsole, setConsole] = useState(false);
  const address = state.entry === undefined ? undefined : props.windowAddress?.(state.entry);
  const isDark = useIsDark(theme);
  useEffect(() => preview.setColorScheme(isDark ? 'dark' : 'light'), [preview, isDark]);
  useEffect(() => {
    preview.setVisible(shown);
    return () => preview.setVisible(false);
  }, [preview, shown]);
  const entries =
    state.entry === undefined || state.entries.includes(state.entry) ? state.entries : [state.entry, ...state.entries];
  return (
    <div className="flex h-full min-h-0 flex-col" data-preview={state.status}>
      <div className="flex min-h-9 shrink-0 items-center gap-1 border-line border-b px-2">
        <IconButton label={texts.reload} size="small" onClick={() => preview.reload()}>
          <RotateCw aria-hidden size={14} />
        </IconButton>
        <Select
          label={texts.page}
          value={state.entry ?? ''}
          placeholder={texts.noPage}
          options={entries.map((path) => ({ value: path, label: visibleText(path) }))}
          onValueChange={(path) => preview.show(path)}
          className="h-7 font-mono text-[13px]"
        />
        <Status state={state} />
        <Select
          label={texts.width}
          value={device}
          options={(Object.keys(WIDTHS) as Device[]).map((id) => ({
            value: id,
            label: texts.widths[id],
            ...(WIDTHS[id] > 0 && { detail: texts.pixels(WIDTHS[id]) }),
          }))}
          onValueChange={(id) => setDevice(id as Device)}
          className="h-7"
        />
        <IconButton
          label={texts.console}
          size="small"
          aria-pressed={hasConsole}
          tone={hasConsole ? 'accent' : 'muted'}
          onClick={() => setConsole(!hasConsole)}
        >
          <SquareTerminal aria-hidden size={14} />
        </IconButton>
        {address === undefined ? null : (
          <a
            data-pressable
            href={address}
            target="_blank"
            rel="noopener"
            aria-label={texts.window}
            title={texts.window}
            className="inline-flex size-7 shrink-0 items-center justify-center rounded-md text-muted hover:bg-hover hover:text-text"
          >
            <Maximize2 aria-hidden size={14} />
          </a>
        )}
      </div>
      {children}
      {state.sharesThread ? (
        <p className="border-line border-b px-3 py-1 text-waiting text-xs">{texts.sharesThread}</p>
      ) : null}
      {state.isStuck ? (
        <div role="alert" className="flex items-center gap-2 border-line border-b px-3 py-1 text-waiting text-xs">
          <span className="flex-1">{texts.stuck}</span>
          <Button variant="ghost" onClick={() => preview.end()}>
            <Square aria-hidden size={12} />
            {texts.end}
          </Button>
        </div>
      ) : null}
      <div className="relative min-h-0 flex-1">
        <Stage preview={preview} width={WIDTHS[device]} />
        {state.status === 'failed' && state.entry === undefined ? (
          <p className="absolute inset-0 bg-surface p-6 text-center text-muted text-sm">{texts.nothingToShow}</p>
        ) : (
          <Problems state={state} {...props} />
        )}
      </div>
      {hasConsole ? (
        <section aria-label={texts.console} className="h-2/5 min-h-32 shrink-0 border-line border-t">
          <SessionConsole
            session={preview.session}
            fileSystem={fileSystem}
            texts={{
              prompt: texts.prompt,
              empty: texts.nothingPrinted,
              began: texts.loaded,
              reset: texts.reload,
            }}
            onReset={() => preview.reload()}
          />
        </section>
      ) : null}
    </div>
  );
}

function Status({ state: { status, buildMs, entry } }: { state: PreviewState }) {
  const texts = usePreviewTexts();
  const isBusy = status === 'building' || status === 'loading';
  return (
    <p
      role="status"
      title={status === 'running' ? texts.builtIn : entry === undefined ? undefined : texts.states[status]}
      className={`flex min-w-0 flex-1 items-center gap-1.5 truncate px-1 text-xs ${status === 'failed' || status === 'ended' ? 'text-failed' : 'text-muted'}`}
    >
      {isBusy ? <Spinner /> : null}
      <span className="truncate">
        {status === 'running' ? texts.built(buildMs) : entry === undefined ? '' : texts.states[status]}
      </span>
    </p>
  );
}

/** The area for the frame of the page, scaled down to fit if the device is wider. `width`: as in `WIDTHS`. */
function Stage({ preview, width }: { preview: Preview; width: number }) {
  const area = useRef<HTMLDivElement>(null);
  const place = useRef<HTMLDivElement>(null);
  const [room, setRoom] = useState(0);
  useEffect(() => {
    if (place.current !== null) preview.attach(place.current);
    return () => preview.attach(undefined);
  }, [preview]);
  useEffect(() => {
    if (area.current === null) return;
    const observer = new ResizeObserver(([entry]) => setRoom(entry?.contentRect.width ?? 0));
    observer.observe(area.current);
    return () => observer.disconnect();
  }, []);
  const scale = width === 0 || room === 0 ? 1 : Math.min(1, room / width);
  return (
    <div ref={area} className="h-full overflow-hidden bg-sunken">
      <div
        ref={place}
        className="relative"
        style={
          width === 0
            ? { height: '100%' }
            : {
                width,
                height: `${100 / scale}%`,
                marginLeft: Math.max(0, (room - width * scale) / 2),
                transform: `scale(${scale})`,
                transformOrigin: 'top left',
              }
        }
      />
    </div>
  );
}

/** Problems, shown over the page with links to the editor. They can be dismissed until there is a new one. */
function Problems({
  state,
  onOpenPlace,
  onFix,
}: Pick<PreviewPanelProps, 'onOpenPlace' | 'onFix'> & { state: PreviewState }) {
  const t = useMessages();
  const texts = usePreviewTexts();
  const { status, problems, reason } = state;
  const [hidden, setHidden] = useState<PreviewState['problems']>();
  const [opened, setOpened] = useState(false);
  const all: readonly PreviewProblem[] =
    status === 'ended' && reason !== undefined ? [...problems, { severity: 'error', message: reason }] : problems;
  if (all.length === 0 || hidden === problems) return null;
  const errors = all.filter(({ severity }) => severity === 'error');
  return (
    <section
      aria-label={texts.problems}
      className="absolute inset-x-0 bottom-0 flex max-h-[70%] flex-col border-line border-t bg-raised shadow-float"
    >
      <div className="flex shrink-0 items-center gap-2 border-line border-b px-3 py-1">
        <h2 role="alert" className={`flex-1 font-medium text-sm ${errors.length > 0 ? 'text-failed' : 'text-waiting'}`}>
          {errors.length > 0 ? (
            status === 'failed' ? (
              texts.notBuilt
            ) : (
              texts.errors(errors.length)
            )
          ) : (
            // Many pages run fine with warnings, so warnings do not cover the page unasked.
            <Disclosure open={opened} onOpenChange={setOpened} className="items-center gap-1">
              {texts.warnings(all.length)}
            </Disclosure>
          )}
        </h2>
        {onFix === undefined || errors.length === 0 ? null : (
          <Button variant="ghost" onClick={() => onFix(errors.map(problemText).join('\n'))}>
            <Wrench aria-hidden size={14} />
            {texts.fix}
          </Button>
        )}
        <IconButton label={t.common.close} size="small" onClick={() => setHidden(problems)}>
          <X aria-hidden size={14} />
        </IconButton>
      </div>
      <ul hidden={errors.length === 0 && !opened} className="min-h-0 flex-1 overflow-y-auto">
        {all.map((problem, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the list is rebuilt whenever it changes
          <li key={index} className="border-line border-b px-3 py-1.5 text-[13px] last:border-b-0">
            <p
              className={`whitespace-pre-wrap break-words font-mono ${problem.severity === 'error' ? '' : 'text-waiting'}`}
            >
              {visibleText(problem.message)}
            </p>
            {problem.place === undefined ? null : <Place place={problem.place} onOpen={onOpenPlace} />}
          </li>
        ))}
      </ul>
    </section>
  );
}

function Place({ place, onOpen }: { place: SourcePlace; onOpen: PreviewPanelProps['onOpenPlace'] }) {
  const text = visibleText(`${place.path}:${place.line}:${place.column}`);
  if (onOpen === undefined) return <p className="font-mono text-muted text-xs">{text}</p>;
  return (
    <button type="button" onClick={() => onOpen(place)} className="font-mono text-accent text-xs underline">
      {text}
    </button>
  );
}
