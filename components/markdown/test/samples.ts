import { random } from '#lib/vfs/test/random.ts';

/** Lines with a meaning in Markdown, from which random texts are made. */
export const LINES = [
  '',
  '',
  '',
  'text',
  'more *text*',
  '  two spaces',
  '   three spaces',
  '    four spaces',
  '\ttab',
  '# Heading',
  '## ',
  '===',
  '---',
  '***',
  '- item',
  '- ',
  '* other item',
  '+ plus',
  '  - nested',
  '    - deeper',
  '- [ ] task',
  '1. one',
  '2. two',
  '7) seven',
  '10. ten',
  '   continued',
  '-     indented code',
  '> quote',
  '>',
  '> - item in a quote',
  '> ```',
  '>     code in a quote',
  '- > quote in an item',
  '- # heading in an item',
  '- ```js',
  '```',
  '```js',
  '~~~',
  '  ```',
  '````',
  '``` not `a fence',
  'const a = 1;',
  '| a | b |',
  '|---|---|',
  '| :-- | --: |',
  '| 1 | 2 |',
  'a | b',
  '- | -',
  '<div>',
  '</div>',
  '<!-- comment',
  '-->',
  '<b>inline</b>',
  '<script>',
  '// </script>',
  '<?php',
  '?>',
];

/** Returns a generator of random whole numbers, from 0 to below a limit. The same seed gives the same numbers. */
export function seeded(seed: number): (below: number) => number {
  const next = random(seed);
  return (below) => Math.floor(next() * below);
}

/** A random text made of these lines. The same seed gives the same text. */
export function randomText(seed: number, lines: readonly string[] = LINES): string {
  const below = seeded(seed);
  return Array.from({ length: 2 + below(12) }, () => lines[below(lines.length)]).join('\n');
}
