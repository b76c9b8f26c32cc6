/** An authorization server and the way in to the tool server that it guards, in this process or behind HTTP. */
export class TestOAuthServer {
  /** Without a slash at its end. */
  readonly issuer: string;
  /** The address of the tool server. */
  readonly resource: string;
  /** Properties that are added to its metadata, or replace some of it. */
  metadata: Record<string, unknown> = {};
  /** Properties that are added to the tool server's metadata, or replace some of it. */
  resourceMetadata: Record<string, unknown> = {};
  /** Properties that are added to each answer of its token endpoint. */
  token: Record<string, unknown> = {};
  /** Properties that are added to each registration. */
  registration: Record<string, unknown> = {};
  /** Answers in its place where it returns something. */
  answer: (request: Request) => Response | undefined | Promise<Response | undefined> = () => undefined;
  /** Whether it issues refresh tokens. */
  isRenewable = true;
  /** The permission that the tool server wants. */
  scope = 'tools';
  /** Whether the tool server takes any token at all. */
  isOpen = true;
  /** Requests, as `METHOD path`, and forms of the token endpoint. */
  readonly requests: string[] = [];
  readonly forms: Record<string, string>[] = [];
  /** The `authorization` of each request to the tool server. */
  readonly shown: (string | null)[] = [];
  /** Refresh tokens that were used a second time. */
  replays = 0;
  readonly #codes = new Map<string, { query: URLSearchParams; isUsed: boolean }>();
  readonly #access = new Map<string, string>();
  readonly #refresh = new Map<string, { scope: string; isUsed: boolean }>();
  #count = 0;

  constructor(issuer: string, resource: string) {
    this.issuer = issuer;
    this.resource = resource;
  }

  /** Makes access tokens that were issued worthless. */
  expire(): void {
    this.#access.clear();
  }

  /** Makes all tokens worthless. */
  revokeAll(): void {
    this.#access.clear();
    this.#refresh.clear();
  }

  /** Returns the address that a person is sent back to after agreeing or refusing. */
  redirectOf(authorizationUrl: string, decision: 'agree' | 'refuse' = 'agree'): string {
    const query = new URL(authorizationUrl).searchParams;
    const back = new URL(query.get('redirect_uri') ?? 'about:blank');
    if (decision === 'refuse') back.searchParams.set('error', 'access_denied');
    else {
      const code = `code-${++this.#count}`;
      this.#codes.set(code, { query, isUsed: false });
      back.searchParams.set('code', code);
    }
    back.searchParams.set('state', query.get('state') ?? '');
    back.searchParams.set('iss', this.issuer);
    return back.href;
  }

  /** Answers whatever belongs to logging in; undefined for the tool server itself, once it lets the request pass. */
  async fetch(request: Request): Promise<Response | undefined> {
    const url = new URL(request.url);
    const place = url.origin + url.pathname;
    this.requests.push(`${request.method} ${url.pathname}`);
    const other = await this.answer(request.clone());
    if (other !== undefined) return other;
    if (url.pathname.startsWith('/.well-known/oauth-protected-resource'))
      return Response.json({
        resource: this.resource,
        authorization_servers: [this.issuer],
        scopes_supported: [this.scope],
        ...this.resourceMetadata,
      });
    if (url.pathname.startsWith('/.well-known/oauth-authorization-server')) return Response.json(this.#metadata());
    if (place === `${this.issuer}/register`) return this.#register(await request.json());
    if (place === `${this.issuer}/token`)
      return this.#token(Object.fromEntries(new URLSearchParams(await request.text())));
    if (place === `${this.issuer}/revoke`) return this.#revoke(new URLSearchParams(await request.text()));
    return place === this.resource ? this.#guard(request) : new Response('', { status: 404 });
  }

  #metadata() {
    return {
      issuer: this.issuer,
      authorization_endpoint: `${this.issuer}/authorize`,
      token_endpoint: `${this.issuer}/token`,
      registration_endpoint: `${this.issuer}/register`,
      revocation_endpoint: `${this.issuer}/revoke`,
      response_types_supported: ['code'],
      code_challenge_methods_supported: ['S256'],
      token_endpoint_auth_methods_supported: ['none'],
      authorization_response_iss_parameter_supported: true,
      ...this.metadata,
    };
  }

  #register(described: Record<string, unknown>): Response {
    return Response.json({ ...described, client_id: `client-${++this.#count}`, ...this.registration }, { status: 201 });
  }

  async #token(form: Record<string, string>): Promise<Response> {
    if (form.grant_type === undefined) return failure('invalid_request');
    this.forms.push(form);
    if (form.grant_type === 'refresh_token') return this.#renew(form.refresh_token ?? '');
    const code = this.#codes.get(form.code ?? '');
    const isRight =
      code !== undefined &&
      !code.isUsed &&
      code.query.get('code_challenge_method') === 'S256' &&
      code.query.get('code_challenge') === (await challengeOf(form.code_verifier ?? '')) &&
      ['client_id', 'redirect_uri', 'resource'].every((name) => code.query.get(name) === form[name]);
    if (!isRight) return failure('invalid_grant');
    code.isUsed = true;
    return this.#issue(code.query.get('scope') ?? '');
  }

  #renew(token: string): Response {
    const known = this.#refresh.get(token);
    if (known === undefined) return failure('invalid_grant');
    if (known.isUsed) {
      this.replays += 1;
      this.revokeAll();
      return failure('invalid_grant');
    }
    known.isUsed = true;
    return this.#issue(known.scope);
  }

  #issue(scope: string): Response {
    const access = `access-${++this.#count}`;
    const refresh = `refresh-${this.#count}`;
    this.#access.set(access, scope);
    if (this.isRenewable) this.#refresh.set(refresh, { scope, isUsed: false });
    return Response.json({
      access_token: access,
      token_type: 'Bearer',
      expires_in: 3_600,
      scope,
      ...(this.isRenewable && { refresh_token: refresh }),
      ...this.token,
    });
  }

  #revoke(form: URLSearchParams): Response {
    this.#access.delete(form.get('token') ?? '');
    this.#refresh.delete(form.get('token') ?? '');
    return new Response('');
  }

  #guard(request: Request): Response | undefined {
    const shown = request.headers.get('authorization');
    this.shown.push(shown);
    const scope = this.isOpen ? this.#access.get(shown?.replace(/^Bearer /, '') ?? '') : undefined;
    const metadata = `resource_metadata="${new URL(this.resource).origin}/.well-known/oauth-protected-resource"`;
    const refuse = (status: number, error: string) =>
      new Response('', {
        status,
        headers: { 'www-authenticate': `Bearer ${error}${metadata}, scope="${this.scope}"` },
      });
    if (scope === undefined) return refuse(401, '');
    return scope.split(' ').includes(this.scope) ? undefined : refuse(403, 'error="insufficient_scope", ');
  }
}

const failure = (error: string): Response => Response.json({ error }, { status: 400 });

async function challengeOf(verifier: string): Promise<string> {
  const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier));
  return Buffer.from(hash).toString('base64url');
}
