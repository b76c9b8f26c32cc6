import { getDefaultEnvironment } from '@modelcontextprotocol/client/stdio';
import { cleanEnvironment } from '#lib/confinement/environment.ts';
import { NESTED_VARIABLE } from './nested.ts';

/**
 * Returns the environment variables for a tool server's program: those that any program needs to run, those of `env` that
 * `names` lists, and `NESTED_VARIABLE`. The program gets no others, so it sees no key that is not listed.
 */
export function programEnvironment(
  names: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): Record<string, string> {
  const named = names.flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]]]));
  return { ...getDefaultEnvironment(), ...cleanEnvironment(env), ...Object.fromEntries(named), [NESTED_VARIABLE]: '1' };
}
