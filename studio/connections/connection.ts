import * as z from 'zod';
import { listedModelSchema } from '#lib/api/connections.ts';
import { modelConfigSchema } from '#lib/api/model-config.ts';

/** What a person chose for one model of a connection. */
export const modelChoicesSchema = modelConfigSchema
  .pick({ protocol: true, contextSize: true, vision: true, reasoning: true, temperature: true, maxOutputTokens: true })
  .extend({ toolCalling: modelConfigSchema.shape.toolCalling.unwrap().optional() });

const connectedModelSchema = listedModelSchema.extend({
  /** Whether it is offered in the list of models. */
  isShown: z.boolean(),
  choices: modelChoicesSchema.optional(),
  /** Its endpoint refused native tools, or its calls arrived as text: `auto` describes the tools in the prompt. */
  hasRefusedTools: z.boolean().optional(),
});

/** A connection to a provider or a server, without its key. */
export const connectionSchema = z.object({
  /** Begins the ids of its models. */
  id: z.string(),
  /** As the person named it. */
  name: z.string(),
  /** The kind of server that the person chose. */
  preset: z.string(),
  /** The provider's id on the server. */
  provider: z.string(),
  /** Absent for a provider's own address. */
  baseURL: z.string().optional(),
  /** Whether a key was saved for it; that may be gone, as after restoring a backup. */
  hasKey: z.boolean(),
  models: z.array(connectedModelSchema),
  /** When its models were last asked for, in milliseconds since the epoch. */
  checkedAt: z.number(),
});

export const connectionsSchema = z.array(connectionSchema);

export type ConnectedModel = z.infer<typeof connectedModelSchema>;
export type Connection = z.infer<typeof connectionSchema>;

/** What a connection's key is for: it is not given out for any other address. */
export const purposeOf = ({ provider, baseURL }: Pick<Connection, 'provider' | 'baseURL'>): string =>
  `${provider} ${baseURL ?? ''}`;

/** The id by which the studio knows a model of a connection. */
export const personalModelId = ({ id }: Pick<Connection, 'id'>, model: string): string => `${id}/${model}`;
