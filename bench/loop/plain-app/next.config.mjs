import { join } from 'node:path';

/** @type {import('next').NextConfig} */
const config = {
  typescript: { ignoreBuildErrors: true, tsconfigPath: '../../../tsconfig.json' },
  turbopack: { root: join(import.meta.dirname, '..', '..', '..') },
};

export default config;
