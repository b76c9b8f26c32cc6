'use client';

import { Maximize, ZoomIn, ZoomOut } from 'lucide-react';
import { useLayoutEffect, useRef, useState } from 'react';
import { useMarkdownTexts } from '#components/i18n/use-markdown-texts.ts';
import { IconButton } from '#components/ui/button.tsx';
import { Dialog } from '#components/ui/dialog.tsx';
import type { Drawing } from '#lib/sandbox/diagrams/drawing.ts';
import type { DiagramLanguage } from './diagram-language.ts';
import { useDrawing } from './use-drawing.ts';
import { usePictureUrl } from './use-picture-url.ts';

/** The factor by which a step enlarges. */
const STEP = 1.25;
const ZOOM_MIN = 0.05;
const ZOOM_MAX = 8;
/** The largest factor that is chosen without being asked for. */
const FIT_MAX = 2;

interface DiagramDialogProps {
  language: DiagramLanguage;
  code: string;
  drawing: Drawing;
  isDark: boolean;
  onClose(): void;
}

/** A diagram in a large window, where it can be enlarged and scrolled. */
export default function DiagramDialog({ onClose, ...shown }: DiagramDialogProps) {
  const texts = useMarkdownTexts();
  return (
    <Dialog open onOpenChange={onClose} title={shown.drawing.title || texts.diagram.name} large>
      <ZoomedDiagram {...shown} />
    </Dialog>
  );
}

function ZoomedDiagram({ language, code, drawing, isDark }: Omit<DiagramDialogProps, 'onClose'>) {
  const texts = useMarkdownTexts();
  const box = useRef<HTMLDivElement>(null);
  /** The factor of the drawing's own size. */
  const [zoom, setZoom] = useState(1);
  const scale = Math.ceil(devicePixelRatio * Math.max(1, zoom));
  const drawn = useDrawing({ kind: language, source: code, scale }, isDark);
  const url = usePictureUrl(drawn !== undefined && 'png' in drawn ? drawn : drawing);
  const { width, height } = drawing;
  const fit = () => {
    if (box.current === null) return;
    const { clientWidth, clientHeight } = box.current;
    setZoom(bounded(Math.min(FIT_MAX, clientWidth / width, clientHeight / height)));
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: only the first size is chosen for the person
  useLayoutEffect(fit, []);
  return (
    <div className="flex h-full flex-col">
      <div className="flex items-center gap-1 border-line border-b px-2 py-1">
        <IconButton label={texts.diagram.smaller} onClick={() => setZoom(bounded(zoom / STEP))}>
          <ZoomOut aria-hidden size={16} />
        </IconButton>
        <span className="w-14 text-center text-sm tabular-nums">{texts.diagram.percent(zoom)}</span>
        <IconButton label={texts.diagram.larger} onClick={() => setZoom(bounded(zoom * STEP))}>
          <ZoomIn aria-hidden size={16} />
        </IconButton>
        <IconButton label={texts.diagram.fit} onClick={fit}>
          <Maximize aria-hidden size={16} />
        </IconButton>
      </div>
      <div
        ref={box}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard
        tabIndex={0}
        data-initial-focus=""
        className={`min-h-0 flex-1 overflow-auto ${language === 'svg' ? 'bg-white' : ''}`}
      >
        {/* biome-ignore lint/performance/noImgElement: a picture that was drawn in this page */}
        <img
          src={url}
          alt={drawing.title || texts.diagram.name}
          style={{ width: width * zoom, height: height * zoom }}
          className="mx-auto max-w-none"
        />
      </div>
    </div>
  );
}

const bounded = (zoom: number): number => Math.min(ZOOM_MAX, Math.max(ZOOM_MIN, zoom));
