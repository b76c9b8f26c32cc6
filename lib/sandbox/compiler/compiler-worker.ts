import { expose } from 'comlink';
import { compile } from './compile.ts';

/** What the worker offers. */
export type Compile = typeof compile;

expose(compile);
