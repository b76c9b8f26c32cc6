import * as z from 'zod';
import type { ToolCallingMode } from '#lib/messages/message.ts';
import { listedModelSchema } from '#lib/wire/connections.ts';

const connectedModelSchema = listedModelSchema.extend({
  /** Whether the model is offered in the list of models. */
  isShown: z.boolean(),
  /** Whether the model was on offer when its connection was backed up. Only for restored connections. */
  wasShown: z.boolean().optional(),
  /**
   * Whether the endpoint refused native tools, or the model's calls arrived as text. If so, `auto` describes the tools in the
   * prompt.
   */
  hasRefusedTools: z.boolean().optional(),
});

/** A connection to a model provider or model server, without its key. */
export const connectionSchema = z.object({
  /** The prefix of the studio's ids for the connection's models. No model of the studio's own server has such an id. */
  id: z.string().regex(/^personal-[\w-]+$/),
  /** The name that the person has given it. */
  name: z.string(),
  /** The id of the kind of server that the person chose (see `ConnectionPreset`). */
  preset: z.string(),
  /** The provider's id on the studio's server. */
  provider: z.string(),
  /** The address of the model's server; absent for a provider's own address. */
  baseURL: z.string().optional(),
  /** Whether a key was saved for it; the key may be gone, for example after restoring a backup. */
  hasKey: z.boolean(),
  models: z.array(connectedModelSchema),
  /** When its models were last asked for, in milliseconds since the epoch. */
  checkedAt: z.number(),
});

/**
 * A list of connections, with each id once. Entries that cannot be read, for instance because another version of the studio
 * has stored them, are left out.
 */
export const connectionsSchema = z.array(z.unknown()).transform((all) => {
  const readable = all.flatMap((one) => connectionSchema.safeParse(one).data ?? []);
  return [...new Map(readable.map((one) => [one.id, one])).values()];
});

export type ConnectedModel = z.infer<typeof connectedModelSchema>;
export type Connection = z.infer<typeof connectionSchema>;

/**
 * Returns the way in which a model calls tools, `native` or `prompted` (as text), as far as its endpoint has said so or has
 * shown it by refusing native tools; undefined otherwise.
 */
export function learnedToolCalling({ nativeTools, hasRefusedTools }: ConnectedModel): ToolCallingMode | undefined {
  if (hasRefusedTools === true) return 'prompted';
  return nativeTools === undefined ? undefined : nativeTools ? 'native' : 'prompted';
}

/**
 * Returns a text with the provider and address for which a connection's key may be used. The vault gives the key out for
 * nothing else.
 */
export const purposeOf = ({ provider, baseURL }: Pick<Connection, 'provider' | 'baseURL'>): string =>
  `${provider} ${baseURL ?? ''}`;

/** The id by which the studio knows a model of a connection. `model`: the name of the model at the provider or server. */
export const personalModelId = ({ id }: Pick<Connection, 'id'>, model: string): string => `${id}/${model}`;
