/** The folder of a workspace with its prompts, which are texts that people insert into messages by their names. */
export const PROMPTS_FOLDER = '/.roundtrip/prompts';

/** The limits of the prompts of a workspace, the files in `PROMPTS_FOLDER`. */
export const PROMPT_LIMITS = {
  /** Prompts of one workspace; more are not offered. */
  prompts: 100,
  /** Arguments of one prompt. */
  arguments: 20,
  /** The name of an argument, in characters. */
  name: 64,
  /** The value that is filled in for an argument, in characters. */
  argument: 10_000,
  /** The text of a prompt, in characters. */
  text: 100_000,
} as const;
