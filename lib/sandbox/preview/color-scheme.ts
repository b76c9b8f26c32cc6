/** The studio's colors. */
export type ColorScheme = 'light' | 'dark';

/** The attribute on the root of a page that the studio has made of a file and that has the studio's colors. */
export const FOLLOWS_STUDIO = 'data-follows-studio';

/** Code that gives a running page this color scheme, if its root has the attribute `FOLLOWS_STUDIO`. */
export const followCode = (scheme: ColorScheme): string =>
  `if (document.documentElement.hasAttribute('${FOLLOWS_STUDIO}')) document.documentElement.style.colorScheme = '${scheme}';`;
