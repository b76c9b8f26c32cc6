import type { ExternalDefinition } from '#lib/tools/catalogue/external-definition.ts';
import type { ToolSpec } from '#lib/tools/core/spec.ts';
import { isBuiltInToolset } from '#lib/tools/toolset-names.ts';
import type { ToolChange, ToolTrust } from '../permissions.ts';
import type { ToolPins } from './tool-pins.ts';

/** The current description of a tool of a source. */
export interface DescribedTool {
  definition: ExternalDefinition;
  /** A text that tells the tool's source, such as its server, apart from others of the same name. */
  identity: string;
  /** Whether a file of the person lists it as allowed, for all folders. */
  isListed?: boolean;
  /** Whether the person has seen the whole tool, and allowed it to be offered. */
  wasShown?: boolean;
}

/** The external tools of one kind of source: tool servers, HTTP APIs, or the folder. */
export interface DescribedTools {
  /** Returns the current description of a tool; undefined if the tool does not come from these sources, or no longer. */
  describe(tool: ToolSpec): DescribedTool | undefined;
}

/**
 * Options of `PinnedTools`, which remembers the external tools that the person has allowed to be called without a question, as
 * long as they do not change.
 */
export interface PinnedToolsOptions {
  /** The external tools as they are now: those of the folder, of HTTP APIs, and of tool servers. */
  sources: readonly DescribedTools[];
  /** The file with the tools that the person has allowed; undefined if no such file may be used, so that nothing is kept. */
  pins: ToolPins | undefined;
  /** The real, absolute path of the folder that is worked on. Tools that no file of the person lists are allowed only here. */
  root: string;
  /** Shows a notice to the person, for example that a permission could not be kept. */
  onNotice(text: string): void;
}

/**
 * The external tools that may be called without a question, as long as they are defined as they were when the person allowed
 * that. `isKnown` checks whether a tool is one of them; undefined for the program's own tools. A tool that a file of the person
 * lists (`isListed`) is recorded as allowed when `isKnown` first sees it. `changeOf` returns the definition of a tool that is
 * not allowed as it is, and the one that was allowed last. `remember` records a tool as allowed; false if that is not possible.
 */
export class PinnedTools implements ToolTrust {
  readonly #options: PinnedToolsOptions;

  constructor(options: PinnedToolsOptions) {
    this.#options = options;
  }

  isKnown(tool: ToolSpec): boolean | undefined {
    if (isBuiltInToolset(tool.toolset)) return undefined;
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
    for (const source of this.#options.sources) {
      const described = source.describe(tool);
      if (described !== undefined) return described;
    }
    return undefined;
  }

  /** Returns the current description of a tool if it is the one with which the tool was offered; undefined otherwise. */
  #asOffered(tool: ToolSpec): DescribedTool | undefined {
    const now = this.#describe(tool);
    return now?.definition.hash === tool.metadata?.definition ? now : undefined;
  }

  #before({ name }: ToolSpec, { identity }: DescribedTool): ExternalDefinition | undefined {
    const { pins, root } = this.#options;
    return pins?.find({ tool: name, server: identity, folder: root })?.definition;
  }

  /**
   * Records that a tool is allowed: in all folders if the person's file lists it, otherwise in this folder. Returns whether it
   * could be recorded.
   */
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
