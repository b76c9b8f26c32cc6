declare module 'd3';
declare module 'pdfjs-dist/legacy/build/pdf.worker.mjs';
declare module 'three';
declare module 'three/addons/controls/OrbitControls.js';

/** A grammar of Monaco, such as that of `css/css.js`. */
declare module 'monaco-editor/languages/definitions/*' {
  import type { languages } from 'monaco-editor';
  export const language: languages.IMonarchLanguage;
  export const conf: languages.LanguageConfiguration;
}

declare module 'monaco-editor/languages/features/json/tokenization.js' {
  import type { languages } from 'monaco-editor';
  export function createTokenizationSupport(supportsComments: boolean): languages.TokensProvider;
}

// What only benchmarks and long suites use is installed in bench/peers by the commands that need it.
declare module '@ai-sdk-tool/parser';
declare module '@zenfs/core';
declare module '@zenfs/dom';
declare module 'gpt-3-encoder';
declare module 'llama-tokenizer-js';
declare module 'llama3-tokenizer-js';
declare module 'mistral-tokenizer-js';

declare module '@isomorphic-git/lightning-fs' {
  export default class LightningFs {
    constructor(name: string);
    readonly promises: { readdir(path: string): Promise<string[]> };
  }
}

declare module '@sqlite.org/sqlite-wasm' {
  interface Statement {
    bind(values: readonly unknown[]): this;
    step(): boolean;
    stepReset(): void;
    reset(): void;
    getBlob(column: number): Uint8Array | null;
    finalize(): void;
  }
  export interface OpfsSAHPoolDatabase {
    exec(sql: string | { sql: string; bind: readonly unknown[] | Record<string, unknown> }): void;
    prepare(sql: string): Statement;
    transaction(work: () => void): void;
    selectArrays(sql: string, bind: readonly unknown[]): unknown[][];
    close(): void;
  }
  interface Pool {
    OpfsSAHPoolDb: new (file: string) => OpfsSAHPoolDatabase;
  }
  export default function start(): Promise<{
    installOpfsSAHPoolVfs(options: { name: string; directory: string }): Promise<Pool>;
  }>;
}
