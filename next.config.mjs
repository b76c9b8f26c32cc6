import { readFileSync } from 'node:fs';

/** The studio's own version, which its settings show. */
const { version } = JSON.parse(readFileSync(new URL('package.json', import.meta.url), 'utf8'));

/** Headers for every response. The sandbox's routes set stricter ones. */
const SECURITY_HEADERS = {
  'X-Content-Type-Options': 'nosniff',
  'X-DNS-Prefetch-Control': 'off',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Permissions-Policy': 'camera=(), microphone=(), geolocation=(), payment=(), usb=()',
};

/** @type {import('next').NextConfig} */
const config = {
  reactStrictMode: true,
  poweredByHeader: false,
  env: { STUDIO_VERSION: version },
  // `npm run check` type-checks everything, including what goes into this build.
  typescript: { ignoreBuildErrors: true },
  serverExternalPackages: [
    '@ai-sdk/anthropic',
    '@ai-sdk/google',
    '@ai-sdk/openai',
    '@ai-sdk/openai-compatible',
    '@langchain/core',
    '@langchain/langgraph',
    '@langchain/langgraph-checkpoint-postgres',
    '@modelcontextprotocol/client',
    '@redis/client',
    'ai',
    'pg',
    'pino',
    'prom-client',
    'undici',
    'yaml',
  ],
  // A release ships the server with the packages that it loads (scripts/release).
  ...(process.env.PACKED_BUILD !== undefined && { output: 'standalone', distDir: process.env.PACKED_BUILD }),
  // Nobody reads the maps of a build's server code, which would be more than half of what it weighs.
  experimental: { turbopackSourceMaps: process.env.NODE_ENV !== 'production' },
  turbopack: {
    resolveAlias: {
      'next/dist/compiled/buffer': './studio/page/no-buffer.ts',
      'radix-ui/internal': './components/ui/radix-internal.ts',
      '#components/layout/studio-root.tsx': {
        browser: './components/layout/studio-root.tsx',
        default: './components/layout/server-studio.tsx',
      },
      'react-textarea-autosize': './components/ui/no-autosize.ts',
    },
  },
  // Where load balancers look for them.
  rewrites: async () => ['livez', 'readyz'].map((name) => ({ source: `/${name}`, destination: `/api/${name}` })),
  headers: async () => [
    { source: '/:path*', headers: Object.entries(SECURITY_HEADERS).map(([key, value]) => ({ key, value })) },
  ],
};

export default config;
