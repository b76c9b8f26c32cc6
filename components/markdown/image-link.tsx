'use client';

import { Suspense, useContext } from 'react';
import { LinkAround } from './file-link.tsx';
import { type RemoteImageProps, RemoteImageView } from './remote-image-view.ts';

/**
 * An image from another site in a text, shown by the `RemoteImageView`; as a link if there is no such view, and until its
 * code is loaded.
 */
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

/**
 * A link to an image, with its host in parentheses if the image has an alternative text. Inside another link, renders the
 * same text without a link.
 */
export function ImageLink({ url, alt, text, linkClassName }: RemoteImageProps) {
  const isInLink = useContext(LinkAround) !== undefined;
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
