// Plays the scenarios with a live model and writes a report: npm run scenarios -- --model <id>
import { runNode } from './lib/run.ts';

process.exit((await runNode('e2e/live/play.ts', process.argv.slice(2))).code);
