/**
 * Parts of the studio, and the source folders that belong to each: a change below one of them is a change of the part. A
 * test fails for a folder that belongs to none.
 */
export const AREAS = {
  agent: ['lib/agent', 'lib/prompts', 'lib/messages'],
  models: ['lib/model-use', 'lib/model-use/prices', 'server/models', 'server/net'],
  server: [
    'app',
    'lib/wire',
    'server/config',
    'server/graph',
    'server/http',
    'server/log',
    'server/runs',
    'server/services.ts',
  ],
  threads: ['lib/threads', 'lib/threads/find', 'lib/base/markdown', 'studio'],
  page: ['components', 'public', 'studio/page'],
  files: [
    'lib/vfs/archive',
    'lib/workspace/search',
    'lib/workspace/shell',
    'lib/vfs',
    'lib/workspace',
    'lib/workspace/review',
    'studio/local-folder',
  ],
  tools: ['lib/base', 'lib/tools'],
  sandbox: ['lib/sandbox', 'lib/sandbox/node', 'app/sandbox'],
  preview: ['lib/sandbox/preview', 'app/preview'],
  'external tools': [
    'lib/keys',
    'lib/sources/mcp',
    'lib/sources/mcp/programs',
    'lib/sources/workspace-tools',
    'lib/sources/http-api',
    'lib/web',
    'lib/base/yaml',
    'server/mcp',
    'studio/sources',
    'studio/mcp',
    'studio/project',
    'studio/rest',
    'studio/web',
  ],
  'command line': [
    'bin',
    'hosts',
    'lib/confinement/commands',
    'lib/confinement',
    'lib/vfs/disk',
    'lib/workspace/journal',
    'lib/workspace/language-servers',
    'lib/base/processes',
  ],
} as const satisfies Record<string, readonly string[]>;

export type Area = keyof typeof AREAS;

/** Checks whether a file is in an area: one of its files, or below one of its folders. */
export const isIn = (area: Area, file: string): boolean =>
  AREAS[area].some((folder) => file === folder || file.startsWith(`${folder}/`));
