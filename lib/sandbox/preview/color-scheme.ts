/** The color scheme of the studio. */
export type ColorScheme = 'light' | 'dark';

/**
 * The attribute on the root element of pages that the studio generates from Markdown files, and shows in its own color
 * scheme.
 */
export const FOLLOWS_STUDIO = 'data-follows-studio';

/** Returns JavaScript that gives a running page this color scheme if its root element has the attribute `FOLLOWS_STUDIO`. */
export const followCode = (scheme: ColorScheme): string =>
  `if (document.documentElement.hasAttribute('${FOLLOWS_STUDIO}')) document.documentElement.style.colorScheme = '${scheme}';`;
