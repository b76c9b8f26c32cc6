import type { ForeignDefinition } from '#lib/tools/core/foreign-definition.ts';
import type { ToolSpec } from '#lib/tools/core/spec.ts';
import { isOwnToolset } from '#lib/tools/toolset-names.ts';
import type { ToolChange, ToolTrust } from '../permissions.ts';
import type { ToolPins } from './tool-pins.ts';

/** What a tool from elsewhere is now. */
export interface DescribedTool {
  definition: ForeignDefinition;
  /** What tells where it comes from, such as its server, from another place of the same name. */
  identity: string;
  /** Whether a file of the person lists it as allowed, for all folders. */
  isListed?: boolean;
  /** Whether the person has seen all of it, and allowed it to be offered. */
  wasShown?: boolean;
}

/** Where tools come from: tool servers, HTTP APIs, or the folder. */
export interface ToolOrigin {
  /** What a tool is now; undefined if it does not come from there, or no longer. */
  describe(tool: ToolSpec): DescribedTool | undefined;
}

/** What it is told with which tools from elsewhere the person has allowed. */
export interface PinnedToolsOptions {
  origins: readonly ToolOrigin[];
  /** What was allowed; undefined if nothing can be kept. */
  pins: ToolPins | undefined;
  /** The folder that is worked on: real and absolute. */
  root: string;
  /** Something that the person should know. */
  onNotice(text: string): void;
}

/** Which tools from elsewhere may be called without a question: as they were when the person allowed that. */
export class PinnedTools implements ToolTrust {
  readonly #options: PinnedToolsOptions;

  constructor(options: PinnedToolsOptions) {
    this.#options = options;
  }

  isKnown(tool: ToolSpec): boolean | undefined {
    if (isOwnToolset(tool.toolset)) return undefined;
    const now = this.#asOffered(tool);
    if (now === undefined) return false;
    const before = this.#before(tool, now);
    // The person has allowed it as it is when it is first seen. Where that cannot be kept, it asks.
    if (before === undefined && now.isListed === true) return this.#keep(tool, now);
    return before?.hash === now.definition.hash;
  }

  changeOf(tool: ToolSpec): ToolChange | undefined {
    const now = this.#describe(tool);
    if (now === undefined || now.wasShown === true) return undefined;
    const before = this.#before(tool, now);
    return before?.hash === now.definition.hash ? undefined : { before, now: now.definition };
  }

  remember(tool: ToolSpec): boolean {
    const now = this.#asOffered(tool);
    if (now === undefined) return false;
    if (this.#keep(tool, now)) return true;
    this.#options.onNotice(`${tool.name} is allowed in this session only: that it is allowed could not be kept.`);
    return false;
  }

  /** Forgets that calls of a tool were allowed. Throws Node's errors. */
  forget(tool: ToolSpec): void {
    const { pins, root } = this.#options;
    const now = this.#describe(tool);
    if (now !== undefined) pins?.forget({ tool: tool.name, server: now.identity, folder: root });
  }

  #describe(tool: ToolSpec): DescribedTool | undefined {
    for (const origin of this.#options.origins) {
      const described = origin.describe(tool);
      if (described !== undefined) return described;
    }
    return undefined;
  }

  /** What a tool is, if that is what it was when it was offered. */
  #asOffered(tool: ToolSpec): DescribedTool | undefined {
    const now = this.#describe(tool);
    return now?.definition.hash === tool.metadata?.definition ? now : undefined;
  }

  #before({ name }: ToolSpec, { identity }: DescribedTool): ForeignDefinition | undefined {
    const { pins, root } = this.#options;
    return pins?.find({ tool: name, server: identity, folder: root })?.definition;
  }

  /** Whether a tool could be kept as allowed: for all folders if the person's file lists it, otherwise for this one. */
  #keep({ name }: ToolSpec, { definition, identity, isListed }: DescribedTool): boolean {
    const { pins, root } = this.#options;
    try {
      pins?.put({ folder: isListed === true ? null : root, tool: name, server: identity, definition });
      return pins !== undefined;
    } catch {
      return false;
    }
  }
}
