import { expose } from 'comlink';
import { compile } from './compile.ts';

/** The function of the worker that compiles code, which the page calls over Comlink. */
export type Compile = typeof compile;

expose(compile);
