/**
 * The environment variable that tells a program that it runs as a tool server. The studio's command line then uses no tool
 * servers, because one could be the command line itself.
 */
export const NESTED_VARIABLE = 'ROUNDTRIP_NESTED';
