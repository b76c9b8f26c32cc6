import type { ConsoleLine, JavaScriptOutcome } from './rendered-value.ts';
import type { RawAnswer } from './web.ts';

/**
 * Runs JavaScript isolated from the studio's page, in a session that keeps what earlier code has declared. Rejects only with
 * `ToolFailure`, also if the code throws or cannot be parsed, and if it is stopped or exceeds its time limit, which ends the
 * session.
 */
export interface JavaScriptEvaluator {
  evaluate(code: string, options: EvaluationOptions): Promise<JavaScriptOutcome>;
}

/** Options of one evaluation of JavaScript in the sandbox. */
export interface EvaluationOptions {
  abortSignal: AbortSignal;
  /** The time limit in milliseconds. Time spent waiting for the user's permission does not count. */
  timeoutMs: number;
  /**
   * The author of the code; by default, the model. `answer`: the model, in an answer whose code the person runs. `studio`: the
   * studio itself; the console shows neither this code nor its value.
   */
  by?: 'model' | 'answer' | 'person' | 'studio';
  /** The code that people see in the console; by default, the code that runs. */
  shown?: string;
  /** Access to the workspace's files, as `vfs`. */
  files: SandboxFiles;
  /** Requests to the web, as `fetch`; there are none if absent. */
  fetch?: SandboxFetch;
  /** Called with each line that the code prints, as it prints it. */
  onPrint?(line: ConsoleLine): void;
}

/**
 * The workspace's files, for code in the sandbox. Methods reject with an error whose message the code gets. `onWait`: called
 * with true when the user is asked for permission, and with false afterwards.
 */
export interface SandboxFiles {
  read(path: string, onWait: (isWaiting: boolean) => void): Promise<string>;
  write(path: string, text: string, onWait: (isWaiting: boolean) => void): Promise<void>;
  /** Resolves with the entries of a directory, as `listedSchema` of the tool `list_directory` describes them. */
  list(path: string, onWait: (isWaiting: boolean) => void): Promise<unknown>;
}

/**
 * Sends a request for code in the sandbox. Resolves with the answer, or with the reason why the request is not allowed. Rejects
 * with an error whose message the code gets. `onWait`: called with true when the user is asked for permission, and with false
 * afterwards.
 */
export type SandboxFetch = (
  url: string,
  method: 'GET' | 'HEAD',
  onWait: (isWaiting: boolean) => void,
) => Promise<RawAnswer | { denied: string }>;
