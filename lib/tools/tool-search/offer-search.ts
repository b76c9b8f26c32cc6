import type { ToolRegistry } from '../core/registry.ts';
import { isOwnToolset } from '../toolset-names.ts';
import { toolFinders } from './finders.ts';

/** Offers the tools that find tools, from now on, while there is something to be found. */
export function offerToolSearch(registry: ToolRegistry): void {
  let withdraw: (() => void) | undefined;
  const adapt = (): void => {
    const isNeeded = registry.list().some(({ toolset }) => !isOwnToolset(toolset));
    if (isNeeded === (withdraw !== undefined)) return;
    const end = withdraw;
    // Changing the registry calls this function again.
    withdraw = isNeeded ? () => undefined : undefined;
    if (!isNeeded) {
      end?.();
      return;
    }
    try {
      withdraw = registry.add(toolFinders);
    } catch {
      // There is no room for more tools: those that there are, are listed.
      withdraw = undefined;
    }
  };
  registry.subscribe(adapt);
  adapt();
}
