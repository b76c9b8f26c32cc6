import { en } from '#components/i18n/en.ts';

/** What the page shows until the studio is open, in English: which language was chosen is stored with the rest. */
export const OpeningText = () => (
  <p role="status" className="p-6 text-muted">
    {en.studio.opening}
  </p>
);
