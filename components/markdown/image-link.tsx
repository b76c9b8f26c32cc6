'use client';

import { type ComponentType, createContext, type ReactNode, Suspense, useContext } from 'react';
import { InLink } from './file-link.tsx';

/** An image of another site. */
export interface RemoteImageProps {
  /** An address that may be followed; empty for others. */
  url: string;
  alt: string;
  /** Shown in the place of the image. */
  text: ReactNode;
  linkClassName: string;
}

/** The view of images of other sites. Without one, they are links: nothing is loaded from other sites. */
export const RemoteImageView = createContext<ComponentType<RemoteImageProps> | undefined>(undefined);

/** An image of another site in a text. */
export function RemoteImage(props: RemoteImageProps) {
  const View = useContext(RemoteImageView);
  const link = <ImageLink {...props} />;
  if (View === undefined) return link;
  return (
    <Suspense fallback={link}>
      <View key={props.url} {...props} />
    </Suspense>
  );
}

/** A link to an image, with its host. */
export function ImageLink({ url, alt, text, linkClassName }: RemoteImageProps) {
  const isInLink = useContext(InLink) !== undefined;
  const host = URL.canParse(url) ? new URL(url).host : '';
  const content = (
    <>
      {text}
      {alt === '' || host === '' ? '' : ` (${host})`}
    </>
  );
  if (isInLink) return content;
  return (
    <a href={url} target="_blank" rel="noreferrer noopener" className={linkClassName}>
      {content}
    </a>
  );
}
