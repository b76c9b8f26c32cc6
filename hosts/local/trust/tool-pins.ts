import * as z from 'zod';
import { type ExternalDefinition, externalDefinitionSchema } from '#lib/tools/catalogue/external-definition.ts';
import { TOOL_PINS_MAX } from '../limits.ts';
import { KeptList } from './kept-list.ts';

/** An external tool that the person has allowed, with its definition at that time. */
interface ToolPin {
  /** The folder for which it was allowed; null for all. */
  folder: string | null;
  /** The name by which models call it. */
  tool: string;
  /** A text that tells the tool's source, such as its server, apart from others of the same name. */
  server: string;
  definition: ExternalDefinition;
}

const pinSchema = z.object({
  folder: z.string().nullable(),
  tool: z.string(),
  server: z.string(),
  definition: externalDefinitionSchema,
});

/**
 * The external tools whose calls the person has allowed, each with its definition at that time, in a file. A tool is known by
 * its name (`tool`) together with a text that tells its source apart from others of the same name (`server`).
 */
export class ToolPins {
  readonly #list: KeptList<ToolPin>;

  constructor(path: string) {
    this.#list = new KeptList(path, pinSchema);
  }

  /**
   * Finds a tool as it was allowed last, in the folder or in all folders; undefined if it was not allowed, or if that cannot be
   * read.
   */
  find(wanted: Pick<ToolPin, 'tool' | 'server'> & { folder: string }): ToolPin | undefined {
    return this.#list.read().findLast((pin) => isFor(pin, wanted));
  }

  /** Records a tool as allowed, in place of its earlier definition. Throws Node's errors. */
  put(pin: ToolPin): void {
    const isOther = ({ tool, folder, server }: ToolPin) =>
      tool !== pin.tool || folder !== pin.folder || server !== pin.server;
    this.#list.change((pins) => [...pins.filter(isOther), pin].slice(-TOOL_PINS_MAX));
  }

  /** Forgets that a tool was allowed in the folder or in all folders. Throws Node's errors. */
  forget(unwanted: Pick<ToolPin, 'tool' | 'server'> & { folder: string }): void {
    this.#list.change((pins) => {
      const others = pins.filter((pin) => !isFor(pin, unwanted));
      return others.length < pins.length ? others : undefined;
    });
  }
}

const isFor = (pin: ToolPin, { tool, server, folder }: Pick<ToolPin, 'tool' | 'server'> & { folder: string }) =>
  tool === pin.tool && server === pin.server && (pin.folder === null || pin.folder === folder);
