import type { PipelineNode, TransformPlugin } from 'just-bash';

type CommandNode = PipelineNode['commands'][number];

/** The operators that write to a file. */
const WRITING: readonly string[] = ['>', '>>', '>|', '>&', '&>', '&>>', '<>'];

/**
 * A plugin for just-bash that puts each command whose output goes to a file into a group: `a > f` becomes `{ a > f; }`. So if
 * the file cannot be written, only that command fails, as in other shells. Outside of a group, just-bash ends the whole script
 * for any error of the file system, and loses its output.
 */
export const containedRedirections: TransformPlugin = {
  name: 'contained-redirections',
  transform({ ast }) {
    contain(ast);
    return { ast };
  },
};

/**
 * Puts each command whose output goes to a file into a group, in all pipelines of a syntax tree, at any depth: words of
 * commands may contain scripts, too.
 */
function contain(node: unknown): void {
  if (typeof node !== 'object' || node === null) return;
  for (const value of Object.values(node)) contain(value);
  if (isPipeline(node)) node.commands = node.commands.map((command) => (writes(command) ? groupOf(command) : command));
}

const isPipeline = (node: object): node is PipelineNode => 'type' in node && node.type === 'Pipeline';

const writes = (command: CommandNode): boolean =>
  'redirections' in command && command.redirections.some(({ operator }) => WRITING.includes(operator));

function groupOf(command: CommandNode): CommandNode {
  const line = command.line === undefined ? {} : { line: command.line };
  const pipeline: PipelineNode = { type: 'Pipeline', commands: [command], negated: false };
  return {
    type: 'Group',
    body: [{ type: 'Statement', pipelines: [pipeline], operators: [], background: false }],
    redirections: [],
    ...line,
  };
}
