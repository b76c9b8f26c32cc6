import dns from 'node:dns';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import {
  createServer as createPlainServer,
  request as plainRequest,
  type RequestListener,
  type Server,
} from 'node:http';
import { createServer, type ServerOptions } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createProxy, type ProxyServer } from 'proxy';
import { generate } from 'selfsigned';

/** The end of names that only the proxy can resolve. */
const INSIDE = '.corporate.test';

/**
 * A network as companies have it: its servers can be reached through a proxy only, which alone knows their names, and their
 * certificates come from an authority of its own.
 */
export class ProxiedNetwork {
  /** The hosts and ports that the proxy was asked for. */
  readonly asked: string[] = [];
  readonly proxy: ProxyServer;
  readonly #place = mkdtempSync(join(tmpdir(), 'proxied-'));
  readonly #servers: Server[] = [];
  readonly #certificate: ServerOptions;
  readonly #restore: () => void;

  static async start(): Promise<ProxiedNetwork> {
    const { private: key, cert } = await generate([{ name: 'commonName', value: `*${INSIDE}` }], {
      extensions: [
        { name: 'basicConstraints', cA: true, critical: true },
        { name: 'subjectAltName', altNames: [{ type: 2, value: `*${INSIDE}` }] },
      ],
    });
    const network = new ProxiedNetwork({ key, cert });
    await listening(network.proxy);
    return network;
  }

  private constructor(certificate: ServerOptions) {
    this.#certificate = certificate;
    writeFileSync(this.authority, String(certificate.cert));
    this.proxy = createProxy(createPlainServer());
    this.proxy.on('connect', ({ url = '' }) => this.asked.push(url));
    this.proxy.on('request', ({ url = '' }) => this.asked.push(new URL(url).host));
    const { lookup } = dns;
    // The proxy runs in this process, and those who use it in others.
    const named = (name: string, ...rest: unknown[]) =>
      Reflect.apply(lookup, dns, [name.endsWith(INSIDE) ? '127.0.0.1' : name, ...rest]);
    dns.lookup = Object.assign(named, { __promisify__: lookup.__promisify__ });
    this.#restore = () => {
      dns.lookup = lookup;
    };
  }

  /** The file with the certificate of the network's authority. */
  get authority(): string {
    return join(this.#place, 'authority.pem');
  }

  /** The variables of whoever is in this network. */
  get environment(): Record<string, string> {
    return { HTTPS_PROXY: this.address, HTTP_PROXY: this.address, NODE_EXTRA_CA_CERTS: this.authority };
  }

  get address(): string {
    return `http://127.0.0.1:${portOf(this.proxy)}`;
  }

  /** Puts a server that listens on this machine into the network, by a name, and resolves with the same address there. */
  async offer(name: string, url: string, { isSecure = true } = {}): Promise<string> {
    const pass: RequestListener = (incoming, response) => {
      const { method, headers } = incoming;
      const outgoing = plainRequest(new URL(incoming.url ?? '/', url), { method, headers }, (answer) => {
        response.writeHead(answer.statusCode ?? 500, answer.headers);
        answer.pipe(response);
      });
      outgoing.on('error', () => response.destroy());
      incoming.pipe(outgoing);
    };
    const server = isSecure ? createServer(this.#certificate, pass) : createPlainServer(pass);
    this.#servers.push(server);
    await listening(server);
    const { pathname } = new URL(url);
    return `http${isSecure ? 's' : ''}://${name}${INSIDE}:${portOf(server)}${pathname === '/' ? '' : pathname}`;
  }

  async stop(): Promise<void> {
    this.#restore();
    for (const server of [this.proxy, ...this.#servers]) {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    }
    rmSync(this.#place, { recursive: true });
  }
}

const listening = (server: Server): Promise<void> =>
  new Promise((done) => {
    server.listen(0, '127.0.0.1', done);
  });

const portOf = (server: Server): number => (server.address() as AddressInfo).port;
