import { ConfigError } from '../errors.ts';

/** Returns the lines of the error with which `parse` refuses a configuration. Throws if it does not refuse it. */
export function faultsOf(parse: () => unknown): string[] {
  try {
    parse();
  } catch (error) {
    if (error instanceof ConfigError) return error.message.split('\n');
    throw error;
  }
  throw new Error('The configuration was accepted.');
}
