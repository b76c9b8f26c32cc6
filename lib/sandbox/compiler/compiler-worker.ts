import { expose } from 'comlink';
import { compile } from './compile.ts';

/** The function that the worker offers. */
export type Compile = typeof compile;

expose(compile);
