import { en } from '#components/i18n/en.ts';

/**
 * The text of the page until the studio is open. It is in English, because the settings with the chosen language are not
 * read yet.
 */
export const OpeningText = () => (
  <p role="status" className="p-6 text-muted">
    {en.studio.opening}
  </p>
);
