import { spawn } from 'node:child_process';
import { closeSync, readFileSync, writeFileSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { createMessageConnection, ResponseError } from 'vscode-jsonrpc/node';

/**
 * A language server whose documents are scripts: each line is one command, and `say` reports a problem. It answers
 * requests for diagnostics, or with the argument `push` publishes them by itself.
 */
interface Document {
  uri: string;
  version: number;
  text: string;
}

const isPulled = !process.argv.includes('push');
const connection = createMessageConnection(process.stdin, process.stdout);
const documents = new Map<string, Document>();
let pulls = 0;

const at = (line: number, message: string, severity = 1) => ({
  range: { start: { line, character: 0 }, end: { line, character: 1 } },
  severity,
  message,
});

/** Runs the commands of a document. Returns the problems that they report; undefined if the server stays silent. */
async function run({ uri, text }: Document) {
  const found: object[] = [];
  for (const [line, command] of text.split('\n').entries()) {
    const [verb, ...words] = command.split(' ');
    const rest = words.join(' ');
    if (verb === 'say') found.push(at(line, rest));
    else if (verb === 'hint') found.push(at(line, rest, 4));
    else if (verb === 'pid') found.push(at(line, String(process.pid)));
    else if (verb === 'environment') found.push(at(line, Object.keys(process.env).join(' ')));
    else if (verb === 'read') found.push(at(line, readFileSync(new URL(rest, uri), 'utf8')));
    else if (verb === 'ask') found.push(at(line, JSON.stringify(await connection.sendRequest(rest, { items: [{}] }))));
    else if (verb === 'child') {
      const { pid } = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'inherit' });
      found.push(at(line, String(pid)));
    } else if (verb === 'note') writeFileSync(new URL(rest, uri), String(process.pid));
    else if (verb === 'stubborn') process.on('SIGTERM', () => undefined);
    else if (verb === 'loop') for (;;);
    else if (verb === 'refuse') throw new ResponseError(-32603, `cannot check ${uri}`);
    else if (verb === 'busy' && ++pulls < 3) throw new ResponseError(-32802, 'not yet');
    else if (verb === 'crash') {
      process.stderr.write(`${'x'.repeat(100_000)} out of luck in ${process.cwd()}/a.fake`);
      process.exit(3);
    } else if (verb === 'write') process.stdout.write(JSON.parse(rest));
    else if (verb === 'close') closeSync(1);
    else if (verb === 'silent') return undefined;
  }
  return found;
}

async function publish(document: Document): Promise<void> {
  documents.set(document.uri, document);
  if (isPulled) return;
  const { uri, version } = document;
  const diagnostics = await run(document);
  if (diagnostics === undefined) return;
  // The first results of many servers are not complete.
  const params = { uri, version, diagnostics: [] };
  await connection.sendNotification('textDocument/publishDiagnostics', params);
  await setTimeout(20);
  await connection.sendNotification('textDocument/publishDiagnostics', { ...params, diagnostics });
}

connection.onRequest('initialize', () => ({
  capabilities: { textDocumentSync: 1, ...(isPulled ? { diagnosticProvider: { interFileDependencies: true } } : {}) },
}));
connection.onNotification('textDocument/didOpen', ({ textDocument }) => publish(textDocument));
connection.onNotification('textDocument/didChange', ({ textDocument, contentChanges: [{ text }] }) =>
  publish({ ...textDocument, text }),
);
connection.onNotification('textDocument/didClose', ({ textDocument }) => {
  documents.delete(textDocument.uri);
});
connection.onRequest('textDocument/diagnostic', async ({ textDocument }) => {
  const document = documents.get(textDocument.uri);
  const items = document === undefined ? [] : await run(document);
  return items === undefined ? new Promise(() => {}) : { kind: 'full', items };
});
connection.onRequest('shutdown', () => null);
connection.onNotification('exit', () => process.exit(0));
connection.listen();
