/**
 * Parts of the studio, and the source folders that belong to each: a change below one of them is a change of the part. A
 * test fails for a folder that belongs to none.
 */
export const AREAS = {
  agent: ['lib/agent', 'lib/prompts', 'lib/messages'],
  models: ['lib/model-use', 'models', 'net'],
  server: [
    'app',
    'config',
    'lib/wire',
    'log',
    'server/graph',
    'server/http',
    'server/runs',
    'server/services.ts',
    'server/shared',
    'server/telemetry',
  ],
  threads: ['lib/threads', 'lib/base/markdown', 'studio'],
  page: ['components', 'public', 'studio/page'],
  files: ['lib/vfs', 'lib/workspace', 'studio/local-folder'],
  tools: ['lib/base', 'lib/tools'],
  sandbox: ['lib/sandbox', 'app/sandbox'],
  preview: ['lib/sandbox/preview', 'app/preview'],
  'external tools': [
    'lib/base/yaml',
    'lib/keys',
    'lib/sources',
    'lib/documents',
    'lib/web',
    'server/mcp',
    'studio/project',
    'studio/sources',
    'studio/web',
  ],
  'command line': [
    'bin',
    'hosts',
    'lib/base/processes',
    'lib/confinement',
    'lib/vfs/disk',
    'lib/workspace/journal',
    'lib/workspace/language-servers',
  ],
  release: ['scripts/packed', 'scripts/release', 'scripts/release.ts', 'scripts/lib/serve-studio.ts'],
} as const satisfies Record<string, readonly string[]>;

export type Area = keyof typeof AREAS;

/** Checks whether a file is in an area: one of its files, or below one of its folders. */
export const isIn = (area: Area, file: string): boolean =>
  AREAS[area].some((folder) => file === folder || file.startsWith(`${folder}/`));
