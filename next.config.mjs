/** @type {import('next').NextConfig} */
const config = {
  reactStrictMode: true,
  poweredByHeader: false,
  // `npm run check` checks the types of everything, this build included.
  typescript: { ignoreBuildErrors: true },
  serverExternalPackages: [
    '@langchain/core',
    '@langchain/langgraph',
    '@langchain/langgraph-checkpoint-postgres',
    'pg',
    'pino',
  ],
};

export default config;
