import { registerHooks } from 'node:module';
import { startsWith } from '#lib/sandbox/kernel/primordials.ts';
import { refuse } from '#lib/sandbox/kernel/refuse.ts';

/**
 * Lets code import modules only by `data:` addresses, as in a browser: neither files nor Node's own modules. Any other import
 * is reported as refused, and rejects with `TypeError`.
 */
export function refuseModules(): void {
  registerHooks({
    resolve(specifier, context, nextResolve) {
      if (startsWith(specifier, 'data:')) return nextResolve(specifier, context);
      refuse('script-src', specifier);
      throw new TypeError(`Failed to fetch dynamically imported module: ${specifier}. There are no modules here.`);
    },
  });
}
