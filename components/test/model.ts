import { commands } from 'vitest/browser';
import type { ChatRequestBody, ScriptedTurn } from '#e2e/lib/scripted-model.ts';

declare module 'vitest/browser' {
  interface BrowserCommands {
    scriptModel(prompt: string, turns: readonly (ScriptedTurn | readonly ScriptedTurn[])[]): Promise<void>;
    scriptSummary(text: string, turn?: ScriptedTurn): Promise<void>;
    summaryRequests(text: string): Promise<ChatRequestBody[]>;
    openGate(gate: string): Promise<void>;
    modelRequests(prompt: string): Promise<ChatRequestBody[]>;
    modelRequestsWith(text: string): Promise<ChatRequestBody[]>;
    abortedModelRequests(prompt: string): Promise<number>;
  }
}

/** Controls the scripted model from a test in the browser. All tests share it, so each uses prompts and gates of its own. */
export const model = {
  /** Sets the model's replies to the message `prompt`, one for each step. */
  script: (prompt: string, turns: readonly (ScriptedTurn | readonly ScriptedTurn[])[]): Promise<void> =>
    commands.scriptModel(prompt, turns),
  /** Sets the model's summary of conversations that contain a text. By default, it lists what is to be kept. */
  scriptSummary: (text: string, turn?: ScriptedTurn): Promise<void> => commands.scriptSummary(text, turn),
  /** The requests for summaries of conversations that contain a text, in order. */
  summaryRequestsFor: (text: string): Promise<ChatRequestBody[]> => commands.summaryRequests(text),
  /** Lets a reply that is paused at a gate continue. */
  open: (gate: string): Promise<void> => commands.openGate(gate),
  /** The requests for answers to a message, in order. */
  requestsFor: (prompt: string): Promise<ChatRequestBody[]> => commands.modelRequests(prompt),
  /** The requests with a text anywhere in them, such as in a message with files, in order. */
  requestsWith: (text: string): Promise<ChatRequestBody[]> => commands.modelRequestsWith(text),
  /** The number of requests for answers to a message that the studio aborted. */
  abortedFor: (prompt: string): Promise<number> => commands.abortedModelRequests(prompt),
};
