/** A secret in the value of a header, such as `{{token}}`. */
const SECRET = /\{\{\s*([A-Za-z][A-Za-z0-9_]{0,63})\s*\}\}/g;

/** A parameter in a path, such as `{id}`. */
const PLACEHOLDER = /\{([^{}]+)\}/g;

/** The names of the secrets in a header's value. */
export const secretsIn = (template: string): string[] => [...template.matchAll(SECRET)].map(([, name = '']) => name);

/** A header's value without its secrets. */
export const withoutSecrets = (template: string): string => template.replace(SECRET, '');

/** A header's value with its secrets. Throws for one that is missing, which whoever calls has checked. */
export const filledIn = (template: string, secrets: Readonly<Record<string, string>>): string =>
  template.replace(SECRET, (_, name: string) => {
    const secret = Object.hasOwn(secrets, name) ? secrets[name] : undefined;
    if (secret === undefined) throw new Error(`The secret ${name} is missing.`);
    return secret;
  });

/** The names of the parameters in a path. */
export const placeholdersIn = (path: string): string[] => [...path.matchAll(PLACEHOLDER)].map(([, name = '']) => name);

/** A path with the parts for its parameters. */
export const withParameters = (path: string, partOf: (name: string) => string): string =>
  path.replace(PLACEHOLDER, (_, name: string) => partOf(name));
