/** Matches the placeholder of a secret in the value of a header, such as `{{token}}`. */
const SECRET = /\{\{\s*([A-Za-z][A-Za-z0-9_]{0,63})\s*\}\}/g;

/** Matches the placeholder of a parameter in a path, such as `{id}`. */
const PLACEHOLDER = /\{([^{}]+)\}/g;

/** Returns the names of the secrets whose placeholders are in a header's value, such as `token` for `{{token}}`. */
export const secretsIn = (template: string): string[] => [...template.matchAll(SECRET)].map(([, name = '']) => name);

/** Returns a header's value without the placeholders of secrets. */
export const withoutSecrets = (template: string): string => template.replace(SECRET, '');

/** Fills the secrets into a header's value. Throws an `Error` if one is missing; callers check this first. */
export const filledIn = (template: string, secrets: Readonly<Record<string, string>>): string =>
  template.replace(SECRET, (_, name: string) => {
    const secret = Object.hasOwn(secrets, name) ? secrets[name] : undefined;
    if (secret === undefined) throw new Error(`The secret ${name} is missing.`);
    return secret;
  });

/** Returns the names of the parameters whose placeholders are in a path, such as `id` for `{id}`. */
export const placeholdersIn = (path: string): string[] => [...path.matchAll(PLACEHOLDER)].map(([, name = '']) => name);

/** Replaces the placeholders of parameters in a path with what `partOf` returns, which must be encoded already. */
export const withParameters = (path: string, partOf: (name: string) => string): string =>
  path.replace(PLACEHOLDER, (_, name: string) => partOf(name));
