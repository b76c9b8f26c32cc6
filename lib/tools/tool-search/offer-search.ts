import type { ToolRegistry } from '../catalogue/registry.ts';
import { isBuiltInToolset } from '../toolset-names.ts';
import { toolFinders } from './finders.ts';

/** External tools that are offered besides those in the registry. */
interface OtherTools {
  isEmpty(): boolean;
  subscribe(onChange: () => void): unknown;
}

/**
 * Keeps `toolFinders` in the registry as long as there are external tools, be it in the registry or in `others`, which has
 * those that are offered without being in the registry: adds and removes the finders whenever either changes. They are not
 * added if the registry has no room for more tools.
 */
export function offerToolSearch(registry: ToolRegistry, others?: OtherTools): void {
  let withdraw: (() => void) | undefined;
  const adapt = (): void => {
    const isNeeded = others?.isEmpty() === false || registry.list().some(({ toolset }) => !isBuiltInToolset(toolset));
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
  others?.subscribe(adapt);
  adapt();
}
