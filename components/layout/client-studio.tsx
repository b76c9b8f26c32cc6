'use client';

import { StudioRoot } from '#components/layout/studio-root.tsx';

/**
 * Renders the studio (`StudioRoot`) in the server's page, and is the boundary between that page and the browser's code: the
 * server's build replaces the imported `studio-root.tsx` by `server-studio.tsx` (see next.config.mjs); the browser's build
 * does not.
 */
export const ClientStudio = () => <StudioRoot />;
