import { type ComponentType, createContext, type ReactNode } from 'react';

/** The props of an image from another site. */
export interface RemoteImageProps {
  /** The image's address; empty if it is not safe to follow. */
  url: string;
  alt: string;
  /** The text that is shown while there is no image. */
  text: ReactNode;
  linkClassName: string;
}

/**
 * Provides the component that shows images from other sites. Without one, they are shown as links, and nothing is loaded.
 */
export const RemoteImageView = createContext<ComponentType<RemoteImageProps> | undefined>(undefined);
