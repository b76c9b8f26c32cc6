import * as z from 'zod';
import { SOURCE_NAME, sourceUrlSchema } from '#lib/sources/mcp/server-config.ts';
import { faultsOf } from './api-faults.ts';
import { headersSchema, type RestTool, restToolSchema, textSchema } from './api-tool.ts';
import { REST_LIMITS } from './limits.ts';
import { secretsIn } from './template.ts';

/**
 * The schema of the description of an HTTP API: its name, address, and tools. A description has the names of secrets, but not
 * their values. It is invalid if `faultsOf` finds a fault in it.
 */
export const restApiSchema = z
  .strictObject({
    name: z
      .string()
      .regex(
        SOURCE_NAME,
        'must have 1 to 24 lowercase letters, digits, and hyphens, and begin with a letter or a digit',
      ),
    title: textSchema.max(200).optional(),
    baseUrl: sourceUrlSchema
      .max(REST_LIMITS.text)
      .refine((url) => !/[?#]/.test(url), 'must not contain ? or #; put query parameters into the tools'),
    headers: headersSchema.default({}),
    tools: z.array(restToolSchema).min(1, 'has no tools').max(REST_LIMITS.tools),
  })
  .superRefine((api, context) => {
    for (const { path, message } of faultsOf(api)) context.addIssue({ code: 'custom', path, message });
  });

/** The description of an HTTP API, with defaults filled in. */
export type RestApi = z.output<typeof restApiSchema>;

/** The description of an HTTP API as it is written, without defaults. */
export type RestApiInput = z.input<typeof restApiSchema>;

/** Returns the names of the secrets whose placeholders are in the headers of an API or of its tools. */
export const secretsOf = ({
  headers,
  tools,
}: {
  headers: RestApi['headers'];
  tools: readonly RestTool[];
}): string[] => [
  ...new Set([headers, ...tools.map((tool) => tool.headers)].flatMap((all) => Object.values(all).flatMap(secretsIn))),
];
