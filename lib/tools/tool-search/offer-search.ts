import type { ToolRegistry } from '../core/registry.ts';
import { isOwnToolset } from '../toolset-names.ts';
import { searchTools } from './search-tools.ts';
import { useTool } from './use-tool.ts';

/** Names of the studio's own tools that are not always there. */
const RESERVED: ReadonlySet<string> = new Set([searchTools.name, useTool.name, 'read_skill']);

/** Whether tools from elsewhere cannot have a name, whether or not it is in use. */
export const isReservedName = (toolName: string): boolean => RESERVED.has(toolName);

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
      withdraw = registry.add([searchTools, useTool]);
    } catch {
      // There is no room for more tools: those that there are, are listed.
      withdraw = undefined;
    }
  };
  registry.subscribe(adapt);
  adapt();
}
