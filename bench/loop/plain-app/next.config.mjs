import { join } from 'node:path';

/** The project's folder: this one is copied to `.cache/plain-app`. */
const root = join(import.meta.dirname, '..', '..');

/** @type {import('next').NextConfig} */
const config = {
  typescript: { ignoreBuildErrors: true, tsconfigPath: '../../tsconfig.json' },
  turbopack: { root },
};

export default config;
