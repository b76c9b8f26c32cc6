'use client';

import { useState } from 'react';
import { useMarkdownTexts } from '#components/i18n/use-markdown-texts.ts';
import { Dialog } from '#components/ui/dialog.tsx';
import { ZoomedPicture } from '#components/ui/zoomed-picture.tsx';
import type { DiagramKind, Drawing } from '#lib/sandbox/diagrams/drawing.ts';
import { useDrawing } from './use-drawing.ts';
import { usePictureUrl } from './use-picture-url.ts';

interface DiagramDialogProps {
  kind: DiagramKind;
  code: string;
  drawing: Drawing;
  isDark: boolean;
  onClose(): void;
}

/** A diagram in a large window. It is drawn again for each size, so that it is sharp. */
export default function DiagramDialog({ kind, code, drawing, isDark, onClose }: DiagramDialogProps) {
  const texts = useMarkdownTexts();
  const [scale, setScale] = useState(Math.ceil(devicePixelRatio));
  const drawn = useDrawing({ kind, source: code, scale }, isDark);
  const url = usePictureUrl(drawn !== undefined && 'png' in drawn ? drawn : drawing);
  const name = drawing.title || texts.diagram.name;
  return (
    <Dialog open onOpenChange={onClose} title={name} large>
      <ZoomedPicture
        src={url}
        alt={name}
        width={drawing.width}
        height={drawing.height}
        fitMax={FIT_MAX}
        background={kind === 'svg' ? 'bg-white' : undefined}
        onZoom={(zoom) => setScale(Math.ceil(devicePixelRatio * Math.max(1, zoom)))}
      />
    </Dialog>
  );
}

/** The factor up to which a small diagram is enlarged at first. */
const FIT_MAX = 2;
