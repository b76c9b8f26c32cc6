// Ends the process when its standard input ends, which the process that started it holds open as long as it lives.
process.stdin.resume();
process.stdin.once('end', () => process.exit(1));
process.stdin.once('error', () => process.exit(1));
// Standard input alone is no reason to stay.
process.stdin.unref();
