import * as z from 'zod';
import { resolvePath } from '#lib/vfs/paths.ts';
import type { Diagnostic } from '../capabilities/diagnostics.ts';
import { counted } from '../core/counted.ts';
import { defineTool } from '../core/tool.ts';

/** The most problems that one call returns. */
const MAX_DIAGNOSTICS = 100;

/**
 * Makes the tool that checks files; it lists at most `MAX_DIAGNOSTICS` problems, and fails with `FileSystemError` if the path
 * does not exist. `checks`: the beginning of the tool's description, which tells the model what is checked and how. `kinds`:
 * the kinds of files that are checked, for the result that says that there are none.
 */
export const diagnosticsTool = ({ checks, kinds }: { checks: string; kinds: string }) =>
  defineTool({
    name: 'get_diagnostics',
    description: `${checks} Returns the problems as path:line:column severity message, at most ${MAX_DIAGNOSTICS}. Without "path", the whole workspace is checked.`,
    toolset: 'files',
    effect: 'read',
    inputSchema: z.object({
      path: z
        .string()
        .min(1, 'must not be empty')
        .default('/')
        .describe('A file or directory, absolute; defaults to "/".'),
    }),
    needs: ['diagnostics'],
    presentation: { verb: 'check', target: 'path', names: ['path'], result: 'list' },
    aliases: ['diagnostics'],
    examples: [
      {
        description: 'Check a file for errors',
        input: { path: '/src/App.tsx' },
        result: "/src/App.tsx:4:7 error Type 'string' is not assignable to type 'number'. (ts)",
      },
    ],
    touches: ({ path }) => [{ path, effects: ['read'] }],
    async execute({ path }, { diagnostics: checker, abortSignal }) {
      const target = resolvePath(path);
      const { diagnostics, files, hasMore, failures = [] } = await checker.check(target, { abortSignal });
      const shown = diagnostics.slice(0, MAX_DIAGNOSTICS);
      const notices = [
        ...(diagnostics.length > shown.length
          ? [`[Not shown: ${counted(diagnostics.length - shown.length, 'more problem')}.]`]
          : []),
        ...failures.map((failure) => `[Not everything was checked. ${failure}]`),
        ...(hasMore ? [`[Only the first ${files} files were checked. Pass a directory to check others.]`] : []),
      ];
      const content = [...shown.map(toLine), ...notices].join('\n');
      return {
        content: content === '' ? noProblems(target, files, kinds) : content,
        data: { diagnostics: shown, total: diagnostics.length, files },
      };
    },
  });

/** The tool that checks files with the language services of the studio's editor. */
export const getDiagnostics = diagnosticsTool({
  checks:
    'Checks TypeScript, JavaScript, JSON, CSS and HTML files as the editor does. Types are checked across files. Types of npm packages are unknown, so imports from them are not checked.',
  kinds: 'TypeScript, JavaScript, JSON, CSS or HTML files',
});

const toLine = ({ path, line, column, severity, message, source }: Diagnostic): string =>
  `${path}:${line}:${column} ${severity} ${message} (${source})`;

const noProblems = (path: string, files: number, kinds: string): string =>
  files === 0 ? `There is nothing to check in ${path}: no ${kinds}.` : 'No problems.';
