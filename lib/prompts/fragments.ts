import type { Fragment } from '#lib/tools/catalogue/catalogue.ts';
import type { ToolSpec } from '#lib/tools/core/spec.ts';

/**
 * Returns the fragments (sections about toolsets) of the toolsets to which the given tools belong, as one block of the system
 * prompt; empty if there are none. Parts of them that need other tools are left out. `compact`: whether to use their short
 * versions.
 */
export function formatFragments(fragments: readonly Fragment[], tools: readonly ToolSpec[], compact = false): string {
  const names = new Set(tools.map(({ name }) => name));
  return fragments
    .flatMap(({ toolset, title, sections }) => {
      if (!tools.some((tool) => tool.toolset === toolset)) return [];
      const paragraphs = sections
        .filter(({ needs = [] }) => needs.every((name) => names.has(name)))
        .map((section) => (compact ? section.compact : section.text))
        .filter((paragraph) => paragraph !== '');
      return [`## ${title}\n\n${paragraphs.join(compact ? '\n' : '\n\n')}`];
    })
    .join('\n\n');
}
