'use client';

import { Maximize, ZoomIn, ZoomOut } from 'lucide-react';
import { type ReactNode, useLayoutEffect, useRef, useState } from 'react';
import { useAllMessages } from '#components/i18n/use-all-messages.ts';
import { IconButton } from './button.tsx';

/** The factor by which a step enlarges. */
const STEP = 1.25;
const ZOOM_MIN = 0.05;
const ZOOM_MAX = 8;
/** The factor from which on a picture as a whole can be read. */
const READABLE = 0.5;

interface ZoomedPictureProps {
  src: string | undefined;
  alt: string;
  /** The picture's own size, in CSS pixels. */
  width: number;
  height: number;
  /** The largest factor that is chosen without being asked for; by default, the picture's own size. */
  fitMax?: number;
  /** A class of the background. */
  background?: string | undefined;
  /** Gets the factor of the picture's own size whenever it changes. */
  onZoom?(zoom: number): void;
  /** More controls beside those for the size. */
  children?: ReactNode;
}

/**
 * A picture that can be enlarged and scrolled. It is shown as a whole at first or, if it would be too small to be read, as wide
 * or as high as its place. Fills the element around it.
 */
export function ZoomedPicture(props: ZoomedPictureProps) {
  const { src, alt, width, height, fitMax = 1, background = '', onZoom, children } = props;
  const t = useAllMessages();
  const box = useRef<HTMLDivElement>(null);
  const [zoom, setFactor] = useState(1);
  const setZoom = (factor: number) => {
    const bounded = Math.min(ZOOM_MAX, Math.max(ZOOM_MIN, factor));
    setFactor(bounded);
    onZoom?.(bounded);
  };
  /** The factors with which the picture is as wide and as high as its place. */
  const factors = (): readonly [number, number] => {
    const { clientWidth = width, clientHeight = height } = box.current ?? {};
    return [clientWidth / width, clientHeight / height];
  };
  const fit = () => setZoom(Math.min(fitMax, ...factors()));
  // A picture that would be too small to be read as a whole fills only one direction at first.
  const begin = () => {
    const whole = Math.min(...factors());
    setZoom(whole < READABLE ? Math.min(1, Math.max(...factors())) : Math.min(fitMax, whole));
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: the size is chosen again only for another picture
  useLayoutEffect(begin, [width, height]);
  // The middle stays where it is.
  const shown = useRef(zoom);
  useLayoutEffect(() => {
    const place = box.current;
    const factor = zoom / shown.current;
    shown.current = zoom;
    if (place === null || factor === 1) return;
    place.scrollLeft = (place.scrollLeft + place.clientWidth / 2) * factor - place.clientWidth / 2;
    place.scrollTop = (place.scrollTop + place.clientHeight / 2) * factor - place.clientHeight / 2;
  }, [zoom]);
  return (
    <div className="flex h-full flex-col">
      <div className="flex flex-wrap items-center gap-1 border-line border-b px-2 py-1">
        <IconButton label={t.viewer.smaller} onClick={() => setZoom(zoom / STEP)}>
          <ZoomOut aria-hidden size={16} />
        </IconButton>
        <span className="w-14 whitespace-nowrap text-center text-sm tabular-nums">{t.viewer.percent(zoom)}</span>
        <IconButton label={t.viewer.larger} onClick={() => setZoom(zoom * STEP)}>
          <ZoomIn aria-hidden size={16} />
        </IconButton>
        <IconButton label={t.viewer.fit} onClick={fit}>
          <Maximize aria-hidden size={16} />
        </IconButton>
        {children}
      </div>
      <div
        ref={box}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard
        tabIndex={0}
        data-initial-focus=""
        className={`min-h-0 flex-1 overflow-auto ${background}`}
      >
        {/* biome-ignore lint/performance/noImgElement: a picture of this page; there is nothing to optimize */}
        <img
          src={src}
          alt={alt}
          style={{ width: width * zoom, height: height * zoom }}
          className="mx-auto max-w-none"
        />
      </div>
    </div>
  );
}
