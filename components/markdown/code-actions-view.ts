import { type ComponentType, createContext } from 'react';

/** The props of the actions beside code of an answer. */
export interface CodeActionsProps {
  code: string;
  /** The name of its language, as it was written; undefined if there is none. */
  language: string | undefined;
  /** Whether long lines wrap. */
  isWrapped: boolean;
  /** Wraps long lines, or no longer does; absent for code that is too long for that. */
  onWrap?: (() => void) | undefined;
  /** Whether the code is still being written. */
  isWriting: boolean;
  /** The name of the code in its thread, under which the thread keeps the state of the actions, such as a run of the code. */
  name: string;
  /** The element below the code, for what the code prints; null before it is there. */
  below: HTMLElement | null;
}

/**
 * Provides the component that renders the actions beside a code block, apart from copying. Without one, code can only be
 * copied.
 */
export const CodeActionsView = createContext<ComponentType<CodeActionsProps> | undefined>(undefined);
