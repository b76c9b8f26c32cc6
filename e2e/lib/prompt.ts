/** A unique prompt for each test, so that parallel tests do not collide in the model. */
export const prompt = (text: string): string => `${text} #${crypto.randomUUID().slice(0, 8)}`;

export const evalCall = (code: string) => [{ name: 'browser_js_eval', arguments: JSON.stringify({ code }) }];
export const writeCall = (path: string, content: string) => [
  { name: 'write_file', arguments: JSON.stringify({ path, content }) },
];
/** The turns in which a model replaces an existing file: it reads the file first. */
export const replaceTurns = (path: string, content: string) => [
  { calls: readCall(path) },
  { calls: writeCall(path, content) },
];
export const readCall = (path: string) => [{ name: 'read_file', arguments: JSON.stringify({ path }) }];
