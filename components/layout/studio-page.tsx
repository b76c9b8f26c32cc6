'use client';

import { StudioRoot } from '#components/layout/studio-root.tsx';

/** The page of the studio. */
export const StudioPage = () => <StudioRoot />;
