import { CliBench } from '/work/main/e2e/lib/cli-bench.ts';
import { ToolClient } from '/work/main/e2e/lib/tool-client.ts';
const bench = await CliBench.start();
bench.write({ '.roundtrip/config.yaml': 'permissions:\n  write: allow\n  execute: allow\n', 'a.txt': 'alpha' });
const client = new ToolClient(bench.open(['serve', '--stdio']));
client.child.on('exit', (c, s) => console.log('EXIT', c, s));
const deep = (n: number) => '['.repeat(n) + ']'.repeat(n);
const deepO = (n: number) => '{"a":'.repeat(n) + '1' + '}'.repeat(n);
const lines: [string, string][] = [
 ['proto tool', '{"id":"p1","method":"call_tool","params":{"name":"__proto__","input":{}}}'],
 ['constructor tool', '{"id":"p2","method":"call_tool","params":{"name":"constructor","input":{}}}'],
 ['proto input', '{"id":"p3","method":"call_tool","params":{"name":"read_file","input":{"__proto__":{"path":"/a.txt"}}}}'],
 ['proto input2', '{"id":"p4","method":"call_tool","params":{"name":"read_file","input":{"path":"/a.txt","__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}}}'],
 ['proto params', '{"id":"p5","method":"call_tool","params":{"__proto__":{"name":"read_file","input":{"path":"a.txt"}}}}'],
 ['proto req', '{"id":"p6","__proto__":{"method":"list_tools"}}'],
 ['proto method', '{"id":"p7","method":"__proto__"}'],
 ['proto progress', '{"id":"__proto__","method":"call_tool","params":{"name":"read_file","input":{"path":"a.txt"}}}'],
 ['deep input', '{"id":"d1","method":"call_tool","params":{"name":"read_file","input":{"path":' + deep(200000) + '}}}'],
 ['deep input o', '{"id":"d2","method":"call_tool","params":{"name":"read_file","input":' + deepO(200000) + '}}'],
 ['deep input w', '{"id":"d2w","method":"call_tool","params":{"name":"write_file","input":{"path":"x.txt","content":' + deepO(200000) + '}}}'],
 ['deep params', '{"id":"d3","method":"call_tool","params":' + deepO(200000) + '}'],
 ['deep id', '{"id":' + deep(200000) + ',"method":"list_tools"}'],
 ['deep id cancel', '{"id":"d5","method":"cancel","params":{"id":' + deep(5000) + '}}'],
 ['deep id mid', '{"id":' + deep(3000) + ',"method":"fly"}'],
 ['string input', '{"id":"s1","method":"call_tool","params":{"name":"read_file","input":"{\\"path\\":\\"/a.txt\\"}"}}'],
 ['surrogate', '{"id":"s2","method":"call_tool","params":{"name":"read_file","input":{"path":"\\ud800"}}}'],
 ['number path', '{"id":"s3","method":"call_tool","params":{"name":"write_file","input":{"path":["/a.txt"],"content":{"toString":"x"}}}}'],
 ['huge name', '{"id":"s4","method":"call_tool","params":{"name":"' + 'x'.repeat(1e6) + '"}}'],
 ['array', '[{"id":1,"method":"list_tools"}]'],
 ['null', 'null'],
 ['NaN', '{"id":NaN}'],
];
for (const [name, line] of lines) {
  const before = client.messages.length;
  client.send(line);
  const s = performance.now();
  while (client.messages.length === before && performance.now() - s < 4000 && client.child.exitCode === null && client.child.signalCode === null) await new Promise(r => setTimeout(r, 10));
  console.log('##', name, Math.round(performance.now() - s), JSON.stringify(client.messages.at(before))?.slice(0, 330));
  if (client.child.exitCode !== null) break;
}
console.log(JSON.stringify((await client.call('z', 'ls')).result));
client.child.kill(); await bench.stop();
