import type { ServerTexts } from '#components/i18n/server-texts.ts';
import { visibleText } from '#components/ui/visible-text.ts';
import type { McpServer } from '#studio/sources/mcp/mcp-server.ts';

type Problem = NonNullable<McpServer['problem']>;

/** The codes of problems for which the server's own message is not shown, because the texts say enough. */
const KNOWN: ReadonlySet<string> = new Set([
  'unreachable',
  'needs-login',
  'needs-scope',
  'not-mcp',
  'slow',
  'locked',
  'secret-gone',
]);

const ABOUT_LOGIN: ReadonlySet<string> = new Set(['needs-login', 'needs-scope', 'login-unavailable']);

/** Checks whether logging in, perhaps again, may solve a tool server's problem. */
export const isAboutLogin = ({ code }: Problem): boolean => ABOUT_LOGIN.has(code);

/**
 * Returns a text that says why a tool server cannot be used. `login`: the address of the authorization server where the
 * person has logged in before, if any.
 */
export function serverProblem({ code, detail }: Problem, texts: ServerTexts, login?: string): string {
  if (code === 'needs-login' && login !== undefined) return texts.login.ended;
  return KNOWN.has(code) ? texts.problems[code] : `${texts.problems[code]} ${visibleText(detail)}`;
}
