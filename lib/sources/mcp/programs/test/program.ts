// A tool server that is a program, with tools that behave badly. It takes how it behaves from the start as its argument.
import { spawn } from 'node:child_process';
import { appendFileSync } from 'node:fs';
import { createInterface } from 'node:readline';

interface Request {
  id?: number | string;
  method: string;
  params?: {
    name?: string;
    arguments?: Record<string, unknown>;
    protocolVersion?: string;
    _meta?: { progressToken?: unknown };
  };
}

const [behavior = 'plain'] = process.argv.slice(2);
let description = process.env.DESCRIPTION ?? 'Says it again.';
let isInitialized = false;

const write = (message: object): void => void process.stdout.write(`${JSON.stringify(message)}\n`);

const tool = (name: string, about: string, properties: object = {}) => ({
  name,
  description: about,
  inputSchema: { type: 'object', properties },
});

const tools = () => [
  tool('echo', description, { text: { type: 'string' } }),
  ...[
    'env',
    'die',
    'hang',
    'slow',
    'garbage',
    'big',
    'long',
    'deep',
    'scold',
    'leave',
    'change',
    'progress',
    'cwd',
  ].map((name) => tool(name, `Does ${name}.`)),
  ...(behavior === 'many' ? Array.from({ length: 180 }, (_, at) => tool(`many_${at}`, 'word '.repeat(100))) : []),
];

const text = (value: string) => ({ content: [{ type: 'text', text: value }] });

/** The result of a call; undefined if there is none. */
function call(name: string | undefined, args: Record<string, unknown>, request: Request): object | undefined {
  if (process.env.CALLS_FILE !== undefined) appendFileSync(process.env.CALLS_FILE, `${name} ${args.text ?? ''}\n`);
  switch (name) {
    case 'echo':
      return text(String(args.text));
    case 'env':
      return text(JSON.stringify(process.env));
    case 'cwd':
      return text(process.cwd());
    case 'die':
      process.stderr.write('dying now\n');
      process.kill(process.pid, 'SIGKILL');
      return undefined;
    case 'garbage':
      process.stdout.write('hello there\n{"jsonrpc":"1.0"}\n[]\nnull\n{"id":\n');
      return text('clean');
    case 'big':
      process.stdout.write(`{"x":"${'y'.repeat(20_000_000)}`);
      return undefined;
    case 'long': {
      const result = '{"content":[],"structuredContent":{"id":12345678901234567890}}';
      process.stdout.write(`{"jsonrpc":"2.0","id":${JSON.stringify(request.id)},"result":${result}}\n`);
      return undefined;
    }
    case 'deep': {
      const value = `${'['.repeat(200_000)}${']'.repeat(200_000)}`;
      const result = `{"content":[],"structuredContent":{"value":${value}}}`;
      process.stdout.write(`{"jsonrpc":"2.0","id":${JSON.stringify(request.id)},"result":${result}}\n`);
      return undefined;
    }
    case 'scold':
      for (let count = 0; count < 20_000; count++) process.stderr.write(`the key is ${process.env.TOKEN}, ${count}\n`);
      process.stderr.write('z'.repeat(1_000_000));
      return text('scolded');
    case 'slow':
      setTimeout(() => write({ jsonrpc: '2.0', id: request.id, result: text('done') }), Number(args.ms));
      return undefined;
    case 'leave':
      spawn('sleep', [String(args.seconds)], { stdio: 'inherit' });
      return text('left');
    case 'change':
      description = 'Says it again, and tells others.';
      setTimeout(() => write({ jsonrpc: '2.0', method: 'notifications/tools/list_changed' }), 20);
      return text('changed');
    case 'progress':
      write({
        jsonrpc: '2.0',
        method: 'notifications/progress',
        params: { progressToken: request.params?._meta?.progressToken, progress: 1, total: 2, message: 'half' },
      });
      return text('done');
    default:
      return undefined;
  }
}

function answer(request: Request): void {
  const { id, method, params = {} } = request;
  if (method === 'notifications/cancelled' && process.env.CALLS_FILE !== undefined)
    appendFileSync(process.env.CALLS_FILE, 'cancelled\n');
  if (id === undefined || behavior === 'mute') return;
  const reply = (result: object) => write({ jsonrpc: '2.0', id, result });
  switch (method) {
    case 'initialize':
      isInitialized = true;
      reply({
        protocolVersion: params.protocolVersion,
        capabilities: { tools: { listChanged: true } },
        serverInfo: { name: 'program', version: '1' },
      });
      break;
    case 'tools/list':
      reply({ tools: tools() });
      break;
    case 'tools/call': {
      const result = call(params.name, params.arguments ?? {}, request);
      if (result !== undefined) reply(result);
      break;
    }
    default:
      if (behavior === 'strict' && !isInitialized) process.exit(1);
      if (behavior !== 'deaf') write({ jsonrpc: '2.0', id, error: { code: -32601, message: 'Not known.' } });
  }
}

if (behavior === 'dead') {
  process.stderr.write(`no token like ${process.env.TOKEN}\n`);
  process.exit(3);
}
createInterface({ input: process.stdin })
  .on('line', (line) => answer(JSON.parse(line)))
  .on('close', () => process.exit(0));
