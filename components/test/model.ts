import { commands } from 'vitest/browser';
import type { ChatRequestBody, ScriptedTurn } from '#e2e/lib/scripted-model.ts';

declare module 'vitest/browser' {
  interface BrowserCommands {
    scriptModel(prompt: string, turns: readonly (ScriptedTurn | readonly ScriptedTurn[])[]): Promise<void>;
    openGate(gate: string): Promise<void>;
    modelRequests(prompt: string): Promise<ChatRequestBody[]>;
    abortedModelRequests(prompt: string): Promise<number>;
  }
}

/** The scripted model, from a test in the browser. All tests share it, so each uses prompts and gates of its own. */
export const model = {
  /** Prepares the replies to a message. */
  script: (prompt: string, turns: readonly (ScriptedTurn | readonly ScriptedTurn[])[]): Promise<void> =>
    commands.scriptModel(prompt, turns),
  /** Releases a reply that is paused. */
  open: (gate: string): Promise<void> => commands.openGate(gate),
  /** The requests for answers to a message, in order. */
  requestsFor: (prompt: string): Promise<ChatRequestBody[]> => commands.modelRequests(prompt),
  /** How many of them the studio did not let the model answer to the end. */
  abortedFor: (prompt: string): Promise<number> => commands.abortedModelRequests(prompt),
};
