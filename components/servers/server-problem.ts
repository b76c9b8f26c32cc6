import type { ServerTexts } from '#components/i18n/server-texts.ts';
import { visibleText } from '#components/ui/visible-text.ts';
import type { McpServer } from '#studio/mcp/mcp-server.ts';

/** Problems about which the texts say all that there is to say. */
const KNOWN: ReadonlySet<string> = new Set(['unreachable', 'needs-login', 'not-mcp', 'slow', 'locked', 'secret-gone']);

/** Why a server cannot be used, in words. */
export function serverProblem({ code, detail }: NonNullable<McpServer['problem']>, texts: ServerTexts): string {
  return KNOWN.has(code) ? texts.problems[code] : `${texts.problems[code]} ${visibleText(detail)}`;
}
