import { Code, Download, Ellipsis, ImageDown, Workflow, ZoomIn } from 'lucide-react';
import { type ReactNode, Suspense, useEffect, useRef, useState } from 'react';
import { useKeptState } from '#components/hooks/kept-state.ts';
import { useSettings } from '#components/hooks/studio-provider.tsx';
import { useIsDark } from '#components/hooks/theme.ts';
import { useMarkdownTexts } from '#components/i18n/use-markdown-texts.ts';
import { IconButton } from '#components/ui/button.tsx';
import { CopyButton } from '#components/ui/copy-button.tsx';
import { ErrorBoundary } from '#components/ui/error-boundary.tsx';
import { lazyView } from '#components/ui/lazy-view.tsx';
import { Menu } from '#components/ui/menu.tsx';
import { registerHiddenText } from '#components/ui/windowed-text.ts';
import type { DiagramKind, Drawing } from '#lib/sandbox/diagrams/drawing.ts';
import { download } from '#studio/page/download.ts';
import { DiagramFault } from './diagram-fault.tsx';
import { useDrawing } from './use-drawing.ts';
import { usePictureUrl } from './use-picture-url.ts';

const DiagramDialog = lazyView(() => import('./diagram-dialog.tsx'));

export interface DiagramProps {
  kind: DiagramKind;
  /** The diagram's source. */
  code: string;
  /** A name that the diagram keeps in its thread. */
  name: string;
  /** The view of the source, which is shown until the diagram is drawn, if it cannot be, and if the person wants it. */
  children: ReactNode;
}

/** The least number of pixels for each CSS pixel, so that a drawing is sharp in print, too. */
const SCALE_MIN = 2;

/**
 * A diagram: its picture, or `children`, which shows its source, while the diagram is being drawn, if the person wants that,
 * or if it cannot be drawn.
 */
export default function DiagramView({ kind, code, name, children }: DiagramProps) {
  const texts = useMarkdownTexts();
  const isDark = useIsDark(useSettings(({ theme }) => theme));
  const [attempt, setAttempt] = useState(0);
  const [isCode, setCode] = useKeptState(`diagram/${name}/${code.length}`, false);
  const scale = Math.max(SCALE_MIN, Math.ceil(devicePixelRatio));
  const outcome = useDrawing({ kind, source: code, scale }, isDark, attempt);
  if (outcome === undefined) return children;
  if (!('png' in outcome))
    return (
      <>
        {children}
        <DiagramFault problem={outcome} code={code} onRetry={() => setAttempt(attempt + 1)} />
      </>
    );
  const shared = { kind, code, drawing: outcome };
  return (
    <figure className="my-block rounded-md border border-line">
      <Header {...shared} isCode={isCode} onSwitch={() => setCode(!isCode)} isDark={isDark} />
      {isCode ? (
        <div className="*:my-0 *:rounded-t-none *:border-0">{children}</div>
      ) : (
        <Picture {...shared} onSource={() => setCode(true)} />
      )}
      <figcaption className="sr-only" data-unsearched="">
        {outcome.title || texts.diagram.name}
      </figcaption>
    </figure>
  );
}

interface DrawnProps {
  kind: DiagramKind;
  code: string;
  drawing: Drawing;
}

function Picture({ kind, code, drawing, onSource }: DrawnProps & { onSource(): void }) {
  const texts = useMarkdownTexts();
  const url = usePictureUrl(drawing);
  const box = useRef<HTMLDivElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the callback only sets a state
  useEffect(() => {
    if (box.current === null) return;
    return registerHiddenText(box.current, { text: () => code, show: onSource });
  }, [code]);
  return (
    <div ref={box} className={`flex justify-center rounded-b-md p-3 ${kind === 'svg' ? 'bg-white' : ''}`}>
      {/* biome-ignore lint/performance/noImgElement: a picture that was drawn in this page; there is nothing to optimize */}
      <img
        src={url}
        alt={drawing.title || texts.diagram.name}
        style={{ width: drawing.width, aspectRatio: `${drawing.width} / ${drawing.height}` }}
        className="max-h-[80dvh] max-w-full object-contain"
      />
      <span aria-hidden data-written="" className="block h-0 w-0 overflow-hidden">
        {code}
      </span>
    </div>
  );
}

interface HeaderProps extends DrawnProps {
  isCode: boolean;
  onSwitch(): void;
  isDark: boolean;
}

function Header({ kind, code, drawing, isCode, onSwitch, isDark }: HeaderProps) {
  const texts = useMarkdownTexts();
  const [isLarge, setLarge] = useState(false);
  const name = 'diagram';
  return (
    <div
      data-unsearched=""
      className="flex min-h-8 items-center rounded-t-md border-line border-b bg-sunken pl-3 text-muted text-xs"
    >
      <span className="flex-1 select-none truncate font-mono">{kind}</span>
      <IconButton label={isCode ? texts.diagram.picture : texts.diagram.code} onClick={onSwitch}>
        {isCode ? <Workflow aria-hidden size={15} /> : <Code aria-hidden size={15} />}
      </IconButton>
      <IconButton label={texts.diagram.enlarge} onClick={() => setLarge(true)}>
        <ZoomIn aria-hidden size={15} />
      </IconButton>
      <CopyButton text={() => code} />
      <Menu
        trigger={
          <IconButton label={texts.diagram.actions}>
            <Ellipsis aria-hidden size={15} />
          </IconButton>
        }
        entries={[
          {
            label: texts.diagram.downloadSvg,
            icon: <Download aria-hidden size={15} />,
            onSelect: () => download(new Blob([drawing.svg], { type: 'image/svg+xml' }), `${name}.svg`),
          },
          {
            label: texts.diagram.downloadPng,
            icon: <ImageDown aria-hidden size={15} />,
            onSelect: () => download(new Blob([drawing.png], { type: 'image/png' }), `${name}.png`),
          },
        ]}
      />
      {isLarge ? (
        <ErrorBoundary>
          <Suspense>
            <DiagramDialog {...{ kind, code, drawing, isDark }} onClose={() => setLarge(false)} />
          </Suspense>
        </ErrorBoundary>
      ) : null}
    </div>
  );
}
