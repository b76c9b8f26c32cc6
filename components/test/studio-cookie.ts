/** The cookie that names the server that a page belongs to, if it is not that of all tests. */
export const STUDIO_COOKIE = 'studio-server';
