/** The beginning of the note that a PDF has images. Only readers that take parts of a document can see them. */
export const IMAGES_NOTE = 'The PDF has images.';

/** Returns the name of the picture with the images of a page, which `pages` of a request can be. */
export const pictureName = (page: number): string => `page-${page}.png`;

/** Returns the number of the page whose picture `pages` of a request names; undefined if it names none. */
export function picturedPage(pages: string | undefined): number | undefined {
  const number = /^page[-_ ]?(\d{1,9})\.(?:png|jpe?g)$/i.exec(pages?.trim() ?? '')?.[1];
  return number === undefined ? undefined : Number(number);
}
