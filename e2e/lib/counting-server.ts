import { createSocket } from 'node:dgram';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** An external server that counts everything that reaches it, and responds so that more would follow. */
export interface CountingServer {
  /** For HTTP and WebSocket, and for UDP. */
  port: number;
  udpPort: number;
  /** The requests that have reached it, such as `tcp`, `http GET /x`, `udp`. */
  hits: string[];
  stop(): Promise<void>;
}

export async function startCountingServer(): Promise<CountingServer> {
  const hits: string[] = [];
  const server = createServer((request, response) => {
    hits.push(`http ${request.method} ${request.url}`);
    const type = request.url?.endsWith('.css')
      ? 'text/css'
      : /\.m?js$/.test(request.url ?? '')
        ? 'text/javascript'
        : 'text/html';
    response.writeHead(200, { 'access-control-allow-origin': '*', 'content-type': type }).end('/* reached */');
  });
  server.on('connection', () => hits.push('tcp'));
  server.on('upgrade', (request, socket) => {
    hits.push(`upgrade ${request.url}`);
    socket.destroy();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const udp = createSocket('udp4');
  udp.on('message', () => hits.push('udp'));
  await new Promise<void>((resolve) => udp.bind(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    udpPort: udp.address().port,
    hits,
    async stop() {
      udp.close();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
