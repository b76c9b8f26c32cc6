/**
 * The layers: what each folder may import, and why. Any other import is an error, except in tests.
 * `docs/ARCHITECTURE.md` shows this table. One test keeps the two in sync, another checks that forbidden imports fail.
 *
 * @type {readonly { folder: string, may: readonly string[], packages: readonly string[], core?: boolean, why: string }[]}
 */
export const LAYERS = [
  { folder: 'lib/base', may: [], packages: ['comlink'], why: 'what is needed everywhere knows nothing' },
  {
    folder: 'lib/vfs',
    may: ['lib/base'],
    packages: ['idb'],
    why: 'the workspace knows nothing of tools, models or React',
  },
  {
    folder: 'lib/tools',
    may: ['lib/base', 'lib/vfs'],
    packages: ['zod', 'diff', 'fastest-levenshtein', '@cfworker/json-schema'],
    why: 'tools know nothing of models, messages, prompts or React',
  },
  {
    folder: 'lib/search',
    may: ['lib/tools', 'lib/vfs'],
    packages: ['ignore', 'picomatch'],
    why: 'a search is a capability that tools are given',
  },
  {
    folder: 'lib/shell',
    may: ['lib/tools', 'lib/vfs'],
    packages: ['buffer', 'just-bash'],
    why: 'a shell is a capability that tools are given',
  },
  {
    folder: 'lib/disk',
    may: ['lib/base', 'lib/vfs'],
    packages: [],
    core: true,
    why: 'a directory of the disk is one more storage of the engine',
  },
  {
    folder: 'lib/archive',
    may: [],
    packages: ['fflate'],
    why: 'packing and unpacking are nobody’s business but the caller’s',
  },
  {
    folder: 'lib/workspace',
    may: ['lib/archive', 'lib/base', 'lib/search', 'lib/shell', 'lib/tools', 'lib/vfs'],
    packages: ['comlink'],
    why: 'a workspace lives in workers of the page, and the engine knows nothing of workers',
  },
  {
    folder: 'lib/messages',
    may: ['lib/tools'],
    packages: ['zod', 'ai'],
    why: 'messages are data that browser and server share',
  },
  {
    folder: 'lib/api',
    may: ['lib/base', 'lib/messages', 'lib/tools'],
    packages: ['zod'],
    why: 'the HTTP contract is all that the two sides share of the wire',
  },
  {
    folder: 'lib/prompts',
    may: ['lib/tools'],
    packages: ['zod', 'jsonrepair'],
    why: 'codecs and parser know tool types, and no model',
  },
  {
    folder: 'lib/agent',
    may: ['lib/base', 'lib/messages', 'lib/prompts', 'lib/tools', 'lib/vfs'],
    packages: ['ai', 'zod', '@ai-sdk/provider'],
    why: 'the agent knows no host: neither Node nor a page, neither a graph nor a provider’s address',
  },
  {
    folder: 'lib/sandbox',
    may: ['lib/base', 'lib/tools'],
    packages: ['zod', 'acorn', 'acorn-walk', 'comlink', 'magic-string'],
    why: 'the sandbox is a capability that tools are given',
  },
  {
    folder: 'lib/preview',
    may: ['lib/base', 'lib/sandbox', 'lib/tools', 'lib/vfs'],
    packages: [
      '@jridgewell/trace-mapping',
      'acorn',
      'comlink',
      'dom-accessibility-api',
      'esbuild-wasm',
      'magic-string',
      'marked',
      'marked-gfm-heading-id',
      'mrmime',
      'parse5',
    ],
    why: 'a page that runs is a capability that tools are given',
  },
  {
    folder: 'lib/threads',
    may: ['lib/api', 'lib/base', 'lib/messages', 'lib/tools', 'lib/vfs'],
    packages: ['zod', 'idb', 'eventsource-parser'],
    why: 'a thread acts through interfaces; React only watches it',
  },
  {
    folder: 'lib/scenarios',
    may: ['lib/messages', 'lib/prompts', 'lib/tools'],
    packages: ['zod', 'yaml'],
    why: 'a scenario is data and checks',
  },
  {
    folder: 'server/config',
    may: ['lib/agent'],
    packages: ['zod'],
    core: true,
    why: 'configuration is read before anything else',
  },
  { folder: 'server/log', may: [], packages: ['pino'], core: true, why: 'anything may log, so the log knows nothing' },
  {
    folder: 'server/net',
    may: ['lib/agent'],
    packages: ['ipaddr.js', 'undici'],
    core: true,
    why: 'what may be called, whoever names it',
  },
  {
    folder: 'server/models',
    may: [
      'lib/agent',
      'lib/api',
      'lib/messages',
      'lib/prompts',
      'lib/tools',
      'server/config',
      'server/log',
      'server/net',
    ],
    packages: [
      'zod',
      'ai',
      'yaml',
      '@ai-sdk/anthropic',
      '@ai-sdk/google',
      '@ai-sdk/openai',
      '@ai-sdk/openai-compatible',
      '@ai-sdk/provider',
    ],
    core: true,
    why: 'a model adapter knows tool types and providers, and no graph',
  },
  {
    folder: 'server/graph',
    may: ['lib/agent', 'lib/api', 'lib/messages', 'lib/tools', 'server/config', 'server/log', 'server/models'],
    packages: [
      'ai',
      'pg',
      '@ai-sdk/provider',
      '@langchain/core',
      '@langchain/langgraph',
      '@langchain/langgraph-checkpoint',
      '@langchain/langgraph-checkpoint-postgres',
    ],
    core: true,
    why: 'the graph orchestrates; it knows no request and no run',
  },
  {
    folder: 'server/http',
    may: ['lib/agent', 'lib/api', 'lib/base', 'lib/sandbox', 'lib/tools', 'server/config', 'server/log'],
    packages: ['zod'],
    core: true,
    why: 'the rules of a local server, for any route',
  },
  {
    folder: 'server/runs',
    may: [
      'lib/api',
      'lib/messages',
      'lib/tools',
      'server/config',
      'server/graph',
      'server/http',
      'server/log',
      'server/models',
      'server/services',
    ],
    packages: [],
    core: true,
    why: 'a run belongs to its thread, not to a request',
  },
  {
    folder: 'hosts',
    may: ['lib'],
    packages: [],
    core: true,
    why: 'a host brings capabilities, tools and the agent together, without the page and the server',
  },
  {
    folder: 'studio',
    may: [
      'lib/api',
      'lib/archive',
      'lib/base',
      'lib/messages',
      'lib/preview',
      'lib/sandbox',
      'lib/threads',
      'lib/tools',
      'lib/vfs',
      'lib/workspace',
    ],
    packages: ['zod', 'zustand', 'js-tokens'],
    why: 'what the page does brings the parts together, and shows nothing: no React',
  },
  {
    folder: 'components/hooks',
    may: ['lib/threads', 'lib/tools', 'studio'],
    packages: ['react', 'zustand'],
    why: 'hooks give views the studio',
  },
  {
    folder: 'components/i18n',
    may: ['components/hooks', 'lib/tools'],
    packages: ['react'],
    why: 'texts know nothing of the views that show them',
  },
  {
    folder: 'components/ui',
    may: ['components/i18n'],
    packages: [
      'react',
      'lucide-react',
      '@radix-ui/primitive',
      '@radix-ui/react-collection',
      '@radix-ui/react-compose-refs',
      '@radix-ui/react-dialog',
      '@radix-ui/react-dropdown-menu',
      '@radix-ui/react-primitive',
      '@radix-ui/react-select',
      '@radix-ui/react-use-callback-ref',
      '@radix-ui/react-use-controllable-state',
      '@radix-ui/react-use-escape-keydown',
    ],
    why: 'a button knows nothing of threads or files',
  },
  {
    folder: 'components/markdown',
    may: ['components/i18n', 'components/ui'],
    packages: ['react', 'lucide-react', 'marked', 'react-markdown', 'remark-gfm', 'shiki'],
    why: 'text and code look the same wherever they are shown',
  },
  {
    folder: 'components/console',
    may: ['components/hooks', 'components/i18n', 'components/ui', 'lib/tools', 'lib/vfs', 'studio'],
    packages: ['react', 'lucide-react'],
    why: 'a pane knows no other pane',
  },
  {
    folder: 'components/editor',
    may: ['components/hooks', 'components/i18n', 'components/ui', 'lib/base', 'lib/tools', 'lib/vfs', 'studio'],
    packages: ['react', 'zustand', 'lucide-react', 'monaco-editor', 'node-diff3', 'vscode-html-languageservice'],
    why: 'a pane knows no other pane',
  },
  {
    folder: 'components/files',
    may: [
      'components/hooks',
      'components/i18n',
      'components/ui',
      'lib/archive',
      'lib/threads',
      'lib/tools',
      'lib/vfs',
      'studio',
    ],
    packages: [
      'react',
      'zustand',
      'lucide-react',
      '@headless-tree/core',
      '@headless-tree/react',
      '@tanstack/react-virtual',
    ],
    why: 'a pane knows no other pane',
  },
  {
    folder: 'components/preview',
    may: [
      'components/console',
      'components/hooks',
      'components/i18n',
      'components/ui',
      'lib/messages',
      'lib/tools',
      'lib/vfs',
      'studio',
    ],
    packages: ['react', 'lucide-react'],
    why: 'a page has a console like that of the sandbox',
  },
  {
    folder: 'components/settings',
    may: [
      'components/files',
      'components/hooks',
      'components/i18n',
      'components/ui',
      'lib/archive',
      'lib/threads',
      'lib/tools',
      'studio',
    ],
    packages: ['react'],
    why: 'settings describe problems with files as the file pane does',
  },
  {
    folder: 'components/inspector',
    may: ['components/hooks', 'components/i18n', 'components/ui', 'lib/api', 'lib/messages', 'lib/threads', 'studio'],
    packages: ['react'],
    why: 'the inspector asks the server for one prompt',
  },
  {
    folder: 'components/threads',
    may: ['components/hooks', 'components/i18n', 'components/settings', 'components/ui', 'lib/threads', 'studio'],
    packages: ['react', 'lucide-react'],
    why: 'the list of threads also reminds of backups',
  },
  {
    folder: 'components/tools',
    may: [
      'components/console',
      'components/hooks',
      'components/i18n',
      'components/markdown',
      'components/ui',
      'lib/messages',
      'lib/threads',
      'lib/tools',
      'lib/vfs',
      'studio',
    ],
    packages: ['react', 'lucide-react', 'assistant-stream'],
    why: 'cards show any tool by its specification',
  },
  {
    folder: 'components/chat',
    may: [
      'components/hooks',
      'components/i18n',
      'components/inspector',
      'components/markdown',
      'components/tools',
      'components/ui',
      'lib/api',
      'lib/base',
      'lib/messages',
      'lib/threads',
      'lib/tools',
      'lib/vfs',
      'studio',
    ],
    packages: ['react', 'zustand', 'lucide-react', '@assistant-ui/react'],
    why: 'the only folder that knows assistant-ui',
  },
  {
    folder: 'components/palette',
    may: ['components/hooks', 'components/i18n', 'components/ui', 'studio'],
    packages: ['react', 'cmdk', '@radix-ui/react-dialog'],
    why: 'the palette offers what the workbench can do',
  },
  {
    folder: 'components/layout',
    may: ['components', 'studio'],
    packages: ['react', 'lucide-react', 'react-resizable-panels'],
    why: 'the layout places the panes',
  },
  { folder: 'app/api', may: ['lib', 'server'], packages: ['ai', 'zod', 'next'], why: 'routes hold no logic' },
  {
    folder: 'app/sandbox',
    may: ['lib/sandbox'],
    packages: ['next'],
    core: true,
    why: 'the frame’s route serves one document',
  },
  {
    folder: 'app',
    may: ['components', 'studio'],
    packages: ['react', 'next', '@fontsource-variable'],
    why: 'pages hold no logic',
  },
];

const TESTS = '\\.test\\.tsx?$|/test/';

/**
 * The folder's files, except those in subfolders that have their own row.
 *
 * @param {string} folder
 */
function filesOf(folder) {
  const inner = LAYERS.map((layer) => layer.folder).filter((other) => other.startsWith(`${folder}/`));
  return { path: `^${folder}/`, pathNot: [TESTS, ...inner.map((other) => `^${other}/`)] };
}

/** @type {import('dependency-cruiser').DependencyType[]} */
const CORE = ['core'];

/** @type {import('dependency-cruiser').IForbiddenRuleType[]} */
const layerRules = LAYERS.map(({ folder, may, packages, core = false, why }) => ({
  name: `layer:${folder}`,
  comment: `${folder}/ may import only itself${[...may, ...packages].map((name) => `, ${name}`).join('')}: ${why}.`,
  severity: 'error',
  from: filesOf(folder),
  to: {
    pathNot: [
      `^${folder}/`,
      ...may.map((name) => `^${name}(/|\\.ts$)`),
      ...packages.map((name) => `node_modules/(@types/)?${name}/`),
    ],
    ...(core ? { dependencyTypesNot: CORE } : {}),
  },
}));

/** @type {import('dependency-cruiser').IConfiguration} */
export default {
  forbidden: [
    ...layerRules,
    {
      name: 'no-circular',
      comment: 'Circular imports are not allowed: such modules cannot be understood separately.',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'nothing-imports-the-edges',
      comment: 'Only app/, e2e/, and bench/ themselves may import from app/, e2e/, or bench/.',
      severity: 'error',
      from: { pathNot: '^(app|e2e|bench)/' },
      to: { path: '^(app|e2e|bench)/' },
    },
    {
      name: 'hosts-know-no-other-host',
      comment: 'Each folder of hosts/ can be removed without touching another.',
      severity: 'error',
      from: { path: '^hosts/([^/]+)/' },
      to: { path: '^hosts/', pathNot: '^hosts/$1/' },
    },
    {
      name: 'no-unresolvable',
      comment: 'Every import must resolve to a file or package.',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^\\.next' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'browser', 'default', 'types'],
      extensions: ['.ts', '.tsx', '.mjs', '.js'],
    },
  },
};
