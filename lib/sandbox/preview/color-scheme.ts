/** The studio's colors. */
export type ColorScheme = 'light' | 'dark';

/** The attribute on the root of a page that the studio has made of a file and that has the studio's colors. */
export const FOLLOWS_STUDIO = 'data-follows-studio';

/** Code for a running page that gives it these colors, if it has the studio's. */
export const followCode = (scheme: ColorScheme): string =>
  `if (document.documentElement.hasAttribute('${FOLLOWS_STUDIO}')) document.documentElement.style.colorScheme = '${scheme}';`;
