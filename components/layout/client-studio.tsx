'use client';

import { StudioRoot } from '#components/layout/studio-root.tsx';

/**
 * The boundary between the server's page and the browser's code. On this side of it, the server's build replaces
 * `studio-root.tsx` by `server-studio.tsx` (see next.config.mjs); the browser's build does not.
 */
export const ClientStudio = () => <StudioRoot />;
