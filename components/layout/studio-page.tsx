'use client';

import { StudioRoot } from '#components/layout/studio-root.tsx';

/** The content of the page that shows the studio: `StudioRoot`. */
export const StudioPage = () => <StudioRoot />;
