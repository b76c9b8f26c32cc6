import type { OptionalCapabilities, ToolCapabilities } from '#lib/tools/capabilities/capabilities.ts';
import { pageDocuments } from './page-documents.ts';
import { pageWeb } from './web/page-web.ts';

/**
 * Returns the capabilities of tools that belong to the page, not to a workspace or a thread: requests to the web, and the
 * reading of documents. `egress`: records the requests.
 */
export const pageCapabilities = (
  egress: Parameters<typeof pageWeb>[0],
): Pick<ToolCapabilities, 'web'> & OptionalCapabilities => ({
  web: pageWeb(egress),
  documents: pageDocuments,
});
