import { defined } from '#lib/base/defined.ts';

/** A kind of model server or provider that people connect to, such as Ollama or OpenAI. */
export interface ConnectionPreset {
  id: string;
  /** Its name, the same in every language; undefined for the kind for any compatible server, whose name is translated. */
  label: string | undefined;
  /** The provider's id on the studio's server. */
  provider: string;
  /** The usual address of the server; undefined for a provider's own address, or if there is no usual one. */
  baseURL?: string;
  /** Whether the person is asked for the server's address. */
  hasAddress: boolean;
  /** The pattern of the beginning of its keys; undefined if they have no shape of their own. */
  key?: RegExp;
  needsKey: boolean;
}

const cloud = (id: string, label: string, key?: RegExp): ConnectionPreset => ({
  id,
  label,
  provider: id,
  hasAddress: false,
  needsKey: true,
  ...defined({ key }),
});

const local = (id: string, label: string, port: number): ConnectionPreset => ({
  id,
  label,
  provider: 'local',
  baseURL: `http://localhost:${port}/v1`,
  hasAddress: true,
  needsKey: false,
});

/**
 * The kinds of model providers and model servers that people connect to, such as OpenAI and Ollama, in the order in which they
 * are offered. An API key that was entered belongs to the first kind whose pattern (`key`) matches it, so the more specific of
 * two patterns comes first. The last kind is for any compatible server.
 */
export const CONNECTION_PRESETS: readonly ConnectionPreset[] = [
  cloud('openai', 'OpenAI', /^sk-(proj|svcacct|admin)-/),
  cloud('anthropic', 'Anthropic', /^sk-ant-/),
  cloud('google', 'Google Gemini', /^AIza/),
  cloud('deepseek', 'DeepSeek'),
  cloud('openrouter', 'OpenRouter', /^sk-or-/),
  cloud('groq', 'Groq', /^gsk_/),
  cloud('xai', 'xAI', /^xai-/),
  cloud('mistral', 'Mistral'),
  cloud('together', 'Together', /^tgp_/),
  local('ollama', 'Ollama', 11_434),
  local('lm-studio', 'LM Studio', 1_234),
  local('llama-cpp', 'llama.cpp', 8_080),
  local('vllm', 'vLLM', 8_000),
  { id: 'compatible', label: undefined, provider: 'local', hasAddress: true, needsKey: false },
];

export const presetOf = (id: string): ConnectionPreset | undefined =>
  CONNECTION_PRESETS.find((preset) => preset.id === id);

/** Finds the kind of server to which a key belongs, by the beginning of the key; undefined if the beginning is not known. */
export const presetOfKey = (text: string): ConnectionPreset | undefined =>
  CONNECTION_PRESETS.find(({ key }) => key?.test(text.trim()) === true);

/**
 * Cleans a text that was pasted: removes quotation marks, and what documentation and settings put in front of keys and
 * addresses, such as `export NAME=` or `Authorization: Bearer`.
 */
export const pasted = (text: string): string =>
  unquoted(
    unquoted(text)
      .replace(/^(?:export\s+|set\s+)?[A-Z][A-Z\d]*_[A-Z\d_]*\s*=\s*(?=[^\s=])/, '')
      .replace(/^(?:(?:authorization|x-api-key|api-key|x-goog-api-key)\s*:\s*)?(?:bearer\s+)?/i, ''),
  );

const unquoted = (text: string): string => text.trim().replace(/^(["'“‘`])(.*)["'”’`]$/s, '$2');

/** Checks whether a text that the person has entered looks like the address of a server rather than a key. */
export function isAddress(text: string): boolean {
  const typed = text.trim();
  // Keys with a known beginning may look like addresses otherwise.
  if (/^(?:sk|pk|gsk|xai|tgp|key)[-_]/i.test(typed) || presetOfKey(typed) !== undefined) return false;
  if (/^https?:\/\//i.test(typed)) return true;
  const parts = /^(localhost|\[[0-9a-f:]+\]|[\w-]+(?:\.[\w-]+)*)(:\d{2,5})?(\/\S*)?$/i.exec(typed);
  if (parts === null) return false;
  const [, host = '', port, path] = parts;
  // Keys may have dots and slashes, too.
  return (
    port !== undefined ||
    KNOWN_ENDS.test(host) ||
    (HOST_NAME.test(host) && (path === undefined || /^\/(v\d|api)/.test(path)))
  );
}

/** Names of machines in a local network. Keys are longer than these. */
const HOST_NAME = /^[a-z][a-z\d-]{0,14}$/;

/** Ends of names of machines, and IP addresses. */
const KNOWN_ENDS =
  /^\[|^\d{1,3}(\.\d{1,3}){3}$|\.(com|net|org|io|ai|dev|app|cloud|co|cn|de|fr|eu|uk|jp|us|in|xyz|local|lan|home|internal)$/i;

/**
 * Returns the kind of server that usually has the port of an address on this computer, such as Ollama. For all other addresses,
 * returns the kind for any compatible server.
 */
export function presetOfLocalPort(text: string): ConnectionPreset {
  const typed = text.trim().toLowerCase();
  const port = /^(?:https?:\/\/)?(?:localhost|127\.0\.0\.1|\[::1\]):(\d+)/.exec(typed)?.[1];
  const usual = port && CONNECTION_PRESETS.find(({ baseURL }) => baseURL?.includes(`:${port}/`));
  return usual || (CONNECTION_PRESETS.at(-1) as ConnectionPreset);
}
