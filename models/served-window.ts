import * as z from 'zod';
import { readBodyText } from './providers/endpoint.ts';

/** The maximum time for a server to say what it serves, in milliseconds. */
const TIMEOUT_MS = 3_000;

/** The longest answer that is read, in bytes. */
const ANSWER_MAX_BYTES = 4_194_304;

/** A model, and the API that serves it. */
export interface ServedModel {
  /** The base URL of its API, which usually ends in `/v1`. */
  baseURL: string;
  model: string;
  apiKey: string | undefined;
  fetch: typeof fetch;
  /** Checks whether a request to an address is allowed; by default, any is. */
  allows?: ((url: string) => boolean) | undefined;
}

const windowSchema = z.number().int().min(512);

/** An address at which a server says which window it serves, and the way to read it. */
interface Source {
  /** The path below the server's root, or, with `isBelowBase`, below the base URL. */
  path: string;
  isBelowBase?: true;
  /** Returns the body that is posted to the address; absent if the request is a `GET`. */
  post?(model: string): unknown;
  read(body: unknown, model: string): number | undefined;
}

const propsSchema = z.object({ default_generation_settings: z.object({ n_ctx: windowSchema }) });

/** Makes a schema of a list that skips entries that do not fit: they may describe models that cannot chat. */
const entries = <Entry>(schema: z.ZodType<Entry>) =>
  z.array(z.unknown()).transform((all) => all.flatMap((one) => schema.safeParse(one).data ?? []));

const processesSchema = z.object({
  models: entries(z.object({ name: z.string(), model: z.string().optional(), context_length: windowSchema })),
});

const showSchema = z.object({ parameters: z.string().optional() });

const loadedSchema = z.object({
  models: entries(
    z.object({
      key: z.string().optional(),
      id: z.string().optional(),
      loaded_instances: entries(
        z.object({ id: z.string().optional(), config: z.object({ context_length: windowSchema }) }),
      ),
    }),
  ),
});

const listSchema = z.object({
  data: entries(
    z.object({
      id: z.string(),
      max_model_len: windowSchema.optional().catch(undefined),
      meta: z.object({ n_ctx: windowSchema.optional().catch(undefined) }).nullish(),
    }),
  ),
});

/**
 * The addresses of llama.cpp, Ollama, LM Studio, and vLLM. They tell the window in use, not the one that a model was trained
 * with.
 */
const SOURCES: readonly Source[] = [
  { path: '/props', read: (body) => propsSchema.safeParse(body).data?.default_generation_settings.n_ctx },
  {
    path: '/api/ps',
    read: (body, model) =>
      processesSchema
        .safeParse(body)
        .data?.models.find((one) => [one.name, one.model, one.name.replace(/:latest$/, '')].includes(model))
        ?.context_length,
  },
  {
    // Ollama's window of a model that is not loaded yet, if its configuration names one.
    path: '/api/show',
    post: (model) => ({ model }),
    read(body) {
      const { parameters = '' } = showSchema.safeParse(body).data ?? {};
      const window = Number(/^num_ctx\s+(\d+)$/m.exec(parameters)?.[1]);
      return windowSchema.safeParse(window).data;
    },
  },
  {
    path: '/api/v1/models',
    read(body, model) {
      const models = loadedSchema.safeParse(body).data?.models ?? [];
      const instances = models.flatMap(({ key, id, loaded_instances: loaded }) => {
        const named = loaded.filter((instance) => instance.id === model);
        return named.length === 0 && (key === model || id === model) ? loaded : named;
      });
      return instances[0]?.config.context_length;
    },
  },
  {
    path: '/models',
    isBelowBase: true,
    read(body, model) {
      const found = listSchema.safeParse(body).data?.data.find(({ id }) => id === model);
      return found?.max_model_len ?? found?.meta?.n_ctx;
    },
  },
];

/**
 * Asks a server (llama.cpp, Ollama, LM Studio, or vLLM) for the context window with which it serves a model, in tokens;
 * undefined if it says none, such as for a model that is not loaded yet. Rejects only if the signal aborts.
 */
export async function servedWindow(served: ServedModel, signal: AbortSignal): Promise<number | undefined> {
  const base = served.baseURL.replace(/\/+$/, '');
  const root = base.replace(/\/v\d+$/, '');
  const said = await Promise.all(
    SOURCES.map(async ({ path, isBelowBase, post, read }) => {
      // A key is for the base URL, so whatever is beside that is asked without it.
      const body =
        isBelowBase === true
          ? await bodyOf(`${base}${path}`, served, signal)
          : await bodyOf(`${root}${path}`, { ...served, apiKey: undefined }, signal, post?.(served.model));
      return read(body, served.model);
    }),
  );
  return said.find((window) => window !== undefined);
}

/** Requests the JSON at an address, with `posted` as the body of a `POST` if it is given; undefined if there is none. */
async function bodyOf(
  url: string,
  { apiKey, fetch, allows }: ServedModel,
  signal: AbortSignal,
  posted?: unknown,
): Promise<unknown> {
  if (allows?.(url) === false) return undefined;
  try {
    const response = await fetch(url, {
      ...(posted !== undefined && { method: 'POST', body: JSON.stringify(posted) }),
      headers: {
        ...(apiKey !== undefined && { authorization: `Bearer ${apiKey}` }),
        ...(posted !== undefined && { 'content-type': 'application/json' }),
      },
      signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
    });
    if (!response.ok) {
      await response.body?.cancel();
      return undefined;
    }
    return JSON.parse(await readBodyText(response, ANSWER_MAX_BYTES));
  } catch {
    // A server that does not answer this is not the kind that is asked for.
    signal.throwIfAborted();
    return undefined;
  }
}
