import { toDotPath } from 'zod/v4/core';
import { addressPolicyOf, listOf } from '#config/address-policy.ts';
import type { ServerEnv } from '#config/env.ts';
import { StepError } from '#lib/agent/problems.ts';
import {
  type ConnectionAnswer,
  type ConnectionRequest,
  type ListedModel,
  personalKeySchema,
} from '#lib/wire/connections.ts';
import type { ModelConfig as PersonalModel } from '#lib/wire/model-config.ts';
import { checkedFetch } from '#net/checked-fetch.ts';
import { baseUrlCandidates } from './base-url-candidates.ts';
import { modelConfigSchema, type ResolvedModelConfig, resolveModelConfig } from './config.ts';
import { describeListError } from './list-errors.ts';
import { isOwnAddress } from './providers/provider.ts';
import { PROVIDERS } from './providers/providers.ts';
import { withTableEntry } from './table-entry.ts';

/** The access to a model of a person's connection, whose address the browser names. */
export interface PersonalAccess {
  /** `fetch` that refuses addresses that the operator does not allow, such as private ones if the studio is open to others. */
  fetch: typeof fetch;
  /** Checks whether an address is within `PERSONAL_BASE_URLS`; if those are not set, all are. */
  allows(url: string): boolean;
}

/** The maximum time for an endpoint to list its models, in milliseconds, for each address that is tried. */
const LIST_TIMEOUT_MS = 8_000;

/** Codes of problems that show that the address is the right one, so no other is tried. */
const MEANT: ReadonlySet<string> = new Set(['key-refused', 'rate-limited', 'no-credit', 'access-refused']);

/** The maximum number of models that one connection lists. */
const CONNECTION_MODELS_MAX = 5_000;

type PersonalEnv = Pick<
  ServerEnv,
  'HOST' | 'PORT' | 'ALLOWED_HOSTS' | 'PERSONAL_KEYS' | 'PERSONAL_BASE_URLS' | 'PERSONAL_ALLOWED_HOSTS'
>;

/**
 * Checks and lists models of connections that people make in their browsers. Addresses and keys come with each request, and
 * are used for what that request starts and nothing else.
 */
export class PersonalModels {
  readonly #env: PersonalEnv;
  readonly #access: PersonalAccess;

  constructor(env: PersonalEnv) {
    this.#env = env;
    this.#access = {
      fetch: checkedFetch(addressPolicyOf(env)),
      allows: (url) => this.#isAllowedBaseURL(url),
    };
  }

  /** Whether people may use keys of their own. */
  get isAllowed(): boolean {
    return this.#env.PERSONAL_KEYS;
  }

  /** The addresses that connections are restricted to; empty if they are not. */
  get baseURLs(): readonly string[] {
    return listOf(this.#env.PERSONAL_BASE_URLS);
  }

  /**
   * Checks a model of a connection, and returns its configuration, its key, and the access to it. Throws `StepError` if
   * people may not use keys of their own, or the key, the model, or its address is not allowed. No request is sent.
   */
  resolve(id: string, model: PersonalModel, key: string | undefined) {
    this.#checkAllowed();
    checkKey(key);
    const parsed = modelConfigSchema.safeParse({ ...model, id });
    if (!parsed.success) {
      const [issue] = parsed.error.issues;
      throw new StepError('invalid-connection', `${toDotPath(issue?.path ?? [])}: ${issue?.message ?? 'is invalid'}`);
    }
    const config: ResolvedModelConfig = resolveModelConfig(parsed.data);
    if (!PLAIN_NAME.test(config.model))
      throw new StepError('invalid-connection', `“${config.model}” is not the name of a model.`);
    const provider = this.#providerOf(config.provider);
    const baseURL = config.baseURL ?? provider.baseURL;
    if (baseURL === undefined) throw new StepError('invalid-connection', `${provider.label} needs an address.`);
    this.#checkBaseURL(baseURL);
    // Always the address that was checked: a provider's client would take one from the operator's variables.
    return { model: { ...config, baseURL }, apiKey: key, access: this.#access };
  }

  /**
   * Asks an endpoint for its models, at each address that the typed one may stand for until one answers, and returns that one
   * with the list. Rejects with `StepError`; its details do not contain the key. Nothing is kept.
   */
  async list({ provider: id, baseURL }: ConnectionRequest, key: string | undefined): Promise<ConnectionAnswer> {
    this.#checkAllowed();
    checkKey(key);
    const provider = this.#providerOf(id);
    const listModels = provider.listModels?.bind(provider);
    if (listModels === undefined) throw new StepError('invalid-connection', `${provider.label} has no models to list.`);
    const typed = baseURL?.trim() ?? '';
    const addresses = typed === '' ? [provider.baseURL ?? ''] : baseUrlCandidates(typed);
    if (addresses[0] === undefined || addresses[0] === '')
      throw new StepError(
        'invalid-address',
        typed === '' ? `${provider.label} needs an address.` : `“${typed}” is not a web address.`,
      );
    let first: StepError | undefined;
    const allowed = addresses.filter((address) => this.#isAllowedBaseURL(address));
    if (allowed.length === 0) this.#checkBaseURL(addresses[0]);
    const silent = new Set<string>();
    for (const address of allowed) {
      if (silent.has(new URL(address).origin)) continue;
      try {
        const endpoint = { baseURL: address, apiKey: key, timeoutMs: LIST_TIMEOUT_MS, fetch: this.#access.fetch };
        const models: ListedModel[] = (await listModels(endpoint))
          .filter(({ model }) => PLAIN_NAME.test(model))
          .slice(0, CONNECTION_MODELS_MAX)
          .map((model) => (isOwnAddress(provider, { baseURL: address }) ? withTableEntry(id, model) : model));
        return { ...(typed !== '' && { baseURL: address }), models };
      } catch (error) {
        const { code, detail } = describeListError(error, key);
        const problem = new StepError(code, detail);
        // The address was right, so no other one is meant.
        if (code === 'key-refused' && key === undefined) throw new StepError('key-required', detail);
        if (MEANT.has(code)) throw problem;
        // Where nobody answers, nobody answers at another path.
        if (code === 'endpoint-unreachable' || code === 'endpoint-timeout') silent.add(new URL(address).origin);
        // An API that fails says more than an address without one.
        if (first === undefined || code === 'endpoint-error') first = problem;
      }
    }
    throw first ?? new StepError('internal', 'No address was tried.');
  }

  #checkAllowed(): void {
    if (!this.isAllowed)
      throw new StepError('personal-keys-off', 'This studio uses only the models that its operator has set up.');
  }

  #providerOf(id: string) {
    const provider = PROVIDERS.find((one) => one.id === id);
    if (provider === undefined || provider.onlyStreams === true)
      throw new StepError('invalid-connection', `There is no provider “${id}”.`);
    return provider;
  }

  #isAllowedBaseURL(baseURL: string): boolean {
    const allowed = this.baseURLs;
    return allowed.length === 0 || allowed.some((prefix) => isBelow(baseURL, prefix));
  }

  #checkBaseURL(baseURL: string): void {
    if (!this.#isAllowedBaseURL(baseURL))
      throw new StepError('address-refused', `This studio connects only to ${this.baseURLs.join(', ')}.`);
  }
}

/** Matches names of models. Some providers put them into the address, so nothing in them may lead elsewhere. */
const PLAIN_NAME = /^(?!.*(?:^|\/)\.{1,2}(?:\/|$))[^\s?#\\%]{1,300}$/;

/** Checks whether an address is `prefix`, or below it. */
function isBelow(address: string, prefix: string): boolean {
  if (!URL.canParse(address) || !URL.canParse(prefix)) return false;
  const [own, other] = [new URL(address), new URL(prefix)];
  const [path, root] = [own, other].map(({ pathname }) => pathname.replace(/\/*$/, '/'));
  return own.origin === other.origin && (path ?? '').startsWith(root ?? '/');
}

/** Throws `StepError` for a key that is not valid as a header's value: it would be repeated in errors. */
function checkKey(key: string | undefined): void {
  if (key !== undefined && !personalKeySchema.safeParse(key).success)
    throw new StepError('invalid-key', 'The key contains characters that no key has. Copy it again.');
}
