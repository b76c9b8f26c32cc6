import { type ComponentType, createContext, type ReactNode } from 'react';

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
