import { expose } from 'comlink';
import { compile } from './compile.ts';

export type Compile = typeof compile;

expose(compile);
