/** The name of the cookie with the id of the studio's server that a page uses. Without it, that is the server of all tests. */
export const STUDIO_COOKIE = 'studio-server';
